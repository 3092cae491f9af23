// Makes a proof of reserves of a state, with a leaf for every account of the core, sorted by salt.
// Salts are pseudorandom and different in every proof, so that the order of accounts reveals
// nothing.

import type { ExchangeView } from '../../core/index.ts'
import { headLine, leafLine, nodeLine } from './reserve-file.ts'
import type { ReserveSummary } from './reserve-summary.ts'
import { type Leaf, leafNode, levelAbove, saltOf, type TreeNode } from './reserve-tree.ts'

export type ReserveInput = Readonly<{
  view: ExchangeView
  /** Seq in the journal. */
  seq: number
  stateHash: string
  /** 32 random bytes, new for every proof. */
  key: Uint8Array
}>

export type MadeReserves = Readonly<{ summary: ReserveSummary; parts: readonly Buffer[] }>

/** The leaf of an account, with the amount that it is owed or owes. */
export function leafOf(view: ExchangeView, account: number, key: Uint8Array): Leaf {
  const owed = view.accounts.owedTo(account)
  const address = view.accounts.addressOf(account)
  const salt = saltOf(key, address)
  return { salt, liability: Math.max(0, owed), debt: Math.max(0, -owed), address }
}

export function makeReserves(input: ReserveInput): MadeReserves {
  const { view, key } = input
  const { accounts } = view
  let [own, debts, addressBytes] = [0n, 0n, 1]
  const leaves: Leaf[] = []
  for (let account = 1; account <= accounts.count; account++) {
    const leaf = leafOf(view, account, key)
    leaves.push(leaf)
    debts += BigInt(leaf.debt)
    if (accounts.isReserved(account)) own += BigInt(leaf.liability)
    addressBytes = Math.max(addressBytes, leaf.address.length)
  }
  leaves.sort((one, other) => Buffer.compare(one.salt as Buffer, other.salt as Buffer))
  const { root, lines } = treeOver(leaves)
  const summary = {
    seq: input.seq,
    atMs: view.atMs,
    stateHash: input.stateHash,
    accounts: leaves.length,
    liabilities: root.sum,
    own,
    debts,
    funding: BigInt(view.money.fundingLeft()),
    total: BigInt(view.money.deposits) - BigInt(view.money.withdrawn),
    root: Buffer.from(root.hash).toString('hex'),
  }
  const body = leaves.map((leaf) => leafLine(leaf, addressBytes))
  const texts = [...chunked(body), ...lines.flatMap(chunked)]
  return {
    summary,
    parts: [headLine({ summary, key, addressBytes }), ...texts.map((text) => Buffer.from(text))],
  }
}

function treeOver(leaves: readonly Leaf[]): { root: TreeNode; lines: string[][] } {
  let level = leaves.map(leafNode)
  const lines: string[][] = []
  while (level.length > 1) {
    level = levelAbove(level)
    lines.push(level.map(nodeLine))
  }
  return { root: level[0]!, lines }
}

const linesPerChunk = 4_096

function chunked(lines: readonly string[]): string[] {
  const chunks: string[] = []
  for (let at = 0; at < lines.length; at += linesPerChunk)
    chunks.push(lines.slice(at, at + linesPerChunk).join(''))
  return chunks
}
