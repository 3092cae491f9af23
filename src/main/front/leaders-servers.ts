// The servers of a leader: the public API (in this process or in gateways), links for read nodes,
// and the admin plane.

import type { FastifyInstance } from 'fastify'
import { type Config, isChosen } from '../../config.ts'
import { FailedTokens } from '../../gateway/admin/access/failed-tokens.ts'
import { createAdmin } from '../../gateway/admin/admin-server.ts'
import { SignatureChecks } from '../../gateway/auth/check-signature.ts'
import type { Verifiers } from '../../gateway/auth/verifiers.ts'
import { version } from '../../gateway/documents/version.ts'
import type { Closed, Exchange } from '../../gateway/exchange.ts'
import { guardAnswers } from '../../gateway/http/answer-guard.ts'
import { type Readiness, readinessOf } from '../../gateway/http/readiness.ts'
import { Door } from '../../gateway/intake/door.ts'
import { Intake } from '../../gateway/intake/intake.ts'
import { parseTrustedProxies } from '../../gateway/limits/client-address.ts'
import type { OpenHistory } from '../../projections/history/create-history.ts'
import type { ExchangeData } from '../../sequencer/exchange-data.ts'
import type { LinkDoor } from '../cluster/link-door.ts'
import { ReaderNodes } from '../cluster/reader-nodes.ts'
import { ReaderRequests } from '../cluster/reader-requests.ts'
import { gatewayCount } from '../gateways/gateway-count.ts'
import { Gateways } from '../gateways/gateways.ts'
import { createMetrics, type Metrics } from '../metrics.ts'
import { createOperator, pricesInto, pricesOf } from '../operator.ts'
import type { OwnShare } from '../peers/own-share.ts'
import { Peers } from '../peers/peers.ts'
import { addPriceMetrics } from '../prices/price-metrics.ts'
import type { LeadersReceipts } from '../receipts/receipts.ts'
import type { RunOptions } from '../run-options.ts'
import type { Sources } from '../start-sources.ts'
import type { RunningTreasury } from '../treasury/treasury.ts'
import { addTreasuryMetrics } from '../treasury/treasury-metrics.ts'
import { addAccessMetrics } from '../watching/access-metrics.ts'
import { addApprovalMetrics } from '../watching/approval-metrics.ts'
import { addExchangeMetrics, type WatchedExchange } from '../watching/exchange-metrics.ts'
import { addWebhookMetrics, type Webhooks } from '../webhooks/webhooks.ts'
import { closeServer, portOf } from './close-server.ts'
import { createFront, type LeadersFront, type PublicPorts, verifiersOf } from './front.ts'
import { adminCaps, consoleFolder } from './guard-admin.ts'

export type LeadersParts = Readonly<{
  data: ExchangeData
  history: OpenHistory
  sources: Sources
  webhooks: Webhooks
  treasury: RunningTreasury
  receipts: LeadersReceipts
  exchange: Exchange
  own: OwnShare
  /** Port for followers; `null` if nodes can follow only through the store. */
  door: LinkDoor | null
  closed: () => Closed
  drain: () => void
  engineNow: () => number
}>

export class LeadersServers {
  /** Other processes that serve the public API; `null` if there are none. */
  readonly peers: Peers | null
  private readonly options: RunOptions
  private readonly parts: LeadersParts
  private readonly failedTokens: FailedTokens
  private readonly front: LeadersFront
  private readonly admin: FastifyInstance
  private readonly readers: ReaderNodes | null
  /** Checks signatures of clients of this process and of read nodes. */
  private readonly verifiers: Verifiers | null

  constructor(options: RunOptions, parts: LeadersParts) {
    this.options = options
    this.parts = parts
    const { config } = options
    const count = gatewayCount(config.gateways)
    this.peers = count > 0 || parts.door !== null ? peersOf(options, parts) : null
    const intake = options.intake ?? new Intake()
    this.failedTokens = new FailedTokens(options.log)
    const metrics = this.metricsOf(intake, count > 0)
    this.verifiers = count === 0 || parts.door !== null ? verifiersOf(config) : null
    this.front = count > 0 ? this.gateways(count, metrics) : this.ownFront(metrics, intake)
    this.admin = this.adminPlane(intake)
    this.readers = parts.door === null ? null : this.readersAt(parts.door)
  }

  async listen(): Promise<PublicPorts & Readonly<{ adminPort: number }>> {
    const { adminHost: host, adminPort: port } = this.options.config
    const ports = await this.front.listen()
    await this.admin.listen({ host, port })
    const adminPort = portOf(this.admin)
    this.readers?.announce(adminAddress(this.options.config, adminPort))
    return { ...ports, adminPort }
  }

  async close(): Promise<void> {
    await this.front.close()
    await closeServer(this.admin)
    await this.readers?.close()
    this.parts.door?.close()
    this.peers?.close()
    await this.verifiers?.close()
  }

  private get mayAnswer(): (() => boolean) | null {
    const { data } = this.parts
    return this.options.config.cluster === '' ? null : () => data.mayAnswer
  }

