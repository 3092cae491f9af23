// Random numbers from a seed: a hash of what they are for. They depend neither on time nor on what
// other accounts do, and are equal on every machine.

import { createHash } from 'node:crypto'

export const chanceMax = 2 ** 32

/** A number from 0 to 2^32 − 1. */
export function chanceOf(...parts: readonly (string | number)[]): number {
  return createHash('sha256').update(parts.join('\n')).digest().readUInt32BE(0)
}

/** How many things each key has had so far. The oldest keys are forgotten beyond a limit. */
export class Ordinals {
  private readonly counts = new Map<string, number>()
  private readonly keysMax: number

  constructor(keysMax = 200_000) {
    this.keysMax = keysMax
  }

  /** The ordinal of the next thing of this key, from 1. */
  next(key: string): number {
    const ordinal = (this.counts.get(key) ?? 0) + 1
    if (ordinal === 1 && this.counts.size >= this.keysMax)
      this.counts.delete(this.counts.keys().next().value!)
    this.counts.set(key, ordinal)
    return ordinal
  }

  clear(): void {
    this.counts.clear()
  }
}
