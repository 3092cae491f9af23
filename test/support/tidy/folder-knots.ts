// Knots of folders: folders that import one another, directly or through others, types included. A
// folder in a knot cannot be read, moved or tested without the others.

import { posix } from 'node:path'
import type { File } from './repository-files.ts'
import { importsOf } from './scan-source.ts'

type Knot = Readonly<{
  folders: readonly string[]
  /** Its thinnest arrows: removing the fewest imports opens it there. */
  thin: readonly string[]
}>

/** The paths that each file imports, types included. */
export function importedPaths(files: readonly File[]): ReadonlyMap<string, readonly string[]> {
  const paths = ({ path, text }: File) =>
    importsOf(text)
      .filter(({ specifier }) => specifier.startsWith('.'))
      .map(({ specifier }) => posix.join(posix.dirname(path), specifier))
  return new Map(files.map((file) => [file.path, paths(file)]))
}

/** The largest knot of each zone of src, with the arrows that are easiest to remove. */
export function largestKnots(files: readonly File[]) {
  const imports = importedPaths(files.filter(({ path }) => path.startsWith('src/')))
  const zones = new Set([...imports.keys()].map((path) => path.split('/').slice(0, 2).join('/')))
  return [...zones].flatMap((zone) => {
    const [knot] = knotsIn(zone, imports)
    if (knot === undefined) return []
    const where = `${zone} (${knot.folders.join(', ')}; ${knot.thin.join('; ')})`
    return [{ key: `folders in a knot ${zone}`, value: knot.folders.length, limit: 7, where }]
  })
}

/** The knots of a zone, the largest first. */
function knotsIn(zone: string, imports: ReadonlyMap<string, readonly string[]>): Knot[] {
  const arrows = new Map<string, Map<string, string[]>>()
  for (const [path, targets] of imports) {
    for (const target of targets) {
      const [from, to] = [posix.dirname(path), posix.dirname(target)]
      if (from === to || !isIn(zone, from) || !isIn(zone, to)) continue
      const out = arrows.get(from) ?? new Map<string, string[]>()
      arrows.set(from, out.set(to, [...(out.get(to) ?? []), `${path} imports ${target}`]))
    }
  }
  const reached = new Map([...arrows.keys()].map((from) => [from, reachedFrom(from, arrows)]))
  const knots = new Map<string, Knot>()
  for (const [folder, others] of reached) {
    const folders = [...others].filter((other) => reached.get(other)?.has(folder) === true).sort()
    if (!folders.includes(folder) || knots.has(folders[0]!)) continue
    const inside = folders.flatMap((from) =>
      [...arrows.get(from)!].filter(([to]) => folders.includes(to)).map(([, lines]) => lines),
    )
    const thin = inside.sort((a, b) => a.length - b.length).slice(0, 5)
    knots.set(folders[0]!, { folders, thin: thin.flat() })
  }
  return [...knots.values()].sort((a, b) => b.folders.length - a.folders.length)
}

function isIn(zone: string, folder: string): boolean {
  return folder === zone || folder.startsWith(`${zone}/`)
}

function reachedFrom(from: string, arrows: ReadonlyMap<string, ReadonlyMap<string, unknown>>) {
  const reached = new Set<string>()
  const open = [from]
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const next of arrows.get(folder)?.keys() ?? []) {
      if (reached.has(next)) continue
      reached.add(next)
      open.push(next)
    }
  }
  return reached
}
