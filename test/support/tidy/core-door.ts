// The door of the core: whatever stands outside imports its index and no other file of it, and the
// index does not let the state out.

import { posix } from 'node:path'
import { codeOf, importsOf, lineAt } from './scan-source.ts'

const core = 'src/core/'
export const door = `${core}index.ts`

type Found = Readonly<{ line: number; fault: string }>

/** Faults of one source file; of those inside the core only the door can have any. */
export function doorFaultsIn(path: string, source: string): readonly Found[] {
  if (path === door) return wordsLetOut(source)
  if (path.startsWith(core)) return []
  return importsOf(source)
    .map(({ specifier, line }) => ({ to: posix.join(posix.dirname(path), specifier), line }))
    .filter(({ to }) => to.startsWith(core) && to !== door)
    .map(({ to, line }) => ({ line, fault: `imports ${to}, which is behind ${door}` }))
}

/** `State` by name, or whatever a file has, be it the state. */
function wordsLetOut(source: string): readonly Found[] {
  const code = codeOf(source)
  return [...code.matchAll(/(?<![\w$])State(?![\w$])|export\s*\*/g)].map((found) => ({
    line: lineAt(code, found.index),
    fault: `lets out ${found[0] === 'State' ? 'the state' : 'whatever a file has'}`,
  }))
}
