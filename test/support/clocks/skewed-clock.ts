// Loaded into a process before its program (`--import`): the wall clock of the process is ahead of
// the machine's by the number of milliseconds in a file, which a test may change at any time. The
// monotonic clock stays as it is.

import { readFileSync } from 'node:fs'
import { skewFileVariable } from './clock-file.ts'

const rereadMs = 5
const file = process.env[skewFileVariable]
const machineNow = Date.now
let readAt = Number.NEGATIVE_INFINITY
let skewMs = 0

function readSkew(path: string): number {
  if (performance.now() - readAt < rereadMs) return skewMs
  readAt = performance.now()
  // While the file is replaced the skew of before holds.
  const read = Number(readFileSync(path, 'utf8'))
  if (Number.isSafeInteger(read)) skewMs = read
  return skewMs
}

if (file !== undefined) Date.now = () => machineNow() + readSkew(file)
