// Limits connections by the file descriptors of the process. A reserve is kept for files: the
// journal, history, snapshots, and the threads that make them must always get theirs.

import { readdirSync, readFileSync } from 'node:fs'

/** Reserved for files, mostly for the modules that a starting thread opens together. */
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
    // Not Linux: Node's report contains the limit too, but takes long to make.
    const report = process.report.getReport() as Report
    return numberIn(report.userLimits?.open_files?.soft)
  }
}

type Report = Readonly<{ userLimits?: { open_files?: { soft?: unknown } } }>

/** `unlimited`, or the system does not report it. */
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
