// All remembered signed requests with a timestamp, of all accounts, in one table: a 64-byte line
// for each, queued in the share of its signer in order of arrival, and an index by account and
// hash. Free lines are reused. The place of a line affects no result and is not part of a snapshot.

import { broken } from '../../units/invariant.ts'
import { hashWords } from '../commands/text-hash.ts'
import { grown } from '../pools/growing.ts'
import { OWNER, TextShares } from './text-shares.ts'

const lineWords = 16
// Words of a line after those of its hash. A free line has account 0.
const ofAccount = 8
const ofShare = 9
/** The next line in its share, or the next free line. */
const ofNext = 10
/** The tag of the line in the index. */
const ofTag = 11
/** Size of a line in 64-bit numbers. */
const lineNumbers = 8
const ofExpiry = 6

/** An index entry: the tag, followed by the line. */
const placeWords = 2
const ofLine = 1

/** A run of this length does not occur by chance in a half-empty table. It occurs only if requests
 *  are chosen to collide. */
const runMax = 512

/** The tag of a request of an account. The words of its hash start at `from`. */
function tagOf(words: Int32Array, from: number, account: number, seed: number): number {
  let tag = seed ^ Math.imul(account, 0x9e3779b1)
  for (let at = from; at < from + hashWords; at++) {
    tag = Math.imul(tag ^ words[at]!, 0x85ebca6b)
    tag ^= tag >>> 13
  }
  return tag
}

export class TextTable {
  readonly shares = new TextShares()
  private lines = new Int32Array(16 * lineWords)
  private numbers = new Float64Array(this.lines.buffer)
  /** Open addressing with linear probing: tags at even places, each followed by its line (0:
   *  none). */
  private index = new Int32Array(32)
  /** Mask for the places of the index, which are even. */
  private mask = 30
  private used = 1
  private free = 0
  private count = 0
  /** Derived from requests that no single client knows, so that no client can choose a place. */
  private seed = 0
  private mixed = 1
  private crowded = false
  private addedSince = 0
  /** By account: the stamp up to which its requests were forgotten. */
  private marks = new Float64Array(8)

  /** Requests of the account that expire at its mark or earlier may have been forgotten. */
  markOf(account: number): number {
    return account < this.marks.length ? this.marks[account]! : 0
  }

  raiseMark(account: number, stampMs: number): void {
    if (stampMs <= this.markOf(account)) return
    if (account >= this.marks.length) this.marks = grown(this.marks, account + 1)
    this.marks[account] = stampMs
  }

  /** Raises the mark to the stamp and forgets expired requests at the front of each share, up to
   *  the first that has not expired. Returns the mark. */
  forget(account: number, stampMs: number): number {
    this.raiseMark(account, stampMs)
    const mark = this.markOf(account)
    this.forgetTo(account, mark)
    return mark
  }

  private forgetTo(account: number, timeMs: number): void {
    const { shares } = this
    let share = shares.first(account)
    while (share !== 0) {
      const next = shares.next(share)
      let line = shares.heads[share]!
      if (this.numbers[line * lineNumbers + ofExpiry]! <= timeMs) {
        line = this.forgetFront(share, timeMs)
        if (line === 0) shares.close(account, share)
      }
      share = next
    }
  }

  /** Whether any share of the account has the request; with `ownOnly`, only the account's own
   *  share. */
  has(account: number, words: Int32Array, ownOnly: boolean): boolean {
    const { index, mask } = this
    const tag = tagOf(words, 0, account, this.seed)
    let at = tag & mask
    let run = 0
    for (let line = index[at + ofLine]!; line !== 0; line = index[at + ofLine]!) {
      if (index[at] === tag && this.isSame(line, account, words))
        if (!ownOnly || this.isOwners(line)) return true
      at = (at + placeWords) & mask
      run += 1
    }
    if (run > runMax) this.crowded = true
    return false
  }

  /** Number of remembered requests of this signer. */
  sizeOf(account: number, signer: string): number {
    return this.shares.sizes[this.shares.find(account, signer)]!
  }

  /** When the oldest request of this signer expires, or 0. */
  oldestExpiryOf(account: number, signer: string): number {
    const line = this.shares.heads[this.shares.find(account, signer)]!
    return line === 0 ? 0 : this.expiryOf(line)
  }

