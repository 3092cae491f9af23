// What every load program needs of its process: flags, a way to print, memory after a collection.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const flags = process.argv.slice(2)
export const asJson = flags.includes('--json')
const checks = flags.includes('--check')

export function numberFlag(name: string, otherwise: number): number {
  const at = flags.indexOf(name)
  const value = at < 0 ? otherwise : Number.parseInt(flags[at + 1] ?? '', 10)
  if (!Number.isSafeInteger(value) || value < 1) throw new Error(`${name}: not a number above 0`)
  return value
}

export function say(text: string): void {
  if (!asJson) console.log(text)
}

setFlagsFromString('--expose-gc')
export const collectGarbage = runInNewContext('gc') as () => void
setFlagsFromString('--no-expose-gc')

/** What is alive: objects, and the bytes behind typed arrays. */
export function bytesInUse(): number {
  collectGarbage()
  collectGarbage()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

export function whole(n: number): string {
  return Math.round(n).toLocaleString('en-US')
}

/** Milliseconds the work took, and what it gave. */
export function timed<T>(work: () => T): { ms: number; value: T } {
  const start = performance.now()
  const value = work()
  return { ms: performance.now() - start, value }
}

/** With `--check`, a missed bar is an exit code. */
export function judge(missed: readonly string[]): void {
  for (const bar of missed) console.error(`bench: ${bar}`)
  if (checks && missed.length > 0) process.exitCode = 1
}
