// The signers whose requests are remembered: each signer of an account has a share while it has
// requests. A share is a queue of lines in the table of requests, and is removed with its last
// line.

import { broken } from '../../units/invariant.ts'
import { grown } from '../pools/growing.ts'

/** The signer name of the share for the account's own key. */
export const OWNER = ''

export class TextShares {
  /** First and last line of each share, oldest first, and the number of lines. */
  heads = new Int32Array(8)
  tails = new Int32Array(8)
  sizes = new Int32Array(8)
  readonly signers: string[] = [OWNER]
  /** First share by account. */
  private firsts = new Int32Array(8)
  private nexts = new Int32Array(8)
  private used = 1
  private free = 0

  /** Returns the first share of the account, or 0. */
  first(account: number): number {
    return account < this.firsts.length ? this.firsts[account]! : 0
  }

  next(share: number): number {
    return this.nexts[share]!
  }

  /** Returns the share of the signer, or 0. */
  find(account: number, signer: string): number {
    let share = this.first(account)
    while (share !== 0 && this.signers[share] !== signer) share = this.nexts[share]!
    return share
  }

  open(account: number, signer: string): number {
    if (account >= this.firsts.length) this.firsts = grown(this.firsts, account + 1)
    const share = this.take()
    this.signers[share] = signer
    this.heads[share] = 0
    this.tails[share] = 0
    this.sizes[share] = 0
    this.nexts[share] = this.firsts[account]!
    this.firsts[account] = share
    return share
  }

  close(account: number, share: number): void {
    if (this.sizes[share] !== 0) broken('a share of texts ends with texts', this.sizes[share]!)
    const after = this.nexts[share]!
    if (this.firsts[account] === share) this.firsts[account] = after
    else {
      let before = this.firsts[account]!
      while (before !== 0 && this.nexts[before] !== share) before = this.nexts[before]!
      if (before === 0) broken('an account does not have the share that ends', share)
      this.nexts[before] = after
    }
    this.signers[share] = OWNER
    this.nexts[share] = this.free
    this.free = share
  }

  private take(): number {
    const share = this.free
    if (share !== 0) {
      this.free = this.nexts[share]!
      return share
    }
    const fresh = this.used
    this.used += 1
    if (fresh >= this.heads.length) {
      this.heads = grown(this.heads, this.used)
      this.tails = grown(this.tails, this.used)
      this.sizes = grown(this.sizes, this.used)
      this.nexts = grown(this.nexts, this.used)
    }
    return fresh
  }
}
