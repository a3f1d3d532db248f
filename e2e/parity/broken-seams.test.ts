import { describe, expect, it } from 'vitest'
import { brokenSeams, replaceRequester } from './broken-seams.js'
import { observe } from './observe.js'
import { adapterPath, referencePath } from './paths.js'
import { scenario } from './scenario.js'

describe('the comparison of both paths', () => {
  it.each(brokenSeams)('fails when the seam $claim', async ({ seam, scenario: asked }) => {
    const reference = await observe(referencePath, asked)

    expect(await observe(adapterPath(), asked)).toEqual(reference)
    expect(await observe(adapterPath([seam]), asked)).not.toEqual(reference)
  })

  it('holds for a seam that is replaced by itself', async () => {
    const asked = scenario({ action: 'accept', content: { count: 3 } })

    expect(await observe(adapterPath([replaceRequester((inner) => inner)]), asked)).toEqual(
      await observe(referencePath, asked),
    )
  })
})
