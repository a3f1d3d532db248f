// Follows every relative link of every Markdown file, and expects a file and, after `#`, a heading.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { report } from './report.mjs'

const places = ['docs', 'examples', 'e2e', 'packages', '.changeset']
const files = [...markdownIn('.', { deep: false }), ...places.flatMap((place) => markdownIn(place, { deep: true }))]
report(
  'links',
  files.map((file) => [`${file} leads somewhere`, deadLinks(file)]),
)

function markdownIn(folder, { deep }) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return deep && entry.name !== 'node_modules' ? markdownIn(path, { deep }) : []
    return entry.name.endsWith('.md') ? [path] : []
  })
}

function deadLinks(file) {
  const links = [...withoutCode(readFileSync(file, 'utf8')).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link)
  return links.filter((link) => !/^[a-z]+:/.test(link) && !leadsSomewhere(file, link)).map((link) => `dead: ${link}`)
}

function leadsSomewhere(file, link) {
  const [path, anchor] = link.split('#')
  const target = path === '' ? file : join(dirname(file), path)
  if (!existsSync(target)) return false
  return anchor === undefined || (statSync(target).isFile() && anchorsOf(target).includes(anchor))
}

/** The anchors of a file's headings, as GitHub makes them. */
function anchorsOf(file) {
  const headings = [...withoutCode(readFileSync(file, 'utf8')).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading)
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{Letter}\p{Number}_\- ]/gu, '')
      .replaceAll(' ', '-'),
  )
}

function withoutCode(markdown) {
  return markdown.replaceAll(/^```.*?^```/gms, '')
}
