// Two builds in turn, each in a separate process: other load on the machine affects both alike. The
// ratio of each pair counts, and the median of those.

import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** A program of this folder in a separate process; it prints one object. */
export function runAlone<T>(program: string, ...flags: readonly string[]): T {
  const path = fileURLToPath(new URL(`${program}.js`, import.meta.url))
  const { status, stdout } = spawnSync(process.execPath, [path, ...flags], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (status !== 0) throw new Error(`${program} ${flags.join(' ')} ended with ${status}`)
  return JSON.parse(stdout) as T
}

export type Turns = Readonly<{ own: readonly number[]; other: readonly number[]; ratio: number }>

/** `ratio`: own over other. */
export function inTurns(starts: number, own: () => number, other: () => number): Turns {
  const owns: number[] = []
  const others: number[] = []
  for (let start = 0; start < starts; start++) {
    // The second build finds another machine than the first: they change places.
    const turns = start % 2 === 0 ? [0, 1] : [1, 0]
    for (const turn of turns) {
      if (turn === 0) owns.push(own())
      else others.push(other())
    }
  }
  return { own: owns, other: others, ratio: median(owns.map((n, at) => n / others[at]!)) }
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((one, other) => one - other)
  const half = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2
}
