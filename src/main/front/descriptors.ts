// How many connections the process has descriptors for. Files come first: the journal, history, a
// snapshot, and the threads that make them must always get theirs.

import { readdirSync, readFileSync } from 'node:fs'

/** Kept free for files, mostly for the modules that a starting thread reads together. */
export const fileReserve = 128
/** Minimum number of connections: with fewer no client could be served. */
const connectionsMin = 8
const openGuess = 64

export type Descriptors = Readonly<{ limit: number; open: number }>

export function descriptors(): Descriptors {
  return { limit: limitOf(), open: openNow() }
}

/** At most `wanted`, limited by the descriptors that are free without the reserve. */
export function connectionsAllowed(wanted: number, { limit, open }: Descriptors): number {
  return Math.min(wanted, Math.max(connectionsMin, limit - open - fileReserve))
}

function limitOf(): number {
  try {
    const text = readFileSync('/proc/self/limits', 'latin1')
    return numberIn(/^Max open files +(\S+)/m.exec(text)?.[1])
  } catch {
    // Not Linux: the report of Node has it too, but takes long to make.
    const report = process.report.getReport() as Report
    return numberIn(report.userLimits?.open_files?.soft)
  }
}

type Report = Readonly<{ userLimits?: { open_files?: { soft?: unknown } } }>

/** `unlimited`, and a system that does not say. */
function numberIn(value: unknown): number {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : Number.POSITIVE_INFINITY
}

function openNow(): number {
  try {
    return readdirSync('/dev/fd').length
  } catch {
    // Not available on this system.
    return openGuess
  }
}
