// Whether all nodes of a cluster have come to the same state, and whether one that has nothing but
// the chain comes to it, too.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { Frame } from '../../../../src/journal/frame.ts'
import { readDataFolder } from '../../../../src/sequencer/data-folder.ts'
import { until } from '../../http/held-sockets.ts'
import { ClusterNode } from '../../postgres/cluster-node.ts'
import { dataOf } from '../../running/connection.ts'
import { type FolderState, stateOf } from '../../running/exchange-node.ts'
import type { TradingNodes } from './trading-nodes.ts'

export type SamePlace = Readonly<{
  root: string
  url: string
  /** Sees the whole chain. */
  look?: (frame: Frame) => void
}>

const stepMsMax = 120_000

/** Nobody trades any more. */
export async function requireSameState(
  nodes: TradingNodes,
  { root, url, look }: SamePlace,
): Promise<FolderState> {
  await nodes.inStep()
  const freeze = { freeze: true }
  await nodes.ask(async (api) => dataOf(await api.post('/api/v1/sandbox/clock', freeze)))
  const folders = nodes.all.map(({ folder }) => folder)
  const { genesis } = readDataFolder(folders[0]!)
  const stranger = await ClusterNode.start({
    folder: join(root, 'new'),
    url,
    genesis,
    now: () => 0,
  })
  let states: readonly FolderState[] = []
  // What was on its way when the clock was frozen still comes.
  await until(async () => {
    states = await Promise.all(folders.map((folder) => stateOf(folder)))
    await stranger.follow(look)
    return states.every(({ seq }) => seq === stranger.seq)
  }, stepMsMax).catch((error) => {
    const seqs = states.map(({ seq }) => seq).join(', ')
    throw new Error(`folders have come to ${seqs}, the chain to ${stranger.seq}`, { cause: error })
  })
  const first = { seq: stranger.seq, hash: stranger.hash }
  for (const state of states) assert.deepEqual(state, first)
  await stranger.close()
  return first
}
