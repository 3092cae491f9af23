// Sources of commands other than clients. A sandbox has simulated prices, bots and the settable
// clock; a venue has the price feed and the machine's clock. Both have the waker, which submits the
// commands that advance time.

import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Sandbox } from '../gateway/sandbox.ts'
import type { OpenHistory } from '../projections/history/create-history.ts'
import type { ExchangeData } from '../sequencer/exchange-data.ts'
import type { EngineClock, SourceMemory } from '../sequencer/ports.ts'
import type { Sequencer } from '../sequencer/sequencer.ts'
import { stateHash, tradingHash } from '../sequencer/snapshots/state-hash.ts'
import { SandboxClock, VenueClock } from '../sources/clock.ts'
import type { SourceExchange } from '../sources/exchange-port.ts'
import { SandboxSources } from '../sources/sandbox.ts'
import { realTimers } from '../sources/timers.ts'
import { Waker } from '../sources/waker.ts'
import { readerOwnerOf } from './cluster/reader-owner.ts'
import { endConnections } from './peers/armed-connections.ts'
import { requireLeverage } from './prices/require-leverage.ts'
import { VenuePrices } from './prices/venue-prices.ts'
import { ClockWatch } from './watching/clock-watch.ts'

/** Sources that are set after construction, because the clock needs the recovered state and the
 *  sequencer needs a clock. */
export class LateSources {
  clock: SandboxClock | VenueClock | null = null
  sandbox: SandboxSources | null = null
  /** Serialized sources that the last revert restored. */
  restored: string | null = null
  private sequencer: Sequencer | null = null

  /** Engine clock, which returns a constant time until the clock is set. */
  readonly engineClock: EngineClock = {
    now: () => this.clock?.now() ?? this.sequencer!.view.atMs,
  }

  /** Source state. On a revert the clock is set back in the same turn, before queued commands get
   *  new timestamps. The sandbox reads the restored text in its own next turn. */
  readonly memory: SourceMemory = {
    save: () => this.sandbox?.sourceMemory.save() ?? '',
    restore: (text) => {
      const { atMs, clockFrozen } = this.sequencer!.view
      this.restored = text
      if (this.clock instanceof SandboxClock) this.clock.setBack(atMs, clockFrozen)
    },
  }

  bind(sequencer: Sequencer): void {
    this.sequencer = sequencer
  }
}

export type Sources = Readonly<{
  sandbox: Sandbox | null
  /** Price feed; `null` in a sandbox, which simulates prices. */
  prices: VenuePrices | null
  rearm(): void
  /** Called when all clients can be served, to backfill simulated history. */
  fillPast(): void
  close(): Promise<void>
}>

export type SourceNeeds = Readonly<{
  config: Config
  data: ExchangeData
  history: OpenHistory
  late: LateSources
  log: Logger
  fault: (error: unknown) => void
}>

export async function startSources(needs: SourceNeeds): Promise<Sources> {
  const { config, data, late, log, fault } = needs
  const { sequencer } = data
  // Connections of an exited process end before time advances. Connections of read nodes are kept,
  // because read nodes did not exit with the leader.
  const isLinked = config.readerKeys !== ''
  await endConnections(sequencer, (name) => !isLinked || readerOwnerOf(name) === null)
  const { atMs } = sequencer.view
  const sandboxClock = config.mode === 'sandbox' ? sandboxClockOf(data) : null
  const clock = sandboxClock ?? new VenueClock(Date.now, atMs)
  late.clock = clock
  requireLeverage(config, sequencer.view, log)
  const isNew = sequencer.view.markets.count === 0
  if (!isNew) sandboxClock?.holdFrom(atMs)
  const exchange = portOf(needs)
  const waker = new Waker({ exchange, clock, fault })
  const isVenue = sandboxClock === null
  const prices = isVenue ? new VenuePrices({ config, exchange, clock, log, fault }) : null
  const clockWatch = isVenue ? clockWatchOf(clock, log) : null
  const unsubscribe = sequencer.onBatch(() => {
    waker.rearm()
    prices?.feed.refresh()
  })
  const close = async () => {
    await late.sandbox?.close()
    prices?.close()
    clockWatch?.close()
    waker.close()
    unsubscribe()
  }
  try {
    const started = { type: 'EngineStarted' } as const
    await sequencer.submit(isVenue ? started : { ...started, pricesStand: true })
    if (sandboxClock !== null) late.sandbox = sandboxOf(needs, exchange, sandboxClock, waker)
    await late.sandbox?.start()
    prices?.start()
    clockWatch?.start()
  } catch (error) {
    await close()
    throw error
  }
  const { sandbox } = late
  const fillPast = () => sandbox?.fillPast()
  return { sandbox, prices, rearm: () => waker.rearm(), fillPast, close }
}

function sandboxClockOf({ genesis, sequencer }: ExchangeData): SandboxClock {
  const { atMs, clockFrozen } = sequencer.view
  const { manualClock } = genesis
  if (manualClock === undefined) return new SandboxClock(Date.now, atMs, clockFrozen)
  return new SandboxClock(Date.now, Math.max(atMs, manualClock.startMs), clockFrozen, true)
}

function clockWatchOf(clock: VenueClock | SandboxClock, log: Logger): ClockWatch {
  const [wall, monotonic] = [() => Date.now(), () => performance.now()]
  return new ClockWatch({ engineNow: () => clock.now(), wall, monotonic, log, timers: realTimers })
}

/** Maximum number of accounts or orders of a state that is hashed in this thread, which takes some
 *  milliseconds. */
const smallMax = 5_000

function portOf({ data, history, late }: SourceNeeds): SourceExchange {
  const { sequencer } = data
  return {
    async hashes() {
      const { view, seq, state } = sequencer
      if (Math.max(view.orders.count, view.accounts.count) > smallMax) return data.hashesNow()
      return { seq, state: stateHash(state), trading: tradingHash(state) }
    },
    submit: (command, by) => sequencer.submit(command, by ?? null),
    get view() {
      return sequencer.view
    },
    get isIdle() {
      return sequencer.isIdle
    },
    takeSnapshot: (id, sources) => sequencer.takeSnapshot(id, sources),
    async revert(id) {
      const outcome = await sequencer.revert(id)
      if (outcome === undefined) return undefined
      // After this call the caller must not find rows of the discarded timeline.
      await history.drained()
      return late.restored ?? undefined
    },
  }
}

function sandboxOf(
  { config, data, fault }: SourceNeeds,
  exchange: SourceExchange,
  clock: SandboxClock,
  waker: Waker,
): SandboxSources {
  return new SandboxSources({
    exchange,
    clock,
    seed: String(config.seed),
    fault,
    clockMoved: () => waker.rearm(),
    snapshots: data.savedStates(),
    bots: config.bots,
    pastMinutes: config.bots ? config.pastMinutes : 0,
    speedBump: config.speedBump,
    cadenceMs: config.sources === 'simulated' ? config.cadence : null,
  })
}
