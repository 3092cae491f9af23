// What every load program needs of its process: flags, a way to print, memory after a collection,
// and a stopwatch that stands still while the system runs somebody else.

import { openSync, readSync } from 'node:fs'
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

/** Null: not given. */
export function textFlag(name: string): string | null {
  const at = flags.indexOf(name)
  return at < 0 ? null : (flags[at + 1] ?? null)
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

const busy = openBusy()
const line = Buffer.alloc(64)
/** The system brings what it tells up to date this often. */
const busyStepMs = 4

/** Linux tells how long a thread has worked; elsewhere the time that passed has to do. */
function openBusy(): number | null {
  try {
    return openSync('/proc/thread-self/schedstat', 'r')
  } catch {
    // Not there: another system.
    return null
  }
}

function busyMs(file: number): number {
  const length = readSync(file, line, 0, line.length, 0)
  return Number.parseInt(line.toString('latin1', 0, length), 10) / 1e6
}

/** How long this thread has been ready to work and had no core, since it began; 0 where the system
 *  does not tell. */
export function waitedForCoreMs(): number {
  if (busy === null) return 0
  const length = readSync(busy, line, 0, line.length, 0)
  const waited = line.toString('latin1', 0, length).split(' ')[1] ?? '0'
  return Number.parseInt(waited, 10) / 1e6
}

/** Milliseconds the work took, and what it gave. Time in which the thread had to wait for a core is
 *  left out, but for what the system's own clock cannot tell. */
export function timed<T>(work: () => T): { ms: number; value: T } {
  const before = busy === null ? 0 : busyMs(busy)
  const start = performance.now()
  const value = work()
  const passed = performance.now() - start
  if (busy === null) return { ms: passed, value }
  return { ms: Math.min(passed, busyMs(busy) - before + busyStepMs), value }
}

/** With `--check`, a missed bar is an exit code. */
export function judge(missed: readonly string[]): void {
  for (const bar of missed) console.error(`bench: ${bar}`)
  if (checks && missed.length > 0) process.exitCode = 1
}
