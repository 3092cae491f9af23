// All timed texts that are remembered, of all accounts, in one table: a line of 64 bytes for each,
// queued in the share of its signer in order of arrival, and an index by account and hash.
// Forgotten lines are reused. The place of a line affects no answer, and is not part of a snapshot.

import { broken } from '../../units/invariant.ts'
import { hashWords } from '../commands/text-hash.ts'
import { grown } from '../pools/growing.ts'
import { OWNER, TextShares } from './text-shares.ts'

const lineWords = 16
// Words of a line, behind those of its hash. A line that is free is of no account.
const ofAccount = 8
const ofShare = 9
/** In its share, or among the free. */
const ofNext = 10
/** What the index knows it by. */
const ofTag = 11
/** In numbers of 64 bits. */
const lineNumbers = 8
const ofExpiry = 6

/** A place of the index: the tag, and behind it the line. */
const placeWords = 2
const ofLine = 1

/** Such a run does not occur by chance in a table that is half empty, only when texts are chosen to
 *  collide. */
const runMax = 512

/** Of a text of an account, whose words stand from here on. */
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
  /** Open addressing with linear probing: at even places tags, behind each its line, 0 for none. */
  private index = new Int32Array(32)
  /** Of places in the index, which are even. */
  private mask = 30
  private used = 1
  private free = 0
  private count = 0
  /** Made of texts that no single client knows, so that none can choose its place. */
  private seed = 0
  private mixed = 1
  private crowded = false
  private addedSince = 0
  /** By account: the stamp up to which its texts were forgotten. */
  private marks = new Float64Array(8)

  /** Texts of the account that expire at its mark or before may have been forgotten. */
  markOf(account: number): number {
    return account < this.marks.length ? this.marks[account]! : 0
  }

  raiseMark(account: number, stampMs: number): void {
    if (stampMs <= this.markOf(account)) return
    if (account >= this.marks.length) this.marks = grown(this.marks, account + 1)
    this.marks[account] = stampMs
  }

  /** Raises the mark to the stamp, and forgets what has expired by it at the front of each share,
   *  up to the first text that has not. Returns the mark. */
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

  /** Whether any share of the account has the text, or with `ownOnly` the account's own. */
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

  /** How many texts of this signer are remembered. */
  sizeOf(account: number, signer: string): number {
    return this.shares.sizes[this.shares.find(account, signer)]!
  }

  /** When the oldest text of this signer expires; 0: none is remembered. */
  oldestExpiryOf(account: number, signer: string): number {
    const line = this.shares.heads[this.shares.find(account, signer)]!
    return line === 0 ? 0 : this.expiryOf(line)
  }

  /** A text that the signer's share does not have. */
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
    // Laid out again for its size, or for a run that is too long, which has to wait until the work
    // is worth it.
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

  /** Word by word, as it was added. */
  wordOf(line: number, word: number): number {
    return this.lines[line * lineWords + word]!
  }

  expiryOf(line: number): number {
    return this.numbers[line * lineNumbers + ofExpiry]!
  }

  /** Where the index would look for a text first. */
  homeOf(account: number, words: Int32Array): number {
    return tagOf(words, 0, account, this.seed) & this.mask
  }

  /** How many places are taken side by side at most. */
  longestRun(): number {
    let longest = 0
    let run = 0
    for (let at = 0; at < this.index.length; at += placeWords) {
      run = this.index[at + ofLine] === 0 ? 0 : run + 1
      longest = Math.max(longest, run)
    }
    return longest
  }

  /** The first line that stays, 0 when none does. */
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

  /** Closes the gap behind it, so that probing never meets a tombstone. */
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
