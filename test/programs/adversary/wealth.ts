// How the wealth of a group came about: every change has one of these names.

export class Account {
  brought = 0
  withdrawn = 0
  /** What others lost to it by trades, against the outside price; below zero it lost to them. */
  book = 0
  funding = 0
  /** Of book and funding: from the backstop of a market in which no other account has ever
   *  traded. */
  alone = 0
  /** Of book: from a backstop that sold at a price it could not know was old. */
  stale = 0
  /** What the price moved on what it held. */
  moves = 0
  /** Takeovers, deleveragings and settlements, against the outside price, and their margin. */
  forced = 0
  /** Paid for it by the fund, or left to the deficit. */
  insured = 0
  /** Of what others carried for it: what a gap explains (docs/rules/adversary.md). */
  excused = 0
  /** Of `excused`: by the price under way, by its largest age. */
  latency = 0
  lagMs = 0
  /** Of what was forced: by how far the mark of a market that does not catch up was from the
   *  outside price, in takeovers and in deleveragings. */
  takenOver = 0
  deleveraged = 0
  fees = 0

  /** A price that was under way for this long explains this amount. */
  noteLatency(amount: number, lagMs: number): void {
    if (amount <= 0) return
    this.latency += amount
    this.lagMs = Math.max(this.lagMs, lagMs)
  }
}
