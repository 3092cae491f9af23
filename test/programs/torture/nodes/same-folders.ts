// Compares the data folders of nodes that have stopped with the chain that they share. Nothing runs
// meanwhile, so the result does not depend on the speed of the machine.

import assert from 'node:assert/strict'
import { basename, join } from 'node:path'
import type { Frame } from '../../../../src/journal/frame.ts'
import { type DataFolder, readDataFolder } from '../../../../src/sequencer/data-folder.ts'
import { type Recovered, recover } from '../../../../src/sequencer/replica/recover.ts'
import { SavedStateFiles } from '../../../../src/sequencer/snapshots/saved-state-files.ts'
import { stateHash } from '../../../../src/sequencer/snapshots/state-hash.ts'
import { ClusterNode } from '../../../support/postgres/cluster-node.ts'
import type { FolderState } from '../../../support/running/exchange-node.ts'

export type SharedChain = Readonly<{
  /** The folders are below it, and so is a new one for a node that has only the chain. */
  root: string
  url: string
  /** The newest entry that was acknowledged. */
  acknowledged: number
  /** Sees the whole chain. */
  look?: (frame: Frame) => void
}>

type Named = Readonly<{ name: string; folder: string }>

/** Returns the state at the end of the chain, to which every folder leads. */
export async function requireSameFolders(
  nodes: readonly Named[],
  { root, url, acknowledged, look }: SharedChain,
): Promise<FolderState> {
  const whole = join(root, 'new')
  const { genesis } = readDataFolder(nodes[0]!.folder)
  const follow = async (folder: string, each?: (frame: Frame) => void): Promise<FolderState> => {
    const node = await ClusterNode.start({ folder, url, genesis, now: () => 0 })
    await node.follow(each)
    const { seq, hash } = node
    await node.close()
    return { seq, hash }
  }
  const end = await follow(whole, look)
  assert.ok(
    end.seq >= acknowledged,
    `seq ${acknowledged} was acknowledged, and the chain ends with seq ${end.seq}`,
  )
  const chain = readDataFolder(whole)
  for (const { name, folder } of nodes) {
    await requirePart(name, { folder: readDataFolder(folder), chain, end })
    const after = await follow(folder)
    assert.deepEqual(after, end, `${basename(folder)} at the end of the chain`)
  }
  return end
}

type Compared = Readonly<{ folder: DataFolder; chain: DataFolder; end: FolderState }>

/** The folder is the chain as far as it goes: the same bytes, and the same state from them. */
async function requirePart(name: string, { folder, chain, end }: Compared): Promise<void> {
  const found = await recovered(folder)
  const { seq } = found.replica
  assert.ok(seq <= end.seq, `${name} has seq ${seq}, and the chain ends with seq ${end.seq}`)
  const expected = await recovered(chain, seq)
  const difference = (what: string, one: string, other: string) =>
    `${name} after seq ${seq} has the ${what} ${one}, and the chain ${other} after seq ` +
    `${expected.replica.seq}`
  const seals = [found, expected].map(({ seal }) => seal.toString('hex')) as [string, string]
  assert.ok(seals[0] === seals[1], difference('seal', ...seals))
  const hashes = [found, expected].map(({ replica }) => stateHash(replica.state))
  assert.ok(hashes[0] === hashes[1], difference('state', hashes[0]!, hashes[1]!))
}

function recovered(folder: DataFolder, to?: number): Promise<Recovered> {
  const saved = new SavedStateFiles(folder.saved)
  return recover(folder, { saved, ...(to !== undefined && { to }) })
}
