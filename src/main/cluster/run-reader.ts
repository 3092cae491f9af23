// A read node of a cluster: it serves the public API from replicated frames, with its own folder
// and history, checks the requests of its clients, and forwards them to the leader. It has no
// secret of the exchange: only its own key for the link, and its own user of the database.

import { randomBytes } from 'node:crypto'
import { isChosen } from '../../config.ts'
import { apiKeyMaker } from '../../gateway/auth/api-keys.ts'
import type { Closed } from '../../gateway/exchange.ts'
import { Intake } from '../../gateway/intake/intake.ts'
import type { OpenHistory } from '../../projections/history/create-history.ts'
import { type FollowedData, openFollowedData } from '../../sequencer/cluster/followed-data.ts'
import { forgetKeySecret } from '../../sequencer/key-secret.ts'
import type { Served } from '../../sequencer/link/calls.ts'
import { dialNode, linkKeyOf } from '../../sequencer/link/node-link.ts'
import type { Batch } from '../../sequencer/outcome.ts'
import { genesisOf } from '../genesis.ts'
import type { Status } from '../peers/peers.ts'
import { type FollowingFront, serveFollowing } from '../peers/serve-following.ts'
import { type RecoveredData, recoverData } from '../recovered-data.ts'
import type { RunningExchange, RunOptions } from '../run-options.ts'
import { waitForHistory } from '../wait-for-history.ts'
import { leaderOver } from './ask-leader.ts'
import { clusterOf } from './cluster-of.ts'
import { newReaderOwner } from './reader-owner.ts'
import { misdirected, StandbyServer } from './standby-server.ts'

/** If the state is older than this, the node reports itself as not ready to load balancers. */
const behindMsMax = 5_000

/** Bytes of a secret that no key is derived from: the leader makes and shows API keys. */
const noSecretBytes = 32

export async function runReader(options: RunOptions): Promise<RunningExchange> {
  const recovered = await recover(options)
  const reader = new Reader(options, recovered)
  try {
    return await reader.start()
  } catch (error) {
    await reader.close()
    throw error
  }
}

async function recover({ config, log, onFatal, freeBytes }: RunOptions) {
  const key = linkKeyOf(config.readerKey)
  const nothing = () => undefined
  const trading = { standby: nothing, inStep: nothing, stepDown: nothing, leadChanges: nothing }
  const cluster = clusterOf(config, log, '', trading)
  const caller = { node: config.node, wish: 'follow' } as const
  const dial = (address: string) => dialNode(address, caller, key)
  // The folder may have been one of a trading node.
  await forgetKeySecret(config.data)
  const needs = { config, genesis: genesisOf(config), log, onFatal }
  return recoverData({ ...needs, ...(freeBytes !== undefined && { freeBytes }) }, (folder) =>
    openFollowedData({ ...folder, cluster, dial }),
  )
}

class Reader {
  private readonly options: RunOptions
  private readonly data: FollowedData
  private readonly history: OpenHistory
  private readonly owner: string
  private readonly intake: Intake
  private status: Status = { closed: null, historyMissing: null }
  private draining = false
  private serving: FollowingFront | null = null
  private admin: StandbyServer | null = null
  /** Address of the leader's admin plane; `null` if it is unknown. */
  private leadersAdmin: string | null = null

  constructor(options: RunOptions, { data, history }: RecoveredData<FollowedData>) {
    this.options = options
    this.intake = options.intake ?? new Intake()
    this.owner = newReaderOwner(options.config.node)
    this.data = data
    this.history = history
  }

  async start(): Promise<RunningExchange> {
    const { data } = this
    const recoveredSeq = data.seq
    const serving = await this.serve()
    const ports = await serving.front.listen()
    const introduction = { served: this.served(serving), hello: [this.owner] }
    await data.run(introduction, (batch) => this.feed(batch))
    this.admin = await this.adminPort(serving)
    const { exchange } = serving
    const adminPort = this.admin.port
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
    await this.admin?.close()
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
      leader: leaderOver(data.sequencer.calls, config.mode),
      apiKeys: apiKeyMaker(randomBytes(noSecretBytes)),
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
      admin: (address: string | null) => {
        this.leadersAdmin = address
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

  /** The admin plane is the leader's. Metrics of this node need no token, because it has none. */
  private adminPort({ metrics }: FollowingFront): Promise<StandbyServer> {
    const { adminHost: host, adminPort: port, metrics: where } = this.options.config
    return StandbyServer.listen({
      ...{ host, port },
      metrics: where === 'public' ? null : metrics.registry,
      requireAllowed: () => Promise.resolve(),
      refusal: () => misdirected(this.data.sequencer.isLed ? this.leadersAdmin : null),
    })
  }
}
