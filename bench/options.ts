// Common to all benchmarks: options, a way to print, memory after a collection, and a stopwatch
// without the time in which the system runs other programs.

import { openSync, readSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { flag } from '../test/support/program/options.ts'
import { type Options, type Program, programOptions } from '../test/support/program/program.ts'

const common = {
  json: flag('print one JSON object instead of text'),
  check: flag('exit with code 1 if a bar is missed'),
}

/** The options of a benchmark, and how it reports: with `--json` the object only. */
export function benchOptions<Declared extends Options>(program: Program<Declared>) {
  const options = { ...program.options, ...common } as Declared & typeof common
  const given = programOptions({ ...program, options })
  const { json, check } = given as { json: boolean; check: boolean }
  return {
    ...given,
    say(text: string): void {
      if (!json) console.log(text)
    },
    /** With `--check`, a missed bar is an exit code. */
    requireBars(missed: readonly string[]): void {
      for (const bar of missed) console.error(`bench: ${bar}`)
      if (check && missed.length > 0) process.exitCode = 1
    },
  }
}

setFlagsFromString('--expose-gc')
export const collectGarbage = runInNewContext('gc') as () => void
setFlagsFromString('--no-expose-gc')

/** Live memory: objects, and the bytes behind typed arrays. */
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
/** The system updates its counters this often. */
const busyStepMs = 4

/** On Linux the processor time of a thread; elsewhere the elapsed time is used. */
function openBusy(): number | null {
  try {
    return openSync('/proc/thread-self/schedstat', 'r')
  } catch {
    // Does not exist: another system.
    return null
  }
}

function busyMs(file: number): number {
  const length = readSync(file, line, 0, line.length, 0)
  return Number.parseInt(line.toString('latin1', 0, length), 10) / 1e6
}

/** How long this thread has been ready to run without a core, since it started; 0 if the system
 *  does not report it. */
export function waitedForCoreMs(): number {
  if (busy === null) return 0
  const length = readSync(busy, line, 0, line.length, 0)
  const waited = line.toString('latin1', 0, length).split(' ')[1] ?? '0'
  return Number.parseInt(waited, 10) / 1e6
}

/** Milliseconds of the work, and its result. Time in which the thread waited for a core is not
 *  counted, as precisely as the system's clock allows. */
export function timed<T>(work: () => T): { ms: number; value: T } {
  const before = busy === null ? 0 : busyMs(busy)
  const start = performance.now()
  const value = work()
  const passed = performance.now() - start
  if (busy === null) return { ms: passed, value }
  return { ms: Math.min(passed, busyMs(busy) - before + busyStepMs), value }
}
