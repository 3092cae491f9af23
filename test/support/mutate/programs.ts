// The programs that are to notice a fault, and all that such a program is made of.

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const built = fileURLToPath(new URL('../../../', import.meta.url))

/** Arguments of Node; paths are those below the build. */
export type Program = Readonly<{
  name: string
  args: readonly string[]
  /** Every module that it may come to load. */
  modules: ReadonlySet<string>
  /** Changes when one of them does. */
  digest: string
}>

const together = 'test/support/mutate/together.js'
const recorded = 'test/support/mutate/recorded.js'
const scenarios = 'test/scenarios'

/** The tests that these patterns mean, in one process. */
export function testsAt(patterns: readonly string[]): Program {
  const files = patterns.flatMap(matching)
  const name = files.map((file) => basename(file, '.test.js')).join(', ')
  return programOf(name, [together, ...files])
}

/** The program that records the histories of all scenarios, and asks the core again. */
export function historiesProgram(): Program {
  const files = readdirSync(join(built, scenarios), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.js'))
    .sort()
    .map((name) => join(scenarios, name))
  return programOf('recorded histories', [recorded, ...files])
}

/** Which runs these modules, all named by the arguments. */
function programOf(name: string, args: readonly string[]): Program {
  const modules = new Set<string>()
  for (const arg of args) follow(join(built, arg), modules)
  const hash = createHash('sha256')
  for (const module of [...modules].sort()) hash.update(readFileSync(module))
  return { name, args, modules, digest: hash.digest('hex') }
}

/** Whatever it names by a relative path: imports, threads, programs that it starts. */
function follow(module: string, found: Set<string>): void {
  if (found.has(module) || !existsSync(module)) return
  found.add(module)
  for (const [, path] of readFileSync(module, 'utf8').matchAll(/["'](\.{1,2}\/[^"']+\.js)["']/g))
    follow(join(dirname(module), path!), found)
}

/** `*` is any name within a folder. */
function matching(pattern: string): readonly string[] {
  if (!pattern.includes('*')) return [pattern]
  const [before, after] = basename(pattern).split('*') as [string, string]
  return foldersOf(dirname(pattern)).flatMap((folder) =>
    readdirSync(join(built, folder))
      .filter((name) => name.startsWith(before) && name.endsWith(after))
      .sort()
      .map((name) => join(folder, name)),
  )
}

function foldersOf(path: string): readonly string[] {
  if (!path.endsWith('*')) return [path]
  const folder = dirname(path)
  return readdirSync(join(built, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(folder, name))
}
