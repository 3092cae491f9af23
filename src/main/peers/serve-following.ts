// The public side of a process that follows another: a gateway or a read node. It exchanges shared
// state with the other processes through the leader.

import type { Config } from '../../config.ts'
import type { ApiKeyMaker, Exchange } from '../../gateway/exchange.ts'
import type { Spent } from '../../gateway/limits/rate-limit.ts'
import type { OpenHistory } from '../../projections/history/create-history.ts'
import type { Checkpoint } from '../../protocol/schemas/proofs/receipts.ts'
import type { Served } from '../../sequencer/link/calls.ts'
import type { RemoteSequencer } from '../../sequencer/link/remote-sequencer.ts'
import { followStatistics } from '../follow-statistics.ts'
import { exchangeOver } from '../front/exchange-over.ts'
import { createFront, type FrontParts, type PublicSide } from '../front/front.ts'
import { createMetrics, type Metrics, type Watched } from '../metrics.ts'
import { remoteReceipts } from '../receipts/remote-receipts.ts'
import { sharedCredits } from './shared-credits.ts'
import { type KeysUsed, sharedKeyUse } from './shared-key-use.ts'
import { remoteSandbox } from './shared-sandbox.ts'

export type FollowingFrontParts = Pick<
  FrontParts,
  | 'log'
  | 'intake'
  | 'wsLimits'
  | 'owner'
  | 'needsCompatPort'
  | 'serving'
  | 'mayAnswer'
  | 'clockFault'
  | 'leader'
> &
  Readonly<{
    config: Config
    sequencing: RemoteSequencer
    history: Pick<OpenHistory, 'history' | 'recent' | 'asOf' | 'missing'>
    apiKeys: ApiKeyMaker
    closed: Exchange['closed']
    disputedPrices: Exchange['disputedPrices']
    /** Status of the node, in a cluster. */
    node?: NonNullable<Watched['node']>
    /** Position up to which history is stored. */
    historySeq: () => number
    /** Label of this process in its metrics. */
    process: string
    /** Page of public metrics, if metrics are public. */
    metricsPage: (own: Metrics) => FrontParts['metricsPage']
    fault: (error: unknown) => void
  }>

export type FollowingFront = Readonly<{
  front: PublicSide
  exchange: Exchange
  metrics: Metrics
  /** Calls that the leader may make to every process that serves the public API. */
  served: Served
}>

export async function serveFollowing(parts: FollowingFrontParts): Promise<FollowingFront> {
  const { config, sequencing, history, closed, intake, log } = parts
  const { calls } = sequencing
  const credits =
    config.rateLimit === 'on'
      ? sharedCredits(config.credits, (spent) => calls.notify('spent', spent))
      : null
  const receipts = remoteReceipts(calls)
  const keyUse = sharedKeyUse((used) => calls.notify('keysUsed', used))
  const metrics = createMetrics({
    process: parts.process,
    seq: () => sequencing.seq,
    waiting: () => sequencing.waitingCount,
    load: () => intake.load,
    historySeq: parts.historySeq,
    engineNow: () => sequencing.view.atMs,
    ...(parts.node !== undefined && { node: parts.node }),
  })
  sequencing.onBatch((batch) => metrics.countBatch(batch))
  const statistics = await followStatistics(sequencing, history, parts.fault)
  const exchange = exchangeOver(sequencing, {
    config,
    history: history.history,
    statistics: statistics.statistics,
    closed,
    keyUse,
    apiKeys: parts.apiKeys,
    sandbox: config.mode === 'sandbox' ? remoteSandbox(calls) : null,
    disputedPrices: parts.disputedPrices,
    receipts: receipts.receipts,
    connections: null,
    manual: null,
    lab: null,
    forks: null,
  })
  const { wsLimits, owner, needsCompatPort, serving, mayAnswer, clockFault } = parts
  const front = createFront({
    ...{ config, log, sequencing, exchange, history, metrics, intake },
    ...{ wsLimits, owner, needsCompatPort, serving, mayAnswer },
    ...(clockFault !== undefined && { clockFault }),
    ...(parts.leader !== undefined && { leader: parts.leader }),
    journal: null,
    metricsPage: parts.metricsPage(metrics),
    limit: credits?.limit ?? null,
  })
  const served: Served = {
    /** Answers after every frame that was sent before this call. */
    here: () => undefined,
    keysUsed: (used: KeysUsed) => keyUse.heard(used),
    spent: (spent: readonly Spent[]) => credits?.heard(spent),
    checkpoint: (made: Checkpoint) => receipts.made(made),
    metrics: () => metrics.registry.getMetricsAsJSON(),
  }
  return { front, exchange, metrics, served }
}
