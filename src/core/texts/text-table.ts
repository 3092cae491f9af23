// All timed texts that are remembered, of all accounts, in one table: a line of 64 bytes for each,
// found by account and hash, and queued in the share of its signer in order of arrival. Lines that
// are forgotten serve again. Where a line lies and in which chain changes no answer and is no part
// of a snapshot.

import { grown } from '../pools/growing.ts'
import { hashWords } from './text-hash.ts'
import { OWNER, TextShares } from './text-shares.ts'

const lineWords = 16
// Words of a line, behind those of its hash. A line that is free is of no account.
const ofAccount = 8
const ofShare = 9
/** In its share, or among the free. */
const ofNext = 10
/** With the same home. */
const ofChain = 11
/** In numbers of 64 bits. */
const lineNumbers = 8
const ofExpiry = 6

/** Chance makes no such chain; whoever grinds texts until they meet does. */
const chainMax = 64

/** Of a text of an account, whose words stand from here on. */
function mixedOf(words: Int32Array, from: number, account: number, seed: number): number {
  let mixed = seed ^ Math.imul(account, 0x9e3779b1)
  for (let at = from; at < from + hashWords; at++) {
    mixed = Math.imul(mixed ^ words[at]!, 0x85ebca6b)
    mixed ^= mixed >>> 13
  }
  return mixed
}

export class TextTable {
  readonly shares = new TextShares()
  private lines = new Int32Array(16 * lineWords)
  private numbers = new Float64Array(this.lines.buffer)
  private chains = new Int32Array(16)
  private used = 1
  private free = 0
  private count = 0
  /** Made of texts that no single client knows, so that none can choose its chain. */
  private seed = 0
  private mixed = 1
  private crowded = false
  private addedSince = 0

  /** Forgets what expired before this time at the front of each share, up to what did not. */
  forget(account: number, timeMs: number): void {
    const { shares } = this
    let share = shares.first(account)
    while (share !== 0) {
      const next = shares.next(share)
      let line = shares.heads[share]!
      while (line !== 0 && this.numbers[line * lineNumbers + ofExpiry]! < timeMs) {
        const after = this.lines[line * lineWords + ofNext]!
        this.remove(line)
        shares.sizes[share]! -= 1
        line = after
      }
      shares.heads[share] = line
      if (line === 0) shares.close(account, share)
      share = next
    }
  }

  /** Whether any share of the account has the text, or with `ownOnly` the account's own. */
  has(account: number, words: Int32Array, ownOnly: boolean): boolean {
    const { lines, shares } = this
    let line = this.chains[this.homeOf(account, words)]!
    let length = 0
    while (line !== 0) {
      const at = line * lineWords
      if (lines[at] === words[0] && this.isSame(at, account, words)) {
        if (!ownOnly || shares.signers[lines[at + ofShare]!] === OWNER) return true
      }
      line = lines[at + ofChain]!
      length += 1
    }
    if (length > chainMax) this.crowded = true
    return false
  }

  /** How many texts of this signer are remembered. */
  sizeOf(account: number, signer: string): number {
    return this.shares.sizes[this.shares.find(account, signer)]!
  }

  /** A text that the signer's share does not have. */
  add(account: number, signer: string, words: Int32Array, expiresAtMs: number): void {
    const { shares } = this
    const line = this.takeLine()
    this.write(line, account, words, expiresAtMs)
    this.enchain(line)
    let share = shares.find(account, signer)
    if (share === 0) share = shares.open(account, signer)
    this.lines[line * lineWords + ofShare] = share
    if (shares.sizes[share] === 0) shares.heads[share] = line
    else this.lines[shares.tails[share]! * lineWords + ofNext] = line
    shares.tails[share] = line
    shares.sizes[share]! += 1
    this.count += 1
    this.addedSince += 1
    this.mixed = Math.imul(this.mixed ^ words[0]! ^ words[hashWords - 1]!, 0xc2b2ae35) | 1
    // Laid out anew for its size, or for a chain that is too long, which has to wait until the work
    // is worth it.
    const full = this.count > this.chains.length
    if (full || (this.crowded && this.addedSince * 4 > this.count)) this.layOut(full)
  }

  /** Lines of a share, oldest first. */
  linesOf(share: number): number[] {
    const found: number[] = []
    let line = this.shares.heads[share]!
    while (line !== 0) {
      found.push(line)
      line = this.lines[line * lineWords + ofNext]!
    }
    return found
  }

  /** Word by word, as it was added. */
  wordOf(line: number, word: number): number {
    return this.lines[line * lineWords + word]!
  }

  expiryOf(line: number): number {
    return this.numbers[line * lineNumbers + ofExpiry]!
  }

  /** The chain that a text of an account is in now. */
  homeOf(account: number, words: Int32Array): number {
    return mixedOf(words, 0, account, this.seed) & (this.chains.length - 1)
  }

  /** How many lines share one home at most. */
  longestChain(): number {
    const lengths = [...this.chains].map((first) => {
      let length = 0
      for (let line = first; line !== 0; line = this.lines[line * lineWords + ofChain]!) length += 1
      return length
    })
    return Math.max(...lengths)
  }

  private isSame(at: number, account: number, words: Int32Array): boolean {
    const { lines } = this
    if (lines[at + ofAccount] !== account) return false
    for (let word = 1; word < hashWords; word++) if (lines[at + word] !== words[word]) return false
    return true
  }

  private write(line: number, account: number, words: Int32Array, expiresAtMs: number): void {
    const { lines } = this
    const at = line * lineWords
    for (let word = 0; word < hashWords; word++) lines[at + word] = words[word]!
    lines[at + ofAccount] = account
    lines[at + ofNext] = 0
    this.numbers[line * lineNumbers + ofExpiry] = expiresAtMs
  }

  private homeOfLine(line: number): number {
    const at = line * lineWords
    const { lines } = this
    return mixedOf(lines, at, lines[at + ofAccount]!, this.seed) & (this.chains.length - 1)
  }

  private enchain(line: number): void {
    const home = this.homeOfLine(line)
    this.lines[line * lineWords + ofChain] = this.chains[home]!
    this.chains[home] = line
  }

  private takeLine(): number {
    const line = this.free
    if (line !== 0) {
      this.free = this.lines[line * lineWords + ofNext]!
      return line
    }
    const fresh = this.used
    this.used += 1
    if (this.used * lineWords > this.lines.length) {
      this.lines = grown(this.lines, this.used * lineWords)
      this.numbers = new Float64Array(this.lines.buffer)
    }
    return fresh
  }

  /** Out of its chain and free; its share is the caller's to mend. */
  private remove(line: number): void {
    const { lines, chains } = this
    const at = line * lineWords
    const home = this.homeOfLine(line)
    if (chains[home] === line) chains[home] = lines[at + ofChain]!
    else {
      let before = chains[home]!
      while (lines[before * lineWords + ofChain] !== line)
        before = lines[before * lineWords + ofChain]!
      lines[before * lineWords + ofChain] = lines[at + ofChain]!
    }
    lines[at + ofAccount] = 0
    lines[at + ofNext] = this.free
    this.free = line
    this.count -= 1
  }

  private layOut(larger: boolean): void {
    this.chains = new Int32Array(this.chains.length * (larger ? 2 : 1))
    this.seed = this.mixed
    this.crowded = false
    this.addedSince = 0
    for (let line = 1; line < this.used; line++)
      if (this.lines[line * lineWords + ofAccount] !== 0) this.enchain(line)
  }
}
