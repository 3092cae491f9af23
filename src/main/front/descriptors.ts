// Limits the number of connections by the file descriptors of the process. A reserve is kept for
// the files of the journal, history and snapshots, and of the threads that write them.

import { readdirSync, readFileSync } from 'node:fs'

/** Descriptors reserved for files, mostly for the modules that a starting thread opens. */
export const fileReserve = 128
/** Minimum number of connections, because with fewer no client could be served. */
const connectionsMin = 8
const openGuess = 64

export type Descriptors = Readonly<{ limit: number; open: number }>

export function descriptors(): Descriptors {
  return { limit: limitOf(), open: openNow() }
}

/** Returns `wanted`, limited to the free descriptors minus the reserve. */
export function connectionsAllowed(wanted: number, { limit, open }: Descriptors): number {
  return Math.min(wanted, Math.max(connectionsMin, limit - open - fileReserve))
}

function limitOf(): number {
  try {
    const text = readFileSync('/proc/self/limits', 'latin1')
    return numberIn(/^Max open files +(\S+)/m.exec(text)?.[1])
  } catch {
    // Not Linux: Node's report contains the limit too, but takes long to generate.
    const report = process.report.getReport() as Report
    return numberIn(report.userLimits?.open_files?.soft)
  }
}

type Report = Readonly<{ userLimits?: { open_files?: { soft?: unknown } } }>

/** Parses a number; the value may be `unlimited`, or missing if the system does not report it. */
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
