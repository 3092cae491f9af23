// Whether all nodes of a cluster have come to the same state, and whether one that has nothing but
// the chain comes to it, too.

import type { Frame } from '../../../../src/journal/frame.ts'
import { readStatus } from '../../../../src/journal/postgres/cluster-status.ts'
import { until } from '../../../support/http/held-sockets.ts'
import { dataOf } from '../../../support/running/connection.ts'
import type { FolderState } from '../../../support/running/exchange-node.ts'
import { requireSameFolders } from './same-folders.ts'
import type { TradingNodes } from './trading-nodes.ts'

export type SamePlace = Readonly<{
  root: string
  url: string
  /** Sees the whole chain. */
  look?: (frame: Frame) => void
}>

const followMsMax = 240_000

/** No client trades any more. While nodes run, each change of the leader adds an entry: where a
 *  busy machine makes every lease run out, folders never hold still. So the nodes stop first. */
export async function requireSameState(
  nodes: TradingNodes,
  { root, url, look }: SamePlace,
): Promise<FolderState> {
  await nodes.inStep()
  const { seq } = await nodes.ask(async (api) => {
    const reply = await api.get('/api/v1/info')
    dataOf(reply)
    return reply
  })
  const acknowledged = Number(seq)
  await requireFollowed(nodes, { url, acknowledged })
  await nodes.stop()
  return requireSameFolders(nodes.all, { root, url, acknowledged, ...(look && { look }) })
}

type Followed = Readonly<{ url: string; acknowledged: number }>

/** Each node reports that it has the entry. Where it goes on from there does not matter. */
async function requireFollowed(nodes: TradingNodes, { url, acknowledged }: Followed) {
  let reported: readonly string[] = []
  await until(async () => {
    await nodes.inStep(0)
    // A primary on a busy machine may fail a query; it is repeated.
    const seen = (await readStatus(url).catch(() => null))?.nodes ?? []
    reported = seen.map(({ name, seq }) => `${name} ${seq}`)
    const arrived = seen.filter(({ seq }) => seq >= acknowledged).map(({ name }) => name)
    return nodes.all.every(({ name }) => arrived.includes(name))
  }, followMsMax).catch((error) => {
    const text = `nodes have come to ${reported.join(', ')}, and not all to seq ${acknowledged}`
    throw new Error(text, { cause: error })
  })
}
