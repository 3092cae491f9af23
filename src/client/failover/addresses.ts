// The addresses of one exchange. All requests use the current address until it fails, then the next
// one.

/** A longer list would only make each round of attempts longer. */
const addressesMax = 16

/** Splits comma-separated addresses. */
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

  /** All addresses, starting with the current one. */
  get fromCurrent(): readonly string[] {
    return [...this.all.slice(this.at), ...this.all.slice(0, this.at)]
  }

  answered(url: string): void {
    this.at = this.all.indexOf(url)
  }

  /** Switches to the next address, unless another request has already done so. */
  failed(url: string): void {
    if (url === this.current) this.at = (this.at + 1) % this.all.length
  }
}
