// The parts joined: data folder, history, sources, what the public meets, admin plane. Nothing is
// served before what happened is recovered; what is fed is closed after what feeds it.

import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { type AdminToken, type Config, isChosen } from '../config.ts'
import { createAdmin } from '../gateway/admin/admin-server.ts'
import type { ApiKeyMaker } from '../gateway/auth/api-keys.ts'
import { keyUseMemory } from '../gateway/auth/key-use.ts'
import type { Closed, Exchange } from '../gateway/exchange.ts'
import { guardAnswers } from '../gateway/http/answer-guard.ts'
import { Intake } from '../gateway/intake/intake.ts'
import { parseTrustedProxies } from '../gateway/limits/client-address.ts'
import { ConnectionCaps } from '../gateway/limits/connection-caps.ts'
import { RateLimit } from '../gateway/limits/rate-limit.ts'
import type { WsLimits } from '../gateway/ws/limits.ts'
import type { FreeBytes } from '../journal/disk-space.ts'
import type { FedStatistics } from '../projections/market-statistics.ts'
import type { Sequencer } from '../sequencer/sequencer.ts'
import { standardGenesis } from '../sources/sandbox-markets.ts'
import { untimedNote } from './banner.ts'
import { clusterOf } from './cluster/cluster-of.ts'
import { StandbyServer } from './cluster/standby-server.ts'
import { followStatistics } from './follow-statistics.ts'
import { closeServer, portOf } from './front/close-server.ts'
import { exchangeOver } from './front/exchange-over.ts'
import { createFront, type FrontParts, type LeadersFront, type PublicPorts } from './front/front.ts'
import { gatewayCount } from './gateways/gateway-count.ts'
import { Gateways } from './gateways/gateways.ts'
import { createMetrics } from './metrics.ts'
import { openApiKeys } from './open-api-keys.ts'
import { createOperator } from './operator.ts'
import { type DataNeeds, type RecoveredData, recoverData } from './recovered-data.ts'
import { LateSources, type Sources, startSources } from './start-sources.ts'

/** Places of the admin port, which nobody at the public one can take. */
const adminConnections = 16

export type RunOptions = Readonly<{
  config: Config
  tokens: readonly AdminToken[]
  log: Logger
  /** Nothing more can be accepted: the process must end. */
  onFatal: (error: unknown) => void
  /** In a cluster: somebody wants this node to give the lead back, and so to end. */
  onStepDown?: () => void
  /** How much room the disk of a folder has; the system is asked unless given. */
  freeBytes?: FreeBytes
  /** Bounds of the websocket other than the usual ones. */
  wsLimits?: Partial<WsLimits>
  /** What everything that is asked passes; made unless given. */
  intake?: Intake
}>

export type RunningExchange = PublicPorts &
  Readonly<{
    exchange: Exchange
    adminPort: number
    /** Newest entry that recovery found; 0: a new exchange. */
    recoveredSeq: number
    /** Takes no more orders; cancels are served until `close`. */
    drain(): void
    /** Finishes what was accepted, leaves a snapshot, and ends every thread. */
    close(): Promise<void>
  }>

