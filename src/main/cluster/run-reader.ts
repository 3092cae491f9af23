// A read node of a cluster: it serves the public API from replicated frames, with its own folder
// and history, checks signatures of its clients, and forwards their commands to the leader.

import type { FastifyInstance } from 'fastify'
import { isChosen } from '../../config.ts'
import { FailedTokens } from '../../gateway/admin/access/failed-tokens.ts'
import { createAdmin } from '../../gateway/admin/admin-server.ts'
import type { PricesBySource } from '../../gateway/admin/operator.ts'
import type { Closed } from '../../gateway/exchange.ts'
import { readinessOf } from '../../gateway/http/readiness.ts'
import { Intake } from '../../gateway/intake/intake.ts'
import { parseTrustedProxies } from '../../gateway/limits/client-address.ts'
import type { OpenHistory } from '../../projections/history/create-history.ts'
import { type FollowedData, openFollowedData } from '../../sequencer/cluster/followed-data.ts'
import type { Served } from '../../sequencer/link/calls.ts'
import { dialNode, linkKeyOf } from '../../sequencer/link/node-link.ts'
import type { OpenedFolder } from '../../sequencer/opened-folder.ts'
import type { Batch } from '../../sequencer/outcome.ts'
import { closeServer, portOf } from '../front/close-server.ts'
import { adminCaps, consoleFolder } from '../front/guard-admin.ts'
import { genesisOf } from '../genesis.ts'
import { createOperator, noPriceFeed } from '../operator.ts'
import type { Status } from '../peers/peers.ts'
import { type FollowingFront, serveFollowing } from '../peers/serve-following.ts'
import { type RecoveredData, recoverData } from '../recovered-data.ts'
import type { RunningExchange, RunOptions } from '../run-options.ts'
import { waitForHistory } from '../wait-for-history.ts'
import { addAccessMetrics } from '../watching/access-metrics.ts'
import { clusterOf } from './cluster-of.ts'
import { LinkDoor } from './link-door.ts'
import { newReaderOwner } from './reader-owner.ts'

/** If the state is older than this, the node reports itself as not ready to load balancers. */
const behindMsMax = 5_000

export async function runReader(options: RunOptions): Promise<RunningExchange> {
  const door = await LinkDoor.open(options.config, options.log)
  const recovered = await recover(options, door).catch((error: unknown) => {
    door.close()
    throw error
  })
  const reader = new Reader(options, recovered, door)
  try {
    return await reader.start()
  } catch (error) {
    await reader.close()
    throw error
  }
}

async function recover({ config, log, onFatal, freeBytes }: RunOptions, door: LinkDoor) {
  const key = linkKeyOf(config.clusterKey)
  const nothing = () => undefined
  const trading = { standby: nothing, inStep: nothing, stepDown: nothing, leadChanges: nothing }
  const cluster = clusterOf(config, log, door.address, trading)
  const caller = { node: config.node, wish: 'follow' } as const
  const dial = (address: string) => dialNode(address, caller, key)
  const onOpened = (opened: OpenedFolder) => door.giveTo(opened)
  const needs = { config, genesis: genesisOf(config), log, onFatal }
  return recoverData({ ...needs, ...(freeBytes !== undefined && { freeBytes }) }, (folder) =>
    openFollowedData({ ...folder, cluster, dial, onOpened }),
  )
}

class Reader {
  private readonly options: RunOptions
  private readonly data: FollowedData
  private readonly history: OpenHistory
  private readonly door: LinkDoor
  private readonly owner = newReaderOwner()
  private readonly intake: Intake
  private status: Status = { closed: null, historyMissing: null }
  private draining = false
  private serving: FollowingFront | null = null
  private admin: FastifyInstance | null = null

  constructor(options: RunOptions, { data, history }: RecoveredData<FollowedData>, door: LinkDoor) {
    this.options = options
    this.intake = options.intake ?? new Intake()
    this.door = door
    this.data = data
    this.history = history
  }

  async start(): Promise<RunningExchange> {
    const { config } = this.options
    const { data } = this
    const recoveredSeq = data.seq
    const serving = await this.serve()
    this.admin = this.adminOf(serving)
    const ports = await serving.front.listen()
    const introduction = { served: this.served(serving), hello: [this.owner] }
    await data.run(introduction, (batch) => this.feed(batch))
    await this.admin.listen({ host: config.adminHost, port: config.adminPort })
    const { exchange } = serving
    const adminPort = portOf(this.admin)
    const drain = () => this.drain()
    return {
      exchange,
      ...ports,
      adminPort,
      recoveredSeq,
      drain,
      close: (onWait) => this.close(onWait),
    }
  }

