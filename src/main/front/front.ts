// The public side: HTTP on one or two ports, websockets, health and the terminal, over a local or a
// remote sequencer. Each gateway has one; without gateways the leader has one itself.

import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import { Origins } from '../../gateway/access/origins.ts'
import { sandboxAccess } from '../../gateway/access/sandbox-access.ts'
import { SignatureChecks, type Signatures } from '../../gateway/auth/check-signature.ts'
import { whileClockIsRight } from '../../gateway/auth/clock-guard.ts'
import { createVerifiers, type Verifiers } from '../../gateway/auth/verifiers.ts'
import { version } from '../../gateway/documents/version.ts'
import type { Exchange } from '../../gateway/exchange.ts'
import { guardAnswers } from '../../gateway/http/answer-guard.ts'
import { httpConnections } from '../../gateway/http/http-connections.ts'
import { addProbes, type MetricsPage, type Serving } from '../../gateway/http/probes.ts'
import { readinessOf, servingOf } from '../../gateway/http/readiness.ts'
import { createHttp } from '../../gateway/http/server.ts'
import { addTerminal, leadToTerminal } from '../../gateway/http/terminal.ts'
import { Door, type Leader } from '../../gateway/intake/door.ts'
import type { Intake } from '../../gateway/intake/intake.ts'
import { parseTrustedProxies } from '../../gateway/limits/client-address.ts'
import { ConnectionCaps } from '../../gateway/limits/connection-caps.ts'
import type { RateLimit } from '../../gateway/limits/rate-limit.ts'
import type { Mount, Operation } from '../../gateway/operation.ts'
import { apiOperations, ccxtOperations } from '../../gateway/routes/all-operations.ts'
import { statusOf } from '../../gateway/status/status.ts'
import { feedContextOf } from '../../gateway/ws/feed-context-of.ts'
import type { WsLimits } from '../../gateway/ws/limits.ts'
import { WsServer } from '../../gateway/ws/ws-server.ts'
import type { OpenHistory } from '../../projections/history/create-history.ts'
import type { Sequencing } from '../../sequencer/sequencing.ts'
import { compatPortTaken } from '../banner.ts'
import type { Metrics } from '../metrics.ts'
import { OtlpExporter } from '../tracing/otlp-exporter.ts'
import { type TracedParts, tracedDoor } from '../tracing/traced-door.ts'
import { closeServer, portOf } from './close-server.ts'
import { connectionsAllowed, descriptors } from './descriptors.ts'

/** Folder of the built terminal. */
const terminalFolder = fileURLToPath(new URL('../../../web', import.meta.url))

/** A warning is logged if fewer descriptors than this are available. */
const fewConnections = 1_000

export type FrontParts = Readonly<{
  config: Config
  log: Logger
  sequencing: Sequencing
  exchange: Exchange
  history: Pick<OpenHistory, 'asOf' | 'missing'>
  metrics: Metrics
  /** Page of public metrics; `null` if metrics are not public. */
  metricsPage: MetricsPage | null
  /** `null` for no rate limit. */
  limit: RateLimit | null
  intake: Intake
  /** When the newest batch was sent to the journal and became durable; `null` in a process without
   *  the journal. */
  journal: TracedParts['journal']
  /** Overrides of the websocket limits. */
  wsLimits: Partial<WsLimits>
  /** Prefix of the names of this process's connections in the core. */
  owner: string
  /** Whether the compat port is configured explicitly, so that failing to open it is an error. */
  needsCompatPort: boolean
  /** Extra condition for being ready, in addition to accepting orders. */
  serving: Serving | null
  /** Returns why the wall clock of this process cannot be used (default: never). */
  clockFault?: () => string | null
  /** Whether answers may be given now; `null` for always. */
  mayAnswer: (() => boolean) | null
  /** At a read node: the leader, which executes the requests that change something. */
  leader?: Leader
  /** Threads that check signatures; they are closed by their owner (default: own ones). */
  verifiers?: Verifiers
}>

/** Ports in use. `compatPort` serves the public API at the root; `null` if there is no such
 *  port. */
export type PublicPorts = Readonly<{ port: number; compatPort: number | null }>

/** The public servers, in this process or in gateways. */
export type PublicSide = Readonly<{
  listen(): Promise<PublicPorts>
  /** Completes pending requests, then closes the servers. */
  close(): Promise<void>
}>

/** The public side as seen by the leader. */
export type LeadersFront = PublicSide &
  Readonly<{
    /** Metrics of all processes. */
    metricsPage: MetricsPage
    /** Resolves when every process has applied all entries so far. */
    settled(): Promise<void>
  }>

