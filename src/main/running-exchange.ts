// The parts joined: data folder, history, sources, gateway. Nothing is served before what happened
// is recovered; what is fed is closed after what feeds it.

import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { type AdminToken, type Config, isChosen } from '../config.ts'
import { createAdmin } from '../gateway/admin/admin-server.ts'
import type { ApiKeyMaker } from '../gateway/auth/api-keys.ts'
import { SignatureChecks } from '../gateway/auth/check-signature.ts'
import { keyUseMemory } from '../gateway/auth/key-use.ts'
import { createVerifiers, type Verifiers } from '../gateway/auth/verifiers.ts'
import { version } from '../gateway/documents/version.ts'
import { Door } from '../gateway/door.ts'
import type { Closed, Exchange } from '../gateway/exchange.ts'
import { addProbes } from '../gateway/http/probes.ts'
import { readinessOf } from '../gateway/http/readiness.ts'
import { createHttp, type Mount } from '../gateway/http/server.ts'
import { addTerminal, leadToTerminal } from '../gateway/http/terminal.ts'
import { Intake, type Load } from '../gateway/intake/intake.ts'
import { parseTrustedProxies } from '../gateway/limits/client-address.ts'
import { ConnectionCaps } from '../gateway/limits/connection-caps.ts'
import { RateLimit } from '../gateway/limits/rate-limit.ts'
import type { Operation } from '../gateway/operation.ts'
import { apiOperations, ccxtOperations } from '../gateway/operations/all-operations.ts'
import { feedContextOf } from '../gateway/ws/feed-context-of.ts'
import type { WsLimits } from '../gateway/ws/limits.ts'
import { WsServer } from '../gateway/ws/ws-server.ts'
import type { FreeBytes } from '../journal/disk-space.ts'
import type { FedStatistics } from '../projections/market-statistics.ts'
import { isCancel } from '../sequencer/cancels.ts'
import { Overloaded } from '../sequencer/sequencer.ts'
import { standardGenesis } from '../sources/sandbox-markets.ts'
import { compatPortTaken, untimedNote } from './banner.ts'
import { connectionsAllowed, descriptors } from './descriptors.ts'
import { followBatches } from './follow-batches.ts'
import { createMetrics } from './metrics.ts'
import { openApiKeys } from './open-api-keys.ts'
import { createOperator } from './operator.ts'
import { type RecoveredData, recoverData } from './recovered-data.ts'
import { LateSources, type Sources, startSources } from './start-sources.ts'

/** Where the build puts the terminal. */
const terminalFolder = fileURLToPath(new URL('../../web', import.meta.url))

/** Orders that would wait longer for their place in history are refused. */
const waitMsMax = 2_000

/** How long `close` waits for requests that are under way. */
const answerMsMax = 3_000

export type RunOptions = Readonly<{
  config: Config
  tokens: readonly AdminToken[]
  log: Logger
  /** Nothing more can be accepted: the process must end. */
  onFatal: (error: unknown) => void
  /** How much room the disk of a folder has; the system is asked unless given. */
  freeBytes?: FreeBytes
  /** Bounds of the websocket other than the usual ones. */
  wsLimits?: Partial<WsLimits>
  /** What everything that is asked passes; made unless given. */
  intake?: Intake
}>

export type RunningExchange = Readonly<{
  exchange: Exchange
  port: number
  adminPort: number
  /** Where clients of the public API are served at the root; null: nowhere. */
  compatPort: number | null
  /** Newest entry that recovery found; 0: a new exchange. */
  recoveredSeq: number
  /** Requests that are being carried out, and that were read and wait to begin. */
  load(): Load
  /** Takes no more orders; cancels are served until `close`. */
  drain(): void
  /** Finishes what was accepted, leaves a snapshot, and ends every thread. */
  close(): Promise<void>
}>

type Parts = Readonly<{
  recovered: RecoveredData
  sources: Sources
  statistics: FedStatistics
  late: LateSources
  verifiers: Verifiers
  apiKeys: ApiKeyMaker
  intake: Intake
  closed: () => Closed
  drain: () => void
}>

