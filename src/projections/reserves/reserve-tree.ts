// The Merkle sum tree of a proof of reserves. A leaf contains an account, the amount that it is
// owed, and a salt that only its owner receives. The hash of a node covers the hashes and sums of
// both children, so that no amount can be moved from one side to the other. A node without a
// sibling is copied to the next level.

import { hash } from 'node:crypto'

export type Leaf = Readonly<{
  /** 32 bytes. */
  salt: Uint8Array
  /** In micro-dollars, 0 or more: the amount that the account is owed, or owes. One of both is
   *  0. */
  liability: number
  debt: number
  address: string
}>

export type TreeNode = Readonly<{ hash: Uint8Array; sum: bigint }>

/** A sibling on the path from a leaf to the root. */
export type Step = TreeNode & Readonly<{ side: 'left' | 'right' }>

export const saltBytes = 32
export const hashBytes = 32
const sumBytes = 16
const halfBytes = 8

const LEAF = 0
const NODE = 1
const lowest = (1n << 64n) - 1n

const sha256 = (bytes: Uint8Array): Buffer => hash('sha256', bytes, 'buffer')

/** Writes a big-endian sum. Ten million accounts of 2^53 are below 2^77. */
function putSum(into: Buffer, at: number, sum: bigint): void {
  into.writeBigUInt64BE(sum >> 64n, at)
  into.writeBigUInt64BE(sum & lowest, at + halfBytes)
}

/** The salt of an account. It differs in every proof, because the key does. Without the key
 *  amounts cannot be guessed. */
export const saltOf = (key: Uint8Array, address: string): Uint8Array =>
  sha256(Buffer.concat([key, Buffer.from(address)]))

export function leafNode({ salt, liability, debt, address }: Leaf): TreeNode {
  const sum = BigInt(liability)
  const head = 1 + saltBytes + 2 * sumBytes
  const bytes = Buffer.allocUnsafe(head + Buffer.byteLength(address))
  bytes[0] = LEAF
  bytes.set(salt, 1)
  putSum(bytes, 1 + saltBytes, sum)
  putSum(bytes, 1 + saltBytes + sumBytes, BigInt(debt))
  bytes.write(address, head)
  return { hash: sha256(bytes), sum }
}

export function joined(left: TreeNode, right: TreeNode): TreeNode {
  const half = hashBytes + sumBytes
  const bytes = Buffer.allocUnsafe(1 + 2 * half)
  bytes[0] = NODE
  bytes.set(left.hash, 1)
  putSum(bytes, 1 + hashBytes, left.sum)
  bytes.set(right.hash, 1 + half)
  putSum(bytes, 1 + half + hashBytes, right.sum)
  return { hash: sha256(bytes), sum: left.sum + right.sum }
}

/** Computes the next level above. */
export function levelAbove(level: readonly TreeNode[]): TreeNode[] {
  const above: TreeNode[] = []
  for (let at = 0; at < level.length; at += 2) {
    const right = level[at + 1]
    above.push(right === undefined ? level[at]! : joined(level[at]!, right))
  }
  return above
}

/** Number of nodes on each level, from the leaves to the root. */
export function levelSizes(leaves: number): readonly number[] {
  const sizes = [leaves]
  while (sizes.at(-1)! > 1) sizes.push(Math.ceil(sizes.at(-1)! / 2))
  return sizes
}

/** The siblings on the path from a leaf to the root: level and index, from below. */
export function siblingsOf(
  index: number,
  leaves: number,
): readonly Readonly<{ level: number; at: number; side: Step['side'] }>[] {
  const found: { level: number; at: number; side: Step['side'] }[] = []
  let at = index
  for (const [level, size] of levelSizes(leaves).slice(0, -1).entries()) {
    const sibling = at % 2 === 0 ? at + 1 : at - 1
    if (sibling < size) found.push({ level, at: sibling, side: at % 2 === 0 ? 'right' : 'left' })
    at = Math.floor(at / 2)
  }
  return found
}

/** The root that results from the leaf and its siblings. */
export function rootOver(leaf: Leaf, steps: readonly Step[]): TreeNode {
  let node = leafNode(leaf)
  for (const step of steps) node = step.side === 'left' ? joined(step, node) : joined(node, step)
  return node
}