export async function runExchange(options: RunOptions): Promise<RunningExchange> {
  const { config } = options
  const late = new LateSources()
  // What cannot be read is found before anything is opened.
  parseTrustedProxies(config.trustedProxies)
  const recovered = await recoverOrFollow(options, late)
  const { data, history } = recovered
  const recoveredSeq = data.sequencer.seq
  const begun = await begin(options, recovered, late)
  const { sources } = begun
  let draining = false
  const drain = () => {
    draining = true
  }
  const closed = () => (draining ? 'draining' : closedBy(recovered))
  const parts = { ...begun, recovered, late, closed, drain }
  const exchange = exchangeOf(options, parts)
  const { front, admin } = serversOf(options, parts, exchange)
  const close = async () => {
    drain()
    const ended = sources.close()
    await front.close()
    await closeServer(admin)
    await ended
    await data.close()
    await history.close()
  }
  try {
    const ports = await front.listen()
    await admin.listen({ host: config.adminHost, port: config.adminPort })
    sources.fillPast()
    return { exchange, ...ports, adminPort: portOf(admin), recoveredSeq, drain, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** In a cluster this waits until the node leads, and says meanwhile who does. */
async function recoverOrFollow(
  { config, log, onFatal, onStepDown, freeBytes }: RunOptions,
  late: LateSources,
): Promise<RecoveredData> {
  const needs: DataNeeds = {
    config,
    genesis: standardGenesis,
    clock: late.engineClock,
    sources: late.memory,
    log,
    onFatal,
    cluster: null,
    ...(freeBytes !== undefined && { freeBytes }),
  }
  if (config.cluster === '') return recoverData(needs)
  const standby = await StandbyServer.listen(config.host, config.port)
  log.info({ port: standby.port }, `${config.node} stands by until it leads`)
  try {
    const cluster = clusterOf(config, log, {
      standby: (leader) => standby.led(leader),
      stepDown: () => onStepDown?.(),
    })
    const recovered = await recoverData({ ...needs, cluster })
    log.info({ seq: recovered.data.sequencer.seq }, `${config.node} has taken the lead`)
    return recovered
  } finally {
    await standby.close()
  }
}

type Begun = Readonly<{ apiKeys: ApiKeyMaker; statistics: FedStatistics; sources: Sources }>

type Parts = Begun &
  Readonly<{
    recovered: RecoveredData
    late: LateSources
    closed: () => Closed
    drain: () => void
  }>

/** When this fails nothing is left open: whoever runs us in his own process may start again. */
async function begin(
  { config, log, onFatal }: RunOptions,
  { data, history }: RecoveredData,
  late: LateSources,
): Promise<Begun> {
  const { sequencer } = data
  try {
    const apiKeys = await openApiKeys(config.data, sequencer.view, log)
    const note = untimedNote(config)
    if (note !== null) log.warn(note)
    late.bind(sequencer)
    sequencer.onBatch((batch) => history.feed(batch))
    const statistics = await followStatistics(sequencer, history, onFatal)
    const sources = await startSources({ config, data, history, late, fault: onFatal })
    return { apiKeys, statistics, sources }
  } catch (error) {
    await data.close({ snapshot: false })
    await history.close()
    throw error
  }
}

function closedBy({ data, history }: RecoveredData): Closed {
  if (data.diskLow()) return 'disk_full'
  if (data.sequencer.view.mode === 'halted') return 'halted'
  return history.behind() ? 'overloaded' : null
}

function exchangeOf({ config }: RunOptions, parts: Parts): Exchange {
  const { data, history } = parts.recovered
  return exchangeOver(data.sequencer, {
    config,
    history: history.history,
    statistics: parts.statistics.statistics,
    closed: parts.closed,
    keyUse: keyUseMemory(),
    apiKeys: parts.apiKeys,
    sandbox: parts.sources.sandbox,
  })
}

function serversOf(
  options: RunOptions,
  { recovered, sources, late, closed, drain }: Parts,
  exchange: Exchange,
): Readonly<{ front: LeadersFront; admin: FastifyInstance }> {
  const { config, log, intake = new Intake() } = options
  const inCluster = config.cluster !== ''
  const count = inCluster ? 0 : gatewayCount(config.gateways)
  const { data, history } = recovered
  const mayAnswer = inCluster ? () => data.mayAnswer : null
  const { sequencer } = data
  const metrics = createMetrics({
    ...(count > 0 && { process: 'leader' }),
    seq: () => sequencer.seq,
    waiting: () => sequencer.waitingCount,
    load: () => intake.load,
    historySeq: () => history.seq(),
    engineNow: () => late.engineClock.now(),
  })
  sequencer.onBatch((batch) => metrics.tell(batch))
  const front =
    count === 0
      ? ownFront(options, { sequencer, exchange, history, metrics, intake, mayAnswer })
      : new Gateways({
          config,
          needsCompatPort: isChosen(config, 'compatPort'),
          wsLimits: options.wsLimits ?? {},
          count,
          log,
          data,
          history,
          sandbox: sources.sandbox,
          metrics,
          closed,
          fault: options.onFatal,
        })
  const { feed } = sources
  const admin = createAdmin({
    exchange,
    operator: createOperator({ folder: config.data, data, history, feed, drain }),
    tokens: options.tokens,
    allowedHosts: config.allowedHosts,
    metrics: config.metrics === 'public' ? null : front.metricsPage,
    settled: () => front.settled(),
    log,
  })
  const trusted = parseTrustedProxies(config.trustedProxies)
  const caps = { perIp: adminConnections, total: adminConnections, trusted }
  new ConnectionCaps(caps).guard(admin.server)
  if (mayAnswer !== null) guardAnswers(admin.server, mayAnswer)
  return { front, admin }
}

/** This process serves the public itself. */
function ownFront(
  { config, log, wsLimits = {} }: RunOptions,
  parts: Pick<FrontParts, 'exchange' | 'history' | 'metrics' | 'intake' | 'mayAnswer'> & {
    readonly sequencer: Sequencer
  },
): LeadersFront {
  const { registry } = parts.metrics
  const front = createFront({
    ...parts,
    sequencing: parts.sequencer,
    config,
    log,
    metricsPage: config.metrics === 'public' ? registry : null,
    limit: config.rateLimit === 'on' ? new RateLimit({ creditsPerIp: config.credits }) : null,
    wsLimits,
    owner: '',
    needsCompatPort: isChosen(config, 'compatPort'),
  })
  return { ...front, metricsPage: registry, settled: () => Promise.resolve() }
}