  /** Adds a request that the signer's share does not have. */
  add(account: number, signer: string, words: Int32Array, expiresAtMs: number): void {
    const { shares } = this
    let share = shares.find(account, signer)
    if (share === 0) share = shares.open(account, signer)
    const line = this.takeLine()
    const { lines } = this
    const at = line * lineWords
    for (let word = 0; word < hashWords; word++) lines[at + word] = words[word]!
    lines[at + ofAccount] = account
    lines[at + ofShare] = share
    lines[at + ofNext] = 0
    this.numbers[line * lineNumbers + ofExpiry] = expiresAtMs
    if (shares.sizes[share] === 0) shares.heads[share] = line
    else lines[shares.tails[share]! * lineWords + ofNext] = line
    shares.tails[share] = line
    shares.sizes[share]! += 1
    this.enter(line)
    this.count += 1
    this.addedSince += 1
    this.mixed = Math.imul(this.mixed ^ words[0]! ^ words[hashWords - 1]!, 0xc2b2ae35) | 1
    // The index is rebuilt if it is full, or if a run is too long, but then only when enough
    // requests justify the work.
    const full = this.count * 2 * placeWords > this.mask
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

  /** Returns one word of the stored hash. */
  wordOf(line: number, word: number): number {
    return this.lines[line * lineWords + word]!
  }

  expiryOf(line: number): number {
    return this.numbers[line * lineNumbers + ofExpiry]!
  }

  /** The place where the index starts to look for a request. */
  homeOf(account: number, words: Int32Array): number {
    return tagOf(words, 0, account, this.seed) & this.mask
  }

  /** Returns the length of the longest run of used places. */
  longestRun(): number {
    let longest = 0
    let run = 0
    for (let at = 0; at < this.index.length; at += placeWords) {
      run = this.index[at + ofLine] === 0 ? 0 : run + 1
      longest = Math.max(longest, run)
    }
    return longest
  }

  /** Returns the first line that stays, or 0. */
  private forgetFront(share: number, timeMs: number): number {
    const { shares, lines, numbers } = this
    let line = shares.heads[share]!
    while (line !== 0 && numbers[line * lineNumbers + ofExpiry]! <= timeMs) {
      const after = lines[line * lineWords + ofNext]!
      this.leave(line)
      lines[line * lineWords + ofAccount] = 0
      lines[line * lineWords + ofNext] = this.free
      this.free = line
      this.count -= 1
      shares.sizes[share]! -= 1
      line = after
    }
    if ((line === 0) !== (shares.sizes[share] === 0))
      broken('a share of texts has another size than its queue', shares.sizes[share]!)
    shares.heads[share] = line
    return line
  }

  private isSame(line: number, account: number, words: Int32Array): boolean {
    const { lines } = this
    const at = line * lineWords
    if (lines[at + ofAccount] !== account) return false
    for (let word = 0; word < hashWords; word++) if (lines[at + word] !== words[word]) return false
    return true
  }

  private isOwners(line: number): boolean {
    return this.shares.signers[this.lines[line * lineWords + ofShare]!] === OWNER
  }

  private takeLine(): number {
    const line = this.free
    if (line !== 0) {
      if (this.lines[line * lineWords + ofAccount] !== 0) broken('a free line has a text', line)
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

  private enter(line: number): void {
    const { lines, index, mask } = this
    const from = line * lineWords
    const tag = tagOf(lines, from, lines[from + ofAccount]!, this.seed)
    lines[from + ofTag] = tag
    let at = tag & mask
    while (index[at + ofLine] !== 0) at = (at + placeWords) & mask
    index[at] = tag
    index[at + ofLine] = line
  }

  /** Removes a line from the index and closes the gap, so that probing never meets a tombstone. */
  private leave(line: number): void {
    const { index, mask } = this
    let gap = this.lines[line * lineWords + ofTag]! & mask
    while (index[gap + ofLine] !== line) {
      if (index[gap + ofLine] === 0) broken('a text is not in the index', line)
      gap = (gap + placeWords) & mask
    }
    let at = (gap + placeWords) & mask
    for (; index[at + ofLine] !== 0; at = (at + placeWords) & mask) {
      const home = index[at]! & mask
      if (((at - home) & mask) < ((at - gap) & mask)) continue
      index[gap] = index[at]!
      index[gap + ofLine] = index[at + ofLine]!
      gap = at
    }
    index[gap + ofLine] = 0
  }

  private layOut(larger: boolean): void {
    const length = this.index.length * (larger ? 2 : 1)
    this.index = new Int32Array(length)
    this.mask = length - placeWords
    this.seed = this.mixed
    this.crowded = false
    this.addedSince = 0
    for (let line = 1; line < this.used; line++)
      if (this.lines[line * lineWords + ofAccount] !== 0) this.enter(line)
  }
}
