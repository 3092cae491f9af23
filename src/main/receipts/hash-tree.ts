// The levels of a tree, from its leaves to its root.

import { createHash } from 'node:crypto'
import { nodeOver, siblingSides } from '../../protocol/text/receipt-texts.ts'

export const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()

export class HashTree {
  private readonly levels: Buffer[][]

  constructor(leaves: Buffer[]) {
    this.levels = [leaves]
    for (let level = leaves; level.length > 1; ) {
      const above: Buffer[] = []
      for (let at = 0; at < level.length; at += 2) {
        const right = level[at + 1]
        above.push(right === undefined ? level[at]! : sha256(nodeOver(level[at]!, right)))
      }
      this.levels.push(above)
      level = above
    }
  }

  get root(): string {
    return this.levels.at(-1)![0]!.toString('hex')
  }

  /** The siblings of a leaf, from below. */
  pathOf(index: number): string[] {
    const path: string[] = []
    let at = index
    for (const level of this.levels.slice(0, -1)) {
      const sibling = level[at % 2 === 0 ? at + 1 : at - 1]
      if (sibling !== undefined) path.push(sibling.toString('hex'))
      at = at >>> 1
    }
    if (path.length !== siblingSides(index, this.levels[0]!.length).length)
      throw new RangeError(`a path of ${path.length} nodes`)
    return path
  }
}
