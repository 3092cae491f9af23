// Gateway processes beside the leader: they share the public port, and each is started again when
// it dies. What concerns them all is told here: whether orders are taken, how far history is
// stored, which keys were used.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import type { Closed } from '../../gateway/exchange.ts'
import type { MetricsPage } from '../../gateway/http/probes.ts'
import type { Spent } from '../../gateway/limits/rate-limit.ts'
import { AggregatorRegistry } from '../../gateway/packages.ts'
import type { Sandbox } from '../../gateway/sandbox.ts'
import type { WsLimits } from '../../gateway/ws/limits.ts'
import type { OpenHistory } from '../../projections/history/create-history.ts'
import type { ExchangeData } from '../../sequencer/exchange-data.ts'
import type { Served } from '../../sequencer/link/calls.ts'
import { kindOf } from '../../sequencer/outcome.ts'
import { disarmConnections, endConnections } from '../armed-connections.ts'
import type { LeadersFront, PublicPorts } from '../front/front.ts'
import type { Metrics } from '../metrics.ts'
import type { Begin, Status } from './begin.ts'
import { foundPorts } from './found-ports.ts'
import { GatewayLife } from './gateway-life.ts'
import type { KeysUsed } from './shared-key-use.ts'
import { servedSandbox } from './shared-sandbox.ts'

/** How soon gateways learn that orders are taken again, or no more. */
const statusMs = 50
/** One that has not answered for so long is stuck: whoever is connected to it waits in vain. */
const silentMsMax = 10_000
const askMs = 2_000
/** Whoever asks the leader for something does not wait longer for a gateway that is slow. */
const settleMsMax = 1_000
/** One that dies again and again is started less often. */
const restartMs = { first: 100, most: 10_000 }

export type GatewaysParts = Readonly<{
  config: Config
  needsCompatPort: boolean
  wsLimits: Partial<WsLimits>
  count: number
  log: Logger
  data: ExchangeData
  history: OpenHistory
  sandbox: Sandbox | null
  metrics: Metrics
  closed: () => Closed
  fault: (error: unknown) => void
}>

export class Gateways implements LeadersFront {
  private readonly parts: GatewaysParts
  private readonly lives = new Map<number, GatewayLife>()
  private readonly restarts = new Set<NodeJS.Timeout>()
  private readonly served: Served
  private readonly unfollow: (() => void)[]
  private told: Status
  private ports: PublicPorts | null = null
  private asked: Pick<Config, 'port' | 'compatPort'>
  private closing = false

  constructor(parts: GatewaysParts) {
    this.parts = parts
    const { config, data, history, sandbox } = parts
    this.asked = config
    this.told = this.status()
    this.served = {
      storeTo: (seq: number) => history.commitTo(seq),
      metrics: () => this.metricsPage.metrics(),
      ...(sandbox !== null && servedSandbox(sandbox, () => this.settled())),
    }
    history.onStored((seq) => this.tell('stored', seq))
    const watch = setInterval(() => this.tellStatus(), statusMs).unref()
    const ask = setInterval(() => this.endSilent(), askMs).unref()
    this.unfollow = [
      () => clearInterval(watch),
      () => clearInterval(ask),
      data.sequencer.onBatch(({ outcomes }) => {
        if (kindOf(outcomes[0]!) === 'revert') this.disarmOfTheDead()
      }),
    ]
  }

  /** Of the leader and all gateways. */
  readonly metricsPage: MetricsPage = {
    get contentType() {
      return AggregatorRegistry.PROMETHEUS_CONTENT_TYPE
    },
    metrics: async () => {
      const { registry } = this.parts.metrics
      const others = await Promise.all(this.askAll<object[]>('metrics'))
      const all = [await registry.getMetricsAsJSON(), ...others]
      return AggregatorRegistry.aggregate(all.filter((each) => each !== undefined)).metrics()
    },
  }

  /** A port of 0 is found before they begin: all have the same, also one that comes later. */
  async listen(): Promise<PublicPorts> {
    this.asked = await foundPorts(this.parts.config)
    const places = Array.from({ length: this.parts.count }, (_, n) => n + 1)
    const [first, ...others] = places.map((place) => this.begin(place))
    const [ports] = await Promise.all([first!.listening, ...others.map((each) => each.listening)])
    this.ports = ports!
    return ports!
  }