  private metricsOf(intake: Intake, ofSeveral: boolean): Metrics {
    const { history, engineNow, data } = this.parts
    const { sequencer } = data
    const followers = () => this.readers?.count ?? 0
    const metrics = createMetrics({
      ...(ofSeveral && { process: 'leader' }),
      seq: () => sequencer.seq,
      waiting: () => sequencer.waitingCount,
      load: () => intake.load,
      historySeq: () => history.seq(),
      engineNow,
      ...(this.options.config.cluster !== '' && {
        node: {
          leads: () => data.mayAnswer,
          behindMs: () => 0,
          followers,
          leadChanges: () => data.leadChanges,
        },
      }),
    })
    const countBatch = addExchangeMetrics(metrics.registry, this.watched())
    addApprovalMetrics(metrics.registry, this.watched())
    sequencer.onBatch((batch) => {
      metrics.countBatch(batch)
      countBatch(batch)
    })
    const { prices } = this.parts.sources
    addAccessMetrics(metrics.registry, this.failedTokens)
    addWebhookMetrics(metrics.registry, this.parts.webhooks)
    addTreasuryMetrics(metrics.registry, this.parts.treasury)
    if (prices !== null) addPriceMetrics(metrics.registry, prices, () => sequencer.view)
    return metrics
  }

  private readiness(): Readiness {
    const { exchange, history } = this.parts
    const { requireMarkets } = this.options.config
    return readinessOf({ exchange, missing: history.missing(), requireMarkets })
  }

  private watched(): WatchedExchange {
    const { data, engineNow } = this.parts
    return {
      ...{ mode: this.options.config.mode, version },
      view: () => data.sequencer.view,
      now: engineNow,
      missing: () => this.readiness().missing,
      diskFree: () => data.diskFree,
      appended: () => data.sequencer.appended,
    }
  }

  private gateways(count: number, metrics: Metrics): LeadersFront {
    const { config, log, wsLimits = {}, onFatal } = this.options
    return new Gateways({
      ...{ config, log, wsLimits, count, metrics },
      needsCompatPort: isChosen(config, 'compatPort'),
      data: this.parts.data,
      peers: this.peers!,
      fault: onFatal,
    })
  }

  /** Serves the public API in this process. */
  private ownFront(metrics: Metrics, intake: Intake): LeadersFront {
    const { config, log, wsLimits = {} } = this.options
    const { data, exchange, history, own } = this.parts
    const { registry } = metrics
    const front = createFront({
      ...{ config, log, exchange, history, metrics, intake, wsLimits },
      sequencing: data.sequencer,
      journal: () => data.sequencer.appended,
      metricsPage: config.metrics === 'public' ? registry : null,
      limit: own.limit,
      owner: own.owner,
      verifiers: this.verifiers!,
      needsCompatPort: isChosen(config, 'compatPort'),
      serving: null,
      mayAnswer: this.mayAnswer,
    })
    const settled = async () => this.peers?.settled()
    return { ...front, metricsPage: registry, settled }
  }

  private adminPlane(intake: Intake): FastifyInstance {
    const { config, tokens, log } = this.options
    const { data, history, exchange, drain, sources } = this.parts
    const { front, mayAnswer } = this
    const pushPrices = pricesInto(sources.prices, data)
    const prices = () => pricesOf(sources.prices)
    const caps = adminCaps(config)
    const admin = createAdmin({
      ...{ exchange, tokens, log },
      operator: createOperator({
        ...{ folder: config.data, data, history, pushPrices, prices, drain },
        leverageOverrides: config.leverageOverrides,
        webhooks: () => this.parts.webhooks.status(),
        redeliver: (...args) => this.parts.webhooks.redeliver(...args),
        treasury: () => this.parts.treasury.status(),
        load: () => intake.load,
        commandsWaiting: () => data.sequencer.waitingCount,
        readiness: () => this.readiness(),
      }),
      failedTokens: this.failedTokens,
      trusted: parseTrustedProxies(config.trustedProxies),
      allowedHosts: config.allowedHosts,
      consoleFolder,
      proven: caps.proven,
      metrics: config.metrics === 'public' ? null : front.metricsPage,
      settled: () => front.settled(),
    })
    // For proxies: only a node that leads has this plane. Says nothing about the exchange.
    admin.get('/leading', async () => ({ status: 'leading' }))
    caps.guard(admin.server)
    if (mayAnswer !== null) guardAnswers(admin.server, mayAnswer)
    return admin
  }

  private readersAt(door: LinkDoor): ReaderNodes {
    const { config, log, onFatal } = this.options
    const { data, sources, exchange, receipts } = this.parts
    const { mode, credits: creditsPerIp, leaseMs } = config
    const signatures = new SignatureChecks(this.verifiers!, exchange.settings.venue, mode)
    const checks = new Door(exchange, signatures, null)
    const mayAnswer = () => data.mayAnswer
    const requests = new ReaderRequests({ door: checks, mode, log, mayAnswer })
    const readers = new ReaderNodes({
      ...{ data, log, leaseMs, creditsPerIp, requests, receipts },
      peers: this.peers!,
      sandbox: sources.sandbox,
      fault: onFatal,
    })
    door.leadTo((stream, node) => readers.take(stream, node))
    return readers
  }
}

/** Address at which other machines reach the admin plane. */
function adminAddress({ adminHost, linkHost }: Config, port: number): string {
  const host = ['0.0.0.0', '::'].includes(adminHost) ? linkHost : adminHost
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

function peersOf({ onFatal }: RunOptions, parts: LeadersParts): Peers {
  const { history, closed, data, own, sources, exchange, receipts } = parts
  const { sandbox } = sources
  const { disputedPrices } = exchange
  const shared = { history, closed, own, sandbox, disputedPrices, receipts }
  return new Peers({ ...shared, sequencer: data.sequencer, fault: onFatal })
}
