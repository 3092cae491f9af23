// A gateway process. It follows the leader's frames with its own replica, and serves the public API
// from that replica. It reads the data folder but never writes to it; commands go to the leader. It
// exits when the leader exits.

import { Socket } from 'node:net'
import { type Logger, pino } from 'pino'
import { Intake } from '../../gateway/intake/intake.ts'
import { AggregatorRegistry } from '../../gateway/packages.ts'
import { machineMs } from '../../journal/store/machine-clock.ts'
import {
  createHistoryReader,
  type HistoryReader,
} from '../../projections/history/reader/create-history-reader.ts'
import { storeFile } from '../../projections/history/store-file.ts'
import type { Served } from '../../sequencer/link/calls.ts'
import { Followed } from '../../sequencer/link/followed.ts'
import { LeaderLink } from '../../sequencer/link/leader-link.ts'
import { type Asking, RemoteSequencer } from '../../sequencer/link/remote-sequencer.ts'
import { followFolder } from '../../sequencer/replica/follow-folder.ts'
import { openApiKeys } from '../open-api-keys.ts'
import type { Ready, Status } from '../peers/peers.ts'
import { type FollowingFront, serveFollowing } from '../peers/serve-following.ts'
import { type Begin, type FailedStart, linkFd } from './begin.ts'

class Gateway {
  private readonly begun: Begin
  private readonly log: Logger
  private readonly intake = new Intake()
  private status: Status = { closed: 'starting', historyMissing: null }
  private storedSeq = 0
  /** In a cluster: time at which the lease ends, on the clock of this machine. */
  private answersUntil = 0
  private remote!: RemoteSequencer
  private history!: HistoryReader
  private serving: FollowingFront | null = null
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
    this.calls.notify('recovered')
    if (config.cluster !== '') this.answersUntil = await this.calls.ask<number>('lease')
    const { status, storedSeq } = await this.calls.ask<Ready>('ready')
    this.status = status
    this.storedSeq = storedSeq
    try {
      this.calls.notify('listening', await this.serve())
    } catch (error) {
      const { message, code, port } = error as FailedStart
      await this.calls.ask('failed', { message, code, port })
      process.exit(1)
    }
  }

  /** Calls that the leader may make, some of which arrive before the start is complete. */
  private served(): Served {
    const later =
      (name: string, otherwise?: unknown) =>
      (...args: never[]) =>
        this.serving === null ? otherwise : this.serving.served[name]!(...args)
    return {
      here: () => undefined,
      keysUsed: later('keysUsed'),
      spent: later('spent'),
      checkpoint: later('checkpoint'),
      metrics: later('metrics', []),
      status: (status: Status) => this.setStatus(status),
      lease: (until: number) => {
        this.answersUntil = until
      },
      stored: (seq: number) => {
        this.storedSeq = seq
        this.history?.stored(seq)
      },
      close: () => this.close(),
    }
  }

  private setStatus(status: Status): void {
    const isBack = this.status.historyMissing !== null && status.historyMissing === null
    this.status = status
    // The store may have been replaced by a new file.
    if (isBack) void this.history?.reopen()
  }

  private async serve() {
    const { config, wsLimits, owner, place, needsCompatPort } = this.begun
    const { remote, calls, log, intake } = this
    this.history = await createHistoryReader({
      file: storeFile(config.data),
      want: (seq) => calls.notify('storeTo', seq),
      reached: async (seq) => void (await remote.reached(seq, Number.POSITIVE_INFINITY)),
    })
    this.history.stored(this.storedSeq)
    const missing = () => this.status.historyMissing ?? this.history.missing()
    const contentType = AggregatorRegistry.PROMETHEUS_CONTENT_TYPE
    const page = { contentType, metrics: () => calls.ask<string>('metrics') }
    this.serving = await serveFollowing({
      ...{ config, log, intake, wsLimits, owner, needsCompatPort },
      sequencing: remote,
      apiKeys: await openApiKeys(config.data, remote.view, log),
      history: { ...this.history, missing },
      closed: () => this.status.closed ?? (remote.view.mode === 'halted' ? 'halted' : null),
      disputedPrices: () => this.status.disputedPrices ?? [],
      historySeq: () => this.storedSeq,
      process: `gateway ${place}`,
      metricsPage: () => (config.metrics === 'public' ? page : null),
      serving: null,
      mayAnswer: config.cluster === '' ? null : () => machineMs() < this.answersUntil,
      fault: fatal(log),
    })
    return this.serving.front.listen()
  }

  /** Completes pending requests; the leader then closes the link. */
  private async close(): Promise<void> {
    this.closing = true
    await this.serving?.front.close()
    await this.history?.close()
  }

  private lost(error: unknown): void {
    if (!this.closing) this.log.error({ err: error }, 'connection to the leader lost')
    process.exit(this.closing ? 0 : 1)
  }
}

const fatal = (log: Logger) => (error: unknown) => {
  log.fatal({ err: error }, 'the gateway cannot go on')
  process.exit(1)
}

// The leader stops the gateway, so signals to the whole process group are ignored.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
process.once('message', (begun: Begin) => {
  const onFatal = fatal(pino({ level: begun.config.logLevel }, pino.destination(2)))
  process.on('uncaughtException', onFatal)
  process.on('unhandledRejection', onFatal)
  new Gateway(begun).start().catch(onFatal)
})
// Messages that arrive while modules are loading would be lost, so the leader waits for this one.
process.send!('loaded')