  async close(): Promise<void> {
    this.closing = true
    for (const restart of this.restarts) clearTimeout(restart)
    await Promise.all([...this.lives.values()].map((life) => life.close()))
    for (const each of this.unfollow) each()
  }

  /** Resolves when every gateway has seen what happened so far, but for one that is stuck. */
  async settled(): Promise<void> {
    this.tellStatus()
    const ending = new AbortController()
    const late = sleep(settleMsMax, undefined, { signal: ending.signal }).catch(() => undefined)
    await Promise.race([Promise.all(this.askAll('here')), late])
    ending.abort()
  }

  private begin(place: number, delayMs: number = restartMs.first): GatewayLife {
    const { data, log } = this.parts
    const begunAt = performance.now()
    const begin = this.beginOf(place)
    const life = new GatewayLife({ begin, data, served: (each) => this.servedTo(each) })
    this.lives.set(place, life)
    life.listening.then(
      () => log.info({ gateway: place, gatewayPid: life.pid }, 'a gateway serves'),
      // Told by whoever began it, or by its end.
      () => undefined,
    )
    void life.ended.then((why) => {
      if (this.closing) return
      const lasted = performance.now() - begunAt > restartMs.most
      this.died(life, place, why, lasted ? restartMs.first : delayMs)
    })
    return life
  }

  private beginOf(place: number): Omit<Begin, 'owner'> {
    const { config, count, needsCompatPort, wsLimits } = this.parts
    return {
      config: {
        ...config,
        port: this.asked.port,
        compatPort: this.asked.compatPort,
        // What it has no business with.
        adminTokens: [],
        verifiers: Math.max(1, Math.ceil(config.verifiers / count)),
        connections: Math.ceil(config.connections / count),
      },
      needsCompatPort,
      wsLimits,
      place,
    }
  }

  private servedTo(life: GatewayLife): Served {
    return {
      ...this.served,
      ready: () => ({ status: this.told, storedSeq: this.parts.history.seq() }),
      keysUsed: (used: KeysUsed) => this.tellOthers(life, 'keysUsed', used),
      spent: (spent: readonly Spent[]) => this.tellOthers(life, 'spent', spent),
    }
  }

  /** What was armed on its connections is cancelled, as when they end one by one. */
  private died(life: GatewayLife, place: number, why: string, delayMs: number): void {
    const { log, data, fault } = this.parts
    this.lives.delete(place)
    // Nobody has come this far: the start has failed, and whoever began it knows.
    if (this.ports === null) return
    log.error({ gateway: place, why, againMs: delayMs }, 'a gateway ended and is started again')
    endConnections(data.sequencer, (connection) => connection.startsWith(life.owner)).catch(fault)
    const restart = setTimeout(() => {
      this.restarts.delete(restart)
      this.begin(place, Math.min(2 * delayMs, restartMs.most))
    }, delayMs)
    this.restarts.add(restart)
  }

  /** A revert brought back what the connections of gateways had armed that are gone since. */
  private disarmOfTheDead(): void {
    const { data, fault } = this.parts
    const owners = [...this.lives.values()].map(({ owner }) => owner)
    const isDead = (connection: string) => !owners.some((owner) => connection.startsWith(owner))
    disarmConnections(data.sequencer, isDead).catch(fault)
  }

  private tellOthers(life: GatewayLife, name: string, what: unknown): void {
    for (const other of this.lives.values()) if (other !== life) other.calls?.tell(name, what)
  }

  private tell(name: string, ...args: readonly unknown[]): void {
    for (const { calls } of this.lives.values()) calls?.tell(name, ...args)
  }

  /** Undefined: of one that is gone. */
  private askAll<T>(name: string): Promise<T | undefined>[] {
    return [...this.lives.values()].flatMap(({ calls }) =>
      calls === null ? [] : [calls.ask<T>(name).catch(() => undefined)],
    )
  }

  private endSilent(): void {
    for (const [place, life] of this.lives) {
      if (life.silentMs() < silentMsMax) continue
      this.parts.log.error({ gateway: place }, `a gateway did not answer for ${silentMsMax} ms`)
      life.kill()
    }
  }

  private status(): Status {
    const { closed, history } = this.parts
    return { closed: closed(), historyMissing: history.missing() }
  }

  private tellStatus(): void {
    const status = this.status()
    const { closed, historyMissing } = this.told
    if (status.closed === closed && status.historyMissing === historyMissing) return
    this.told = status
    this.tell('status', status)
  }
}
