// A gateway process: follows the leader's frames with a replica of its own, and serves the public
// from it. It reads the data folder and writes nothing there; commands go to the leader. When the
// leader goes, it goes.

import { Socket } from 'node:net'
import { type Logger, pino } from 'pino'
import { Intake } from '../../gateway/intake/intake.ts'
import type { Spent } from '../../gateway/limits/rate-limit.ts'
import {
  createHistoryReader,
  type HistoryReader,
} from '../../projections/history/reader/create-history-reader.ts'
import { storeFile } from '../../projections/history/store-file.ts'
import { Followed } from '../../sequencer/link/followed.ts'
import { LeaderLink } from '../../sequencer/link/leader-link.ts'
import { type Asking, RemoteSequencer } from '../../sequencer/link/remote-sequencer.ts'
import { followFolder } from '../../sequencer/replica/follow-folder.ts'
import { followStatistics } from '../follow-statistics.ts'
import { exchangeOver } from '../front/exchange-over.ts'
import { createFront, type PublicSide } from '../front/front.ts'
import { createMetrics, type Metrics } from '../metrics.ts'
import { openApiKeys } from '../open-api-keys.ts'
import { type Begin, type FailedStart, linkFd, type Ready, type Status } from './begin.ts'
import { type SharedCredits, sharedCredits } from './shared-credits.ts'
import { type KeysUsed, type SharedKeyUse, sharedKeyUse } from './shared-key-use.ts'
import { remoteSandbox } from './shared-sandbox.ts'

class Gateway {
  private readonly begun: Begin
  private readonly log: Logger
  private readonly intake = new Intake()
  private status: Status = { closed: 'starting', historyMissing: null }
  private storedSeq = 0
  private remote!: RemoteSequencer
  private history!: HistoryReader
  private keyUse!: SharedKeyUse
  private credits: SharedCredits | null = null
  private metrics!: Metrics
  private front!: PublicSide
  private closing = false

  constructor(begun: Begin) {
    this.begun = begun
    const { config, place } = begun
    this.log = pino(
      { level: config.logLevel, base: { pid: process.pid, gateway: place } },
      pino.destination(2),
    )
  }

  private get calls(): Asking {
    return this.remote.calls
  }

  async start(): Promise<void> {
    const { config } = this.begun
    const stream = new Socket({ fd: linkFd, readable: true, writable: true })
    const link = new LeaderLink(stream, this.served())
    const end = await link.welcome()
    const follower = await followFolder(config.data, end)
    this.remote = new RemoteSequencer(new Followed({ follower, end }))
    this.remote.followOver(link).catch((error: unknown) => this.lost(error))
    this.calls.tell('recovered')
    const { status, storedSeq } = await this.calls.ask<Ready>('ready')
    this.status = status
    this.storedSeq = storedSeq
    try {
      this.calls.tell('listening', await this.serve())
    } catch (error) {
      const { message, code, port } = error as FailedStart
      await this.calls.ask('failed', { message, code, port })
      process.exit(1)
    }
  }

  /** What the leader asks and tells, some of it before everything is there. */
  private served() {
    return {
      /** Answered behind every frame that was told before. */
      here: () => undefined,
      status: (status: Status) => this.setStatus(status),
      stored: (seq: number) => {
        this.storedSeq = seq
        this.history?.stored(seq)
      },
      keysUsed: (used: KeysUsed) => this.keyUse?.heard(used),
      spent: (spent: readonly Spent[]) => this.credits?.heard(spent),
      metrics: () => this.metrics?.registry.getMetricsAsJSON() ?? [],
      close: () => this.close(),
    }
  }

  private setStatus(status: Status): void {
    const isBack = this.status.historyMissing !== null && status.historyMissing === null
    this.status = status
    // The store may be another file now.
    if (isBack) void this.history?.reopen()
  }

  private async serve() {
    const { config, wsLimits, owner, place, needsCompatPort } = this.begun
    const { remote, calls, log, intake } = this
    this.history = await createHistoryReader({
      file: storeFile(config.data),
      want: (seq) => calls.tell('storeTo', seq),
      reached: async (seq) => void (await remote.reached(seq, Number.POSITIVE_INFINITY)),
    })
    this.history.stored(this.storedSeq)
    if (config.rateLimit === 'on')
      this.credits = sharedCredits(config.credits, (spent) => calls.tell('spent', spent))
    this.keyUse = sharedKeyUse((used) => calls.tell('keysUsed', used))
    this.metrics = createMetrics({
      process: `gateway ${place}`,
      seq: () => remote.seq,
      waiting: () => remote.waitingCount,
      load: () => intake.load,
      historySeq: () => this.storedSeq,
      engineNow: () => remote.view.atMs,
    })
    remote.onBatch((batch) => this.metrics.tell(batch))
    const statistics = await followStatistics(remote, this.history, fatal(log))
    const { contentType } = this.metrics.registry
    const exchange = exchangeOver(remote, {
      config,
      history: this.history.history,
      statistics: statistics.statistics,
      closed: () => this.status.closed ?? (remote.view.mode === 'halted' ? 'halted' : null),
      keyUse: this.keyUse,
      apiKeys: await openApiKeys(config.data, remote.view, log),
      sandbox: config.mode === 'sandbox' ? remoteSandbox(calls) : null,
    })
    const missing = () => this.status.historyMissing ?? this.history.missing()
    this.front = createFront({
      mayAnswer: null,
      config,
      log,
      sequencing: remote,
      exchange,
      history: { ...this.history, missing },
      metrics: this.metrics,
      metricsPage:
        config.metrics === 'public' ? { contentType, metrics: () => calls.ask('metrics') } : null,
      limit: this.credits?.limit ?? null,
      intake,
      wsLimits,
      owner,
      needsCompatPort,
    })
    return this.front.listen()
  }

  /** Answers what is under way; the leader then lets go. */
  private async close(): Promise<void> {
    this.closing = true
    await this.front?.close()
    await this.history?.close()
  }

  private lost(error: unknown): void {
    if (!this.closing) this.log.error({ err: error }, 'the leader is gone')
    process.exit(this.closing ? 0 : 1)
  }
}

const fatal = (log: Logger) => (error: unknown) => {
  log.fatal({ err: error }, 'the gateway cannot go on')
  process.exit(1)
}

// The leader stops us, also when a signal goes to the whole group.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
process.once('message', (begun: Begin) => {
  const onFatal = fatal(pino({ level: begun.config.logLevel }, pino.destination(2)))
  process.on('uncaughtException', onFatal)
  process.on('unhandledRejection', onFatal)
  new Gateway(begun).start().catch(onFatal)
})
// A message that comes while our modules are being read would be lost, so we ask for it.
process.send!('loaded')
