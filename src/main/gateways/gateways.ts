// The gateway processes of the leader. They share the public port, and each is restarted when it
// exits.

import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import type { MetricsPage } from '../../gateway/http/probes.ts'
import { AggregatorRegistry } from '../../gateway/packages.ts'
import type { WsLimits } from '../../gateway/ws/limits.ts'
import { machineMs } from '../../journal/store/machine-clock.ts'
import type { ExchangeData } from '../../sequencer/exchange-data.ts'
import type { Served } from '../../sequencer/link/calls.ts'
import type { LeadersFront, PublicPorts } from '../front/front.ts'
import type { Metrics } from '../metrics.ts'
import { endConnections } from '../peers/armed-connections.ts'
import type { Peers } from '../peers/peers.ts'
import type { Begin } from './begin.ts'
import { foundPorts } from './found-ports.ts'
import { GatewayLife } from './gateway-life.ts'

/** After this time without an answer a gateway that serves is considered stuck, because its clients
 *  get no answers. One that starts has no clients, and may take longer on a busy machine. */
const unansweredMsMax = 10_000
const startMsMax = 120_000
const askMs = 2_000
/** Interval in ms at which the end of the lease is published, short so that gateways can use nearly
 *  all of the lease. */
const leasePublishedMs = 50
/** Restart delays, which grow while a gateway exits repeatedly. */
const restartMs = { first: 100, most: 10_000 }

export type GatewaysParts = Readonly<{
  config: Config
  needsCompatPort: boolean
  wsLimits: Partial<WsLimits>
  count: number
  log: Logger
  data: ExchangeData
  peers: Peers
  metrics: Metrics
  fault: (error: unknown) => void
}>

export class Gateways implements LeadersFront {
  private readonly parts: GatewaysParts
  private readonly lives = new Map<number, GatewayLife>()
  private readonly restarts = new Set<NodeJS.Timeout>()
  private readonly timers: readonly NodeJS.Timeout[]
  private ports: PublicPorts | null = null
  private wantedPorts: Pick<Config, 'port' | 'compatPort'>
  private closing = false

  constructor(parts: GatewaysParts) {
    this.parts = parts
    this.wantedPorts = parts.config
    this.timers = [
      setInterval(() => this.killUnresponsive(), askMs).unref(),
      ...(parts.config.cluster === ''
        ? []
        : [setInterval(() => this.publishLease(), leasePublishedMs).unref()]),
    ]
    process.once('exit', this.kill)
  }

  /** Metrics of the leader and all gateways. */
  readonly metricsPage: MetricsPage = {
    get contentType() {
      return AggregatorRegistry.PROMETHEUS_CONTENT_TYPE
    },
    metrics: async () => {
      const { registry } = this.parts.metrics
      const { peers } = this.parts
      const others = await Promise.all(peers.askAll<object[]>('metrics', this.lives.values()))
      const all = [await registry.getMetricsAsJSON(), ...others]
      return AggregatorRegistry.aggregate(all.filter((each) => each !== undefined)).metrics()
    },
  }

  /** Starts the gateways. Port 0 is resolved before, so that all gateways share one port, including
   *  restarted ones. */
  async listen(): Promise<PublicPorts> {
    this.wantedPorts = await foundPorts(this.parts.config)
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
    for (const timer of this.timers) clearInterval(timer)
    process.removeListener('exit', this.kill)
  }

  settled(): Promise<void> {
    return this.parts.peers.settled()
  }

  private begin(place: number, delayMs: number = restartMs.first): GatewayLife {
    const { data, log, peers } = this.parts
    const begunAt = performance.now()
    const begin = this.beginOf(place)
    const life = new GatewayLife({ begin, data, served: (each) => this.servedTo(each) })
    this.lives.set(place, life)
    peers.add(life)
    life.listening.then(
      () => log.info({ gateway: place, gatewayPid: life.pid }, 'a gateway serves'),
      // The caller, or the exit of the gateway, reports the error.
      () => undefined,
    )
    void life.ended.then((why) => {
      peers.remove(life)
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
        port: this.wantedPorts.port,
        compatPort: this.wantedPorts.compatPort,
        // Secrets that a gateway must not have.
        adminTokens: [],
        priceSources: [],
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
      ...this.parts.peers.servedTo(life),
      metrics: () => this.metricsPage.metrics(),
      lease: () => this.answersUntil(),
    }
  }

  /** Publishes the end of the leader's lease, after which gateways stop answering. */
  private publishLease(): void {
    const until = this.answersUntil()
    for (const { calls } of this.lives.values()) calls?.notify('lease', until)
  }

  private answersUntil(): number {
    return machineMs() + this.parts.data.leaseLeftMs
  }

  /** Cancels the orders armed on the connections of an exited gateway, as closing each would. */
  private died(life: GatewayLife, place: number, why: string, delayMs: number): void {
    const { log, data, fault } = this.parts
    this.lives.delete(place)
    // No gateway has started, so the start has failed. The caller reports the error.
    if (this.ports === null) return
    log.error({ gateway: place, why, againMs: delayMs }, 'a gateway ended and is started again')
    endConnections(data.sequencer, (connection) => connection.startsWith(life.owner)).catch(fault)
    const restart = setTimeout(() => {
      this.restarts.delete(restart)
      this.begin(place, Math.min(2 * delayMs, restartMs.most))
    }, delayMs)
    this.restarts.add(restart)
  }

  private killUnresponsive(): void {
    for (const [place, life] of this.lives) {
      const msMax = life.serves ? unansweredMsMax : startMsMax
      if (life.unansweredMs() < msMax) continue
      this.parts.log.error({ gateway: place }, `a gateway did not answer for ${msMax} ms`)
      life.kill()
    }
  }

  /** None may outlive the leader, however it ends: one that is busy would notice late. */
  private readonly kill = (): void => {
    for (const life of this.lives.values()) life.kill()
  }
}