export function createFront(parts: FrontParts): PublicSide {
  const { config, log, sequencing, exchange, history, metrics, intake, wsLimits, owner } = parts
  const verifiers = parts.verifiers ?? verifiersOf(config)
  const operations = apiOperations(config.mode)
  const forClients = ccxtOperations(config.mode)
  const exporter = config.traces === '' ? null : exporterOf(parts)
  const common = {
    door: doorOf(parts, signaturesOf(parts, verifiers), exporter),
    log,
    trusted: parseTrustedProxies(config.trustedProxies),
    ...accessOf(config),
    keyHeaders: [...new Set([`${config.keyHeader.toLowerCase()}-api-key`, 'pf-api-key'])],
    meter: metrics.meter,
    intake,
  }
  const context = feedContextOf(exchange, history)
  const keepsAll = config.role === 'read'
  const ws = { ...common, operations, context, limits: wsLimits, owner, keepsAll }
  const streams = new WsServer(ws)
  sequencing.onBatch((batch) => streams.feed(batch))
  const serving = parts.serving ?? (() => servingOf(exchange.closed()))
  const missing = parts.serving ?? (() => history.missing())
  const { requireMarkets } = config
  const ready = () => readinessOf({ exchange, missing: missing(), requireMarkets })
  const status = () => statusOf(exchange)
  /** Both ports serve the same routes; they differ in the format of `/api/v1`. */
  const serverWith = (root: readonly Operation[]): FastifyInstance => {
    const mounts: readonly Mount[] = [
      { prefix: '/api/v1', operations: root },
      { prefix: '/ccxt/api/v1', operations: forClients },
    ]
    const server = createHttp({ ...common, mounts })
    streams.attach(server.server)
    const { keyHeaders } = common
    const { metricsPage } = parts
    addProbes(server, { ready, serving, metrics: metricsPage, mounts, version, keyHeaders, status })
    return server
  }
  const http = serverWith(operations)
  addTerminal(http, terminalFolder)
  const compat = config.compatPort === 'off' ? null : serverWith(forClients)
  if (compat !== null) leadToTerminal(compat, () => portOf(http))
  const servers = [http, ...(compat === null ? [] : [compat])]
  guard(servers, parts)
  const httpServers = servers.map(({ server }) => server)
  exchange.connections?.add(httpConnections(httpServers, intake))
  exchange.connections?.add(streams)
  return {
    async listen() {
      await streams.load()
      await http.listen({ host: config.host, port: config.port })
      const isServed = compat !== null && (await listensForClients(compat, parts))
      return { port: portOf(http), compatPort: isServed ? portOf(compat) : null }
    },
    async close() {
      await streams.close()
      await Promise.all(servers.map(closeServer))
      if (parts.verifiers === undefined) await verifiers.close()
      await exporter?.close()
    },
  }
}

export function verifiersOf({ verifiers: threads }: Config): Verifiers {
  return createVerifiers(threads === 0 ? {} : { threads })
}

function accessOf({ mode, host, allowedHosts, allowedOrigins, sandboxToken: token }: Config) {
  return {
    origins: new Origins({
      allowedOrigins,
      allowedHosts: mode === 'sandbox' ? allowedHosts : null,
    }),
    sandbox: sandboxAccess(host, { allowedHosts, token }),
  }
}

function exporterOf({ config, log }: FrontParts): OtlpExporter {
  const service = { 'service.name': 'openperp', 'service.version': version }
  return new OtlpExporter({ url: config.traces, service, log })
}

function signaturesOf(parts: FrontParts, verifiers: Verifiers): Signatures {
  const { config, exchange, clockFault } = parts
  const checks = new SignatureChecks(verifiers, exchange.settings.venue, config.mode)
  return clockFault === undefined ? checks : whileClockIsRight(checks, clockFault)
}

function doorOf(
  { config, exchange, limit, journal, leader: remote }: FrontParts,
  signatures: Signatures,
  exporter: OtlpExporter | null,
): Door {
  const leader = remote ?? null
  if (exporter === null) return new Door(exchange, signatures, limit, leader)
  const every = config.traceEvery
  return tracedDoor({ exchange, signatures, limit, leader, exporter, journal, every })
}

/** A default port that is in use does not prevent the start. */
async function listensForClients(
  compat: FastifyInstance,
  { config, log, needsCompatPort }: FrontParts,
): Promise<boolean> {
  try {
    await compat.listen({ host: config.host, port: config.compatPort as number })
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EADDRINUSE' || needsCompatPort) throw error
    log.warn(`${compatPortTaken(config)}; /ccxt serves the same`)
    return false
  }
}

function guard(servers: readonly FastifyInstance[], { config, log, mayAnswer }: FrontParts): void {
  const { connectionsPerIp: perIp, connections, trustedProxies } = config
  const found = descriptors()
  const total = connectionsAllowed(connections, found)
  if (total < Math.min(connections, fewConnections))
    log.warn({ connections: total, wanted: connections, ...found }, 'few descriptors: ulimit -n')
  const caps = new ConnectionCaps({ perIp, total, trusted: parseTrustedProxies(trustedProxies) })
  for (const { server } of servers) {
    caps.guard(server)
    if (mayAnswer !== null) guardAnswers(server, mayAnswer)
  }
}
