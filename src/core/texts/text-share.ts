// Signed texts of one signer for one account, in order of arrival, each with its expiry. A queue
// beside the set: a Map alone would walk over everything that was ever taken from its front.

/** Spent places before the arrays are cut; small, and rare enough to cost nothing. */
const spentMin = 1_024

export class TextShare {
  private readonly known = new Set<string>()
  private readonly hashes: string[] = []
  private readonly expiries: number[] = []
  private head = 0

  get size(): number {
    return this.known.size
  }

  has(hash: string): boolean {
    return this.known.has(hash)
  }

  /** A text that it does not have. */
  add(hash: string, expiresAtMs: number): void {
    this.known.add(hash)
    this.hashes.push(hash)
    this.expiries.push(expiresAtMs)
  }

  /** Texts at the front that expired before this time, up to the first that did not. */
  forget(timeMs: number): void {
    const { hashes, expiries } = this
    while (this.head < hashes.length && expiries[this.head]! < timeMs) {
      this.known.delete(hashes[this.head]!)
      this.head += 1
    }
    if (this.head < spentMin || this.head * 2 < hashes.length) return
    hashes.splice(0, this.head)
    expiries.splice(0, this.head)
    this.head = 0
  }

  entries(): (readonly [string, number])[] {
    return this.hashes
      .slice(this.head)
      .map((hash, at) => [hash, this.expiries[this.head + at]!] as const)
  }
}
