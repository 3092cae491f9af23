// Random choices that a seed repeats.

export class Dice {
  private state: number

  constructor(seed: number) {
    this.state = seed >>> 0
  }

  /** From 1 to most. */
  upTo(most: number): number {
    this.state = (Math.imul(this.state, 1_664_525) + 1_013_904_223) >>> 0
    return 1 + Math.floor((this.state / 2 ** 32) * most)
  }

  /** Once in this many. */
  chance(many: number): boolean {
    return this.upTo(many) === 1
  }

  of<T>(list: readonly T[]): T {
    return list[this.upTo(list.length) - 1]!
  }
}
