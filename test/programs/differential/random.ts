// Random numbers of our own (sfc32), so that a seed means the same history on every machine for
// ever.

export class Random {
  private a: number
  private b = 0x9e3779b9 | 0
  private c = 0x243f6a88 | 0
  private count = 1

  constructor(seed: number) {
    this.a = seed | 0
    for (let i = 0; i < 16; i++) this.next()
  }

  /** In [0, 1). */
  next(): number {
    const t = (this.a + this.b + this.count) | 0
    this.count = (this.count + 1) | 0
    this.a = this.b ^ (this.b >>> 9)
    this.b = (this.c + (this.c << 3)) | 0
    this.c = (((this.c << 21) | (this.c >>> 11)) + t) | 0
    return (t >>> 0) / 4_294_967_296
  }

  /** A whole number in [0, end). */
  below(end: number): number {
    return Math.floor(this.next() * end)
  }

  /** A whole number, both ends included. */
  between(first: number, last: number): number {
    return first + this.below(last - first + 1)
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T
  }

  /** One of the list, or undefined when it is empty. */
  any<T>(list: readonly T[]): T | undefined {
    return list.length === 0 ? undefined : this.pick(list)
  }

  /** One of the keys, in proportion to its weight. */
  weighted<T extends string>(weights: Readonly<Record<T, number>>): T {
    const entries = Object.entries(weights) as [T, number][]
    let left = this.next() * entries.reduce((sum, [, weight]) => sum + weight, 0)
    for (const [name, weight] of entries) {
      left -= weight
      if (left < 0) return name
    }
    return (entries.at(-1) as [T, number])[0]
  }
}
