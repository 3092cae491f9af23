// The addresses of one exchange, and the current one. All requests use it until it fails, and then
// the next.

/** More would only make a round longer. */
const addressesMax = 16

/** Splits a text with several addresses at its commas. */
export function addressesIn(given: string | readonly string[]): readonly string[] {
  const texts = typeof given === 'string' ? given.split(',') : given
  const urls = texts.map((text) => text.trim().replace(/\/+$/, '')).filter((url) => url !== '')
  const all = [...new Set(urls)]
  if (all.length === 0) throw new Error('a client needs the address of an exchange: url is empty')
  if (all.length > addressesMax)
    throw new Error(`a client takes ${addressesMax} addresses of an exchange, not ${all.length}`)
  return all
}

export class Addresses {
  readonly all: readonly string[]
  private at = 0

  constructor(all: readonly string[]) {
    this.all = all
  }

  get several(): boolean {
    return this.all.length > 1
  }

  get current(): string {
    return this.all[this.at]!
  }

  /** All of them, the one that answers first. */
  get fromCurrent(): readonly string[] {
    return [...this.all.slice(this.at), ...this.all.slice(0, this.at)]
  }

  answered(url: string): void {
    this.at = this.all.indexOf(url)
  }

  /** Moves on from this address, unless another request has done so already. */
  failed(url: string): void {
    if (url === this.current) this.at = (this.at + 1) % this.all.length
  }
}