export async function runExchange(options: RunOptions): Promise<RunningExchange> {
  const { config, log, onFatal } = options
  const late = new LateSources()
  // What cannot be read is found before anything is opened.
  parseTrustedProxies(config.trustedProxies)
  const recovered = await recoverData({
    config,
    genesis: standardGenesis,
    clock: late.engineClock,
    sources: late.memory,
    log,
    onFatal,
    ...(options.freeBytes !== undefined && { freeBytes: options.freeBytes }),
  })
  const { data, history } = recovered
  const recoveredSeq = data.sequencer.seq
  const { apiKeys, statistics, sources } = await begun(options, recovered, late)
  const verifiers = createVerifiers(config.verifiers === 0 ? {} : { threads: config.verifiers })
  let draining = false
  const drain = () => {
    draining = true
  }
  const closed = () => (draining ? 'draining' : closedBy(recovered))
  const { intake = new Intake() } = options
  const made = { recovered, sources, statistics, late }
  const parts = { ...made, verifiers, apiKeys, intake, closed, drain }
  const exchange = exchangeOf(options, parts)
  const { http, compat, admin, streams } = serversOf(options, parts, exchange)
  const close = async () => {
    drain()
    const ended = sources.close()
    await streams.close()
    await Promise.all([http, admin, ...(compat === null ? [] : [compat])].map(closeServer))
    await ended
    await data.close()
    await history.close()
    await verifiers.close()
  }
  try {
    await streams.load()
    await http.listen({ host: config.host, port: config.port })
    await admin.listen({ host: config.adminHost, port: config.adminPort })
    const isServed = compat !== null && (await listensForClients(compat, options))
    sources.fillPast()
    const ports = { port: portOf(http), adminPort: portOf(admin) }
    const compatPort = isServed ? portOf(compat) : null
    const load = () => intake.load
    return { exchange, ...ports, compatPort, recoveredSeq, load, drain, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** When this fails nothing is left open: whoever runs us in his own process may start again. */
async function begun(
  { config, log, onFatal }: RunOptions,
  recovered: RecoveredData,
  late: LateSources,
): Promise<Pick<Parts, 'apiKeys' | 'statistics' | 'sources'>> {
  const { data, history } = recovered
  try {
    const apiKeys = await openApiKeys(config.data, data.sequencer.view, log)
    const note = untimedNote(config)
    if (note !== null) log.warn(note)
    late.bind(data.sequencer)
    const statistics = await followBatches(recovered, onFatal)
    const sources = await startSources({ config, data, history, late, fault: onFatal })
    return { apiKeys, statistics, sources }
  } catch (error) {
    await data.close({ snapshot: false })
    await history.close()
    throw error
  }
}

/** A port that nobody asked for is no reason not to start. */
async function listensForClients(
  compat: FastifyInstance,
  { config, log }: RunOptions,
): Promise<boolean> {
  try {
    await compat.listen({ host: config.host, port: config.compatPort as number })
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EADDRINUSE' || isChosen(config, 'compatPort')) throw error
    log.warn(`${compatPortTaken(config)}; /ccxt serves the same`)
    return false
  }
}

function closedBy({ data, history }: RecoveredData): Closed {
  if (data.diskLow()) return 'disk_full'
  if (data.sequencer.view.mode === 'halted') return 'halted'
  return history.behind() ? 'overloaded' : null
}

function exchangeOf({ config }: RunOptions, parts: Parts): Exchange {
  const { sequencer } = parts.recovered.data
  return {
    submit(command, by, mayPass) {
      if (sequencer.waitMs > waitMsMax && !isCancel(command))
        return Promise.reject(new Overloaded(`a command waits ${Math.ceil(sequencer.waitMs)} ms`))
      return sequencer.submit(command, by ?? null, mayPass)
    },
    get view() {
      return sequencer.view
    },
    seq: () => sequencer.seq,
    history: parts.recovered.history.history,
    statistics: parts.statistics.statistics,
    closed: parts.closed,
    wallNow: Date.now,
    settings: {
      mode: config.mode,
      reads: config.reads,
      untimedTexts: config.untimedTexts,
      creditsPerIp: config.credits,
    },
    keyUse: keyUseMemory(),
    apiKeys: parts.apiKeys,
    sandbox: parts.sources.sandbox,
  }
}

type Servers = Readonly<{
  http: FastifyInstance
  /** The same with the other form of the API at its root; null: switched off. */
  compat: FastifyInstance | null
  admin: FastifyInstance
  streams: WsServer
}>

function serversOf(
  { config, tokens, log, wsLimits: limits = {} }: RunOptions,
  parts: Parts,
  exchange: Exchange,
): Servers {
  const { recovered, sources, late, verifiers, intake, closed, drain } = parts
  const { data, history } = recovered
  const { sequencer } = data
  const metrics = createMetrics({
    seq: () => sequencer.seq,
    waiting: () => sequencer.waitingCount,
    load: () => intake.load,
    historySeq: () => history.seq(),
    engineNow: () => late.engineClock.now(),
  })
  sequencer.onBatch((batch) => metrics.tell(batch))
  const operations = apiOperations(config.mode)
  const forClients = ccxtOperations(config.mode)
  const limit = config.rateLimit === 'on' ? new RateLimit({ creditsPerIp: config.credits }) : null
  const { allowedHosts } = config
  const isPublic = config.metrics === 'public'
  const common = {
    door: new Door(exchange, new SignatureChecks(verifiers), limit),
    log,
    trusted: parseTrustedProxies(config.trustedProxies),
    keyHeaders: [...new Set([`${config.keyHeader.toLowerCase()}-api-key`, 'pf-api-key'])],
    meter: metrics.meter,
    intake,
  }
  const context = feedContextOf(exchange, history)
  const streams = new WsServer({ ...common, operations, context, limits })
  sequencer.onBatch((batch) => streams.feed(batch))
  const ready = () => readinessOf(sequencer.view, closed()) ?? history.missing()
  /** Both ports serve all there is; which form `/api/v1` has is the difference. */
  const serverWith = (root: readonly Operation[]): FastifyInstance => {
    const mounts: readonly Mount[] = [
      { prefix: '/api/v1', operations: root },
      { prefix: '/ccxt/api/v1', operations: forClients },
    ]
    const server = createHttp({ ...common, mounts, allowedHosts })
    streams.attach(server.server)
    addProbes(server, { ready, metrics: isPublic ? metrics.registry : null, mounts, version })
    return server
  }
  const http = serverWith(operations)
  addTerminal(http, terminalFolder)
  const compat = config.compatPort === 'off' ? null : serverWith(forClients)
  if (compat !== null) leadToTerminal(compat, () => portOf(http))
  const { feed } = sources
  const operator = createOperator({ folder: config.data, data, history, feed, drain })
  const adminMetrics = isPublic ? null : metrics.registry
  const admin = createAdmin({
    exchange,
    operator,
    tokens,
    allowedHosts,
    metrics: adminMetrics,
    log,
  })
  guardServers(config, { http, compat, admin, log })
  return { http, compat, admin, streams }
}

/** Places of the admin port, which nobody at the public one can take. */
const adminConnections = 16
/** Below this an operator is told that descriptors are the bound. */
const fewConnections = 1_000

function guardServers(
  { connectionsPerIp: perIp, connections, trustedProxies }: Config,
  { http, compat, admin, log }: Omit<Servers, 'streams'> & Readonly<{ log: Logger }>,
): void {
  const trusted = parseTrustedProxies(trustedProxies)
  const found = descriptors()
  const total = connectionsAllowed(connections, found)
  if (total < Math.min(connections, fewConnections))
    log.warn({ connections: total, wanted: connections, ...found }, 'few descriptors: ulimit -n')
  const caps = new ConnectionCaps({ perIp, total, trusted })
  for (const each of [http, compat]) if (each !== null) caps.guard(each.server)
  const ofAdmin = { perIp: adminConnections, total: adminConnections, trusted }
  new ConnectionCaps(ofAdmin).guard(admin.server)
}

/** Requests under way are answered; whoever does not end his in time is cut off. */
async function closeServer(server: FastifyInstance): Promise<void> {
  const cut = setTimeout(() => server.server.closeAllConnections(), answerMsMax)
  await server.close()
  clearTimeout(cut)
}

function portOf(server: FastifyInstance): number {
  const address = server.server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}
