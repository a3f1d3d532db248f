// What the published packages export has a doc comment, and so has each of its properties and methods.
import { relative } from 'node:path'
import ts from 'typescript'
import { publishablePackages } from './packaging/publishable.mjs'
import { report } from './report.mjs'

const doors = publishablePackages().map((folder) => `${folder}/src/index.ts`)
const { config } = ts.readConfigFile('tsconfig.base.json', ts.sys.readFile)
const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, process.cwd())
const program = ts.createProgram(doors, { ...options, noEmit: true })
const checker = program.getTypeChecker()

report(
  'docs',
  doors.flatMap((door) =>
    publicNames(door).map(([name, declaration]) => [`${name} is documented`, problems(declaration)]),
  ),
)

/** What a door exports, and the members that are written out in it, as [dotted name, declaration]. */
function publicNames(door) {
  const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(door)))
  return exported.flatMap((symbol) =>
    declarationsOf(symbol).flatMap((declaration) => [
      [symbol.name, declaration],
      ...membersOf(declaration).map((member) => [`${symbol.name}.${member.name.getText()}`, member]),
    ]),
  )
}

function declarationsOf(symbol) {
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
  return target.declarations ?? []
}

/** Members with a name: an index signature or a constructor has none. Of a type: those of each object it is made of. */
function membersOf(node) {
  if (ts.isTypeAliasDeclaration(node)) return membersOf(node.type)
  if (ts.isUnionTypeNode(node) || ts.isIntersectionTypeNode(node)) return node.types.flatMap(membersOf)
  if (ts.isParenthesizedTypeNode(node)) return membersOf(node.type)
  return (node.members ?? []).filter((member) => member.name !== undefined && isPublic(member) && !isTag(member))
}

function isPublic(member) {
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected
  return !ts.isPrivateIdentifier(member.name) && (ts.getCombinedModifierFlags(member) & hidden) === 0
}

/** True for what tells the members of a union apart: one literal, which says itself. */
function isTag(member) {
  return checker.getTypeAtLocation(member).isStringLiteral()
}

function problems(declaration) {
  const symbol = checker.getSymbolAtLocation(declaration.name)
  if (symbol.getDocumentationComment(checker).length > 0) return []
  const file = declaration.getSourceFile()
  const { line } = file.getLineAndCharacterOfPosition(declaration.getStart())
  return [`${relative('.', file.fileName)}:${line + 1}`]
}
