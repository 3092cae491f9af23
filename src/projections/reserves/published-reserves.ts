// The newest proof of reserves in a folder, and the inclusion proof of any account in it. Only the
// necessary lines of the file are read.

import { readdirSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { readHead } from './check-reserves.ts'
import type { Inclusion } from './inclusion.ts'
import {
  leafIn,
  leafPlace,
  nodeIn,
  nodePlace,
  type Place,
  type ReserveHead,
} from './reserve-file.ts'
import { type ReserveSummary, usdOf } from './reserve-summary.ts'
import { type Leaf, leafNode, saltOf, siblingsOf, type TreeNode } from './reserve-tree.ts'

const named = /^reserves-(\d{16})\.txt$/

export const reserveFileName = (seq: number): string =>
  `reserves-${seq.toString().padStart(16, '0')}.txt`

export type Reserves = Readonly<{
  /** `null` if no proof has been made. */
  newest(): Promise<ReserveSummary | null>
  /** `null` if no proof has been made, or the account did not exist then. */
  inclusionOf(address: string): Promise<Inclusion | null>
}>

export const noReserves: Reserves = {
  newest: async () => null,
  inclusionOf: async () => null,
}

export function publishedReserves(folder: string): Reserves {
  return {
    newest: () => inNewest(folder, async (_, head) => head.summary),
    inclusionOf: (address) => inNewest(folder, (file, head) => inclusionIn(file, head, address)),
  }
}

async function inNewest<T>(
  folder: string,
  work: (file: FileHandle, head: ReserveHead) => Promise<T | null>,
): Promise<T | null> {
  const name = newestIn(folder)
  if (name === null) return null
  const file = await open(join(folder, name), 'r')
  try {
    const head = await readHead(file)
    return head === null ? null : await work(file, head)
  } finally {
    await file.close()
  }
}

function newestIn(folder: string): string | null {
  try {
    const names = readdirSync(folder).filter((name) => named.test(name))
    return names.sort().at(-1) ?? null
  } catch (error) {
    // The folder is created with the first proof.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

async function lineAt(file: FileHandle, { offset, bytes }: Place): Promise<Buffer> {
  const line = Buffer.alloc(bytes)
  await file.read(line, 0, bytes, offset)
  return line
}

const leafAt = async (file: FileHandle, head: ReserveHead, index: number): Promise<Leaf> =>
  leafIn(await lineAt(file, leafPlace(head, index)))!

/** Finds a leaf by binary search. Leaves are sorted by salt. */
async function placeOf(file: FileHandle, head: ReserveHead, salt: Uint8Array): Promise<number> {
  let [low, high] = [0, head.summary.accounts]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const found = await leafAt(file, head, middle)
    if (Buffer.compare(salt, found.salt) > 0) low = middle + 1
    else high = middle
  }
  return low
}

async function nodeAt(
  file: FileHandle,
  head: ReserveHead,
  at: [number, number],
): Promise<TreeNode> {
  const [level, place] = at
  if (level === 0) return leafNode(await leafAt(file, head, place))
  return nodeIn(await lineAt(file, nodePlace(head, level, place)))!
}

async function inclusionIn(
  file: FileHandle,
  head: ReserveHead,
  address: string,
): Promise<Inclusion | null> {
  const { summary, key } = head
  const index = await placeOf(file, head, saltOf(key, address))
  if (index === summary.accounts) return null
  const leaf = await leafAt(file, head, index)
  if (leaf.address !== address) return null
  const path: Inclusion['path'][number][] = []
  for (const { level, at, side } of siblingsOf(index, summary.accounts)) {
    const { hash, sum } = await nodeAt(file, head, [level, at])
    path.push({ side, hash: Buffer.from(hash).toString('hex'), sum: usdOf(sum) })
  }
  return {
    ...{ seq: summary.seq, at: summary.atMs, root: summary.root },
    ...{ liabilities: usdOf(summary.liabilities), accounts: summary.accounts },
    ...{ account: address, liability: usdOf(BigInt(leaf.liability)) },
    ...{ debt: usdOf(BigInt(leaf.debt)), salt: Buffer.from(leaf.salt).toString('hex') },
    ...{ index, path },
  }
}
