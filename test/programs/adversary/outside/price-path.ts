// Where the price of a market was, for the last half minute.

const keptMs = 30_000

export class PricePath {
  private readonly times: number[] = [Number.NEGATIVE_INFINITY]
  private readonly prices: number[]

  constructor(price: number) {
    this.prices = [price]
  }

  move(price: number, atMs: number): void {
    this.times.push(atMs)
    this.prices.push(price)
    while (this.times.length > 2 && this.times[1]! < atMs - keptMs) {
      this.times.shift()
      this.prices.shift()
    }
  }

  at(timeMs: number): number {
    let at = this.times.length - 1
    while (at > 0 && this.times[at]! > timeMs) at -= 1
    return this.prices[at]!
  }

  get now(): number {
    return this.prices.at(-1)!
  }
}