  async close(onWait: (waitsFor: string) => void = () => undefined): Promise<void> {
    this.drain()
    onWait('requests of clients')
    await this.serving?.front.close()
    if (this.admin !== null) await closeServer(this.admin)
    this.door.close()
    onWait('the replica')
    await this.data.close()
    onWait('the history store')
    await this.history.close()
  }

  private drain(): void {
    this.draining = true
  }

  private async serve(): Promise<FollowingFront> {
    const { config, log, wsLimits = {}, onFatal } = this.options
    const { history, owner, data, intake } = this
    this.serving = await serveFollowing({
      ...{ config, log, wsLimits, intake, owner, history },
      sequencing: data.sequencer,
      closed: () => this.closed(),
      disputedPrices: () => this.status.disputedPrices ?? [],
      historySeq: () => history.seq(),
      process: config.node,
      node: {
        leads: () => false,
        behindMs: () => data.behindMs,
        followers: () => 0,
        leadChanges: () => data.leadChanges,
      },
      metricsPage: ({ registry }) => (config.metrics === 'public' ? registry : null),
      needsCompatPort: isChosen(config, 'compatPort'),
      serving: () => this.missing(),
      clockFault: () => data.clockFault,
      mayAnswer: null,
      fault: onFatal,
    })
    return this.serving
  }

  /** Returns the leader's status, because orders are forwarded to the leader. */
  private closed(): Closed {
    const { data } = this
    if (this.draining) return 'draining'
    if (data.diskLow()) return 'disk_full'
    if (!data.sequencer.isLed) return 'no_leader'
    return this.status.closed ?? (data.view.mode === 'halted' ? 'halted' : null)
  }

  /** Returns why load balancers should not send requests to this node; `null` if they may. They may
   *  also if no node accepts orders. */
  private missing(): string | null {
    if (this.draining) return 'draining'
    if (this.data.diskLow()) return 'disk_full'
    const { behindMs, clockFault } = this.data
    if (behindMs > behindMsMax) return `what it knows is ${Math.round(behindMs)} ms old`
    if (clockFault !== null && this.data.sequencer.isLed) return clockFault
    return this.history.missing()
  }

  private served({ served }: FollowingFront): Served {
    return {
      ...served,
      status: (status: Status) => {
        this.status = status
      },
      // This node has its own history.
      stored: () => undefined,
    }
  }

  /** Applies back-pressure when history falls behind; meanwhile frames are read from the store. */
  private async feed(batch: Batch): Promise<void> {
    const { history } = this
    history.feed(batch)
    if (history.behind()) await waitForHistory(history, this.options.log)
  }

  private adminOf({ exchange, metrics }: FollowingFront): FastifyInstance {
    const { config, tokens, log } = this.options
    const { requireMarkets } = config
    const { data, history } = this
    const { calls } = data.sequencer
    const operator = createOperator({
      ...{ folder: config.data, data, history },
      pushPrices: (...pushed) => {
        if (config.mode === 'sandbox') throw noPriceFeed()
        return calls.ask<readonly string[]>('pushPrices', ...pushed)
      },
      leverageOverrides: config.leverageOverrides,
      // Only the leader delivers webhooks.
      webhooks: () => [],
      redeliver: () => Promise.reject(new Error('only the leader delivers')),
      treasury: () => null,
      prices: () => {
        if (config.mode === 'sandbox') throw noPriceFeed()
        return calls.ask<PricesBySource>('prices')
      },
      load: () => this.intake.load,
      commandsWaiting: () => data.sequencer.waitingCount,
      readiness: () => readinessOf({ exchange, missing: this.missing(), requireMarkets }),
      drain: () => this.drain(),
    })
    const failedTokens = new FailedTokens(log)
    addAccessMetrics(metrics.registry, failedTokens)
    const caps = adminCaps(config)
    const admin = createAdmin({
      ...{ exchange, operator, tokens, log, failedTokens },
      trusted: parseTrustedProxies(config.trustedProxies),
      allowedHosts: config.allowedHosts,
      consoleFolder,
      proven: caps.proven,
      metrics: config.metrics === 'public' ? null : metrics.registry,
      settled: () => Promise.resolve(),
    })
    caps.guard(admin.server)
    return admin
  }
}
