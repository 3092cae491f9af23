// Levels of one side by price, in blocks of at most 64 entries. An insertion or removal moves only
// the entries of its block. A search is two binary searches: one over the blocks and one within a
// block. The distribution of levels over blocks depends on history, but it cannot be read, so no
// result depends on it. Memory is allocated only when a side is larger than ever before.

import { broken } from '../../units/invariant.ts'
import { grown } from '../pools/growing.ts'

const capacity = 64
const half = capacity / 2

export class LevelIndex {
  count = 0
  /** Each block has `capacity` entries: rising keys and their levels. */
  private keys = new Int32Array(capacity)
  private levels = new Int32Array(capacity)
  private sizes = new Int32Array(8)
  /** Blocks from the lowest keys to the highest. A block has keys from its bound up to the bound of
   *  the next block. The bound of the first block is never read. */
  private blocks = new Int32Array(8)
  private bounds = new Int32Array(8)
  private blockCount = 1
  /** Number of blocks ever allocated, and the free blocks, linked through their size. */
  private made = 1
  private free = -1
  /** Where the last search ended: the index of the block in key order, and the place within the
   *  block. */
  private atBlock = 0
  private atPlace = 0

  /** Returns the level with this key, or 0; `insert` may then add it where the search ended. */
  levelOf(key: number): number {
    this.seek(key)
    const at = this.blocks[this.atBlock]! * capacity + this.atPlace
    const found = this.atPlace < this.sizes[this.blocks[this.atBlock]!]! && this.keys[at] === key
    return found ? this.levels[at]! : 0
  }

  /** Inserts the key of the last search; returns the level with the next higher key, or 0. */
  insert(key: number, level: number): number {
    if (this.sizes[this.blocks[this.atBlock]!] === capacity) this.makeRoom(key)
    const block = this.blocks[this.atBlock]!
    const first = block * capacity
    const size = this.sizes[block]!
    const { keys, levels } = this
    const place = first + this.atPlace
    if (this.atPlace < size && keys[place] === key) broken('a level is in the index already', key)
    for (let at = first + size; at > place; at--) {
      keys[at] = keys[at - 1]!
      levels[at] = levels[at - 1]!
    }
    keys[place] = key
    levels[place] = level
    this.sizes[block] = size + 1
    this.count += 1
    if (this.atPlace < size) return levels[place + 1]!
    const next = this.atBlock + 1
    // Only a single block may be empty.
    return next === this.blockCount ? 0 : levels[this.blocks[next]! * capacity]!
  }

  /** Removes an existing key. */
  remove(key: number): void {
    this.seek(key)
    const block = this.blocks[this.atBlock]!
    const first = block * capacity
    const size = this.sizes[block]! - 1
    const { keys, levels } = this
    if (this.atPlace > size || keys[first + this.atPlace] !== key)
      broken('a level is not in the index', key)
    for (let at = first + this.atPlace; at < first + size; at++) {
      keys[at] = keys[at + 1]!
      levels[at] = levels[at + 1]!
    }
    this.sizes[block] = size
    this.count -= 1
    if (size <= half && this.blockCount > 1) this.join()
  }

  /** Finds the block for a key, and in it the first place whose key is not lower. */
  private seek(key: number): void {
    const { bounds, keys } = this
    let low = 0
    let high = this.blockCount - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (bounds[middle]! <= key) low = middle
      else high = middle - 1
    }
    this.atBlock = low
    const block = this.blocks[low]!
    const first = block * capacity
    low = first
    high = first + this.sizes[block]!
    while (low < high) {
      const middle = (low + high) >> 1
      if (keys[middle]! < key) low = middle + 1
      else high = middle
    }
    this.atPlace = low - first
  }

  /** Splits the full block that the search found. A new block behind it takes the upper half, or
   *  the new key alone if that key is the highest of all, as when a side is loaded from a
   *  snapshot. */
  private makeRoom(key: number): void {
    const from = this.blocks[this.atBlock]!
    const atEnd = this.atPlace === capacity && this.atBlock === this.blockCount - 1
    const kept = atEnd ? capacity : half
    const to = this.takeBlock()
    const { keys, levels } = this
    for (let at = kept; at < capacity; at++) {
      keys[to * capacity + at - kept] = keys[from * capacity + at]!
      levels[to * capacity + at - kept] = levels[from * capacity + at]!
    }
    this.sizes[from] = kept
    this.sizes[to] = capacity - kept
    this.addBlock(this.atBlock + 1, to, atEnd ? key : keys[to * capacity]!)
    if (this.atPlace < kept || (this.atPlace === kept && !atEnd)) return
    this.atBlock += 1
    this.atPlace -= kept
  }

  /** Shrinks the index after a removal. An empty block is freed, and a block that fits with a
   *  neighbour into half a block is merged. Full blocks split in half, so splits and merges do not
   *  alternate. */
  private join(): void {
    const at = this.atBlock
    const size = this.sizes[this.blocks[at]!]!
    if (size === 0) return this.dropBlock(at)
    if (at > 0 && this.sizes[this.blocks[at - 1]!]! + size <= half) this.append(at)
    else if (at + 1 < this.blockCount && this.sizes[this.blocks[at + 1]!]! + size <= half)
      this.append(at + 1)
  }

  /** Appends all entries of a block to the block below it. */
  private append(at: number): void {
    const { keys, levels, sizes } = this
    const from = this.blocks[at]!
    const to = this.blocks[at - 1]!
    const end = to * capacity + sizes[to]!
    for (let n = 0; n < sizes[from]!; n++) {
      keys[end + n] = keys[from * capacity + n]!
      levels[end + n] = levels[from * capacity + n]!
    }
    sizes[to] = sizes[to]! + sizes[from]!
    this.dropBlock(at)
  }

  private addBlock(at: number, block: number, bound: number): void {
    if (this.blockCount === this.blocks.length) {
      this.blocks = grown(this.blocks, this.blockCount + 1)
      this.bounds = grown(this.bounds, this.blockCount + 1)
    }
    this.blocks.copyWithin(at + 1, at, this.blockCount)
    this.bounds.copyWithin(at + 1, at, this.blockCount)
    this.blocks[at] = block
    this.bounds[at] = bound
    this.blockCount += 1
  }

  /** Frees a block. The block below it, or the second one for the first, takes over its range of
   *  keys. */
  private dropBlock(at: number): void {
    const block = this.blocks[at]!
    this.sizes[block] = this.free
    this.free = block
    this.blocks.copyWithin(at, at + 1, this.blockCount)
    this.bounds.copyWithin(at, at + 1, this.blockCount)
    this.blockCount -= 1
  }

  private takeBlock(): number {
    if (this.free >= 0) {
      const block = this.free
      this.free = this.sizes[block]!
      return block
    }
    const block = this.made++
    this.keys = grown(this.keys, this.made * capacity)
    this.levels = grown(this.levels, this.made * capacity)
    this.sizes = grown(this.sizes, this.made)
    return block
  }
}
