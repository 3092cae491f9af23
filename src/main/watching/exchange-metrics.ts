// Metrics of the exchange on the metrics page of the leader: markets, reserves, pending
// withdrawals, errors, the disk. Values are read on each scrape; only counts of events are updated
// as the events happen.

import {
  type EventType,
  type ExchangeView,
  kindAt,
  kindOfEvent,
  type MarketView,
  nextAfter,
  type Step,
} from '../../core/index.ts'
import { Counter, Gauge, Histogram, type Registry } from '../../gateway/packages.ts'
import type { Batch } from '../../sequencer/outcome.ts'

export type WatchedExchange = Readonly<{
  mode: string
  version: string
  view(): ExchangeView
  /** Engine time. */
  now(): number
  /** Why the exchange is not ready; `null` if it is ready. */
  missing(): string | null
  diskFree(): number
  /** Time at which the newest batch was sent to the journal, and at which it became durable. */
  appended(): Readonly<{ begunAt: number; endedAt: number }>
}>

const usdOf = (microDollars: number) => microDollars / 1_000_000
const priceOf = (ticks: number, { value, scale }: Step) => (ticks * value) / 10 ** scale

/** Kinds of events that need attention if many occur. */
const counted = [
  'Traded',
  'CommandRejected',
  'LiquidationStarted',
  'BackstopTookOver',
  'InsurancePaid',
  'Deleveraged',
  'DeficitBooked',
  'BreachReported',
] as const satisfies readonly EventType[]

type Labelled = readonly (readonly [Record<string, string>, number])[]

export function addExchangeMetrics(registry: Registry, watched: WatchedExchange) {
  const registers = [registry]
  const rows = (name: string, help: string, labelNames: string[], read: () => Labelled) =>
    new Gauge({
      ...{ name, help, labelNames, registers },
      collect() {
        this.reset()
        for (const [labels, value] of read()) this.set(labels, value)
      },
    })
  const { mode, version } = watched
  rows('openperp_info', 'Always 1; the labels show mode and version', ['mode', 'version'], () => [
    [{ mode, version }, 1],
  ])
  rows('openperp_exchange_mode', '1 for the mode of the whole exchange', ['mode'], () => [
    [{ mode: watched.view().mode }, 1],
  ])
  addMarkets(rows, watched)
  addSingle(registry, watched)
  const syncs = new Histogram({
    name: 'openperp_journal_append_seconds',
    help: 'Time from sending a batch to the journal until it is durable',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers,
  })
  const counts = countsOf(registry)
  return (batch: Batch) => {
    const { begunAt, endedAt } = watched.appended()
    syncs.observe((endedAt - begunAt) / 1_000)
    counts(batch)
  }
}

type Rows = (name: string, help: string, labelNames: string[], read: () => Labelled) => unknown

/** Returns the dislocation of the book. Above 1 the book is further from the index than funding
 *  accounts for; 0 if either side has no price. A single account can cause it, so it triggers
 *  nothing. */
function dislocationOf({ impactBid, impactAsk, oracle, premiumPpmMax }: MarketView): number {
  if (impactBid === 0 || impactAsk === 0) return 0
  const away = Math.abs((impactBid + impactAsk) / 2 - oracle)
  return away / ((oracle * premiumPpmMax) / 1_000_000)
}

function addMarkets(rows: Rows, { view, now }: WatchedExchange): void {
  const each = (read: (market: MarketView) => number) =>
    view()
      .markets.all()
      .filter(({ settled }) => !settled)
      .map((market) => [{ market: market.params.symbol }, read(market)] as const)
  rows(
    'openperp_market_status',
    '1 for the current status of the market',
    ['market', 'status'],
    () =>
      view()
        .markets.all()
        .map(({ params, status }) => [{ market: params.symbol, status }, 1] as const),
  )
  rows('openperp_market_price_age_seconds', 'Time since the newest price', ['market'], () => {
    // Without prices and orders the journal may not grow for an hour, which is normal.
    const idleMs = Math.max(0, now() - view().atMs)
    return each(({ priceAgeMs }) => (priceAgeMs + idleMs) / 1_000)
  })
  rows('openperp_market_mark_usd', 'Mark price', ['market'], () =>
    each(({ mark, params }) => priceOf(mark, params.tickSize)),
  )
  rows(
    'openperp_market_dislocation',
    'Distance of the middle of the impact prices from the index price, as a multiple ' +
      'of the maximum premium',
    ['market'],
    () => each(dislocationOf),
  )
  rows('openperp_market_open_interest_usd', 'Open interest at mark', ['market'], () =>
    each((market) => usdOf(market.valueOf(market.openInterest, market.mark))),
  )
  rows('openperp_market_backstop_usd', 'Balance of the backstop of the market', ['market'], () =>
    each(({ id }) => usdOf(view().money.backstopOf(id).balance)),
  )
}

function addSingle(registry: Registry, watched: WatchedExchange): void {
  const money = () => watched.view().money
  const oldest = () => money().withdrawals()[0]?.requestedAt
  const gauges: Readonly<Record<string, readonly [string, () => number]>> = {
    openperp_ready: [
      '1 if GET /ready reports that the exchange is ready',
      () => Number(watched.missing() === null),
    ],
    openperp_accounts: ['Number of accounts opened so far', () => watched.view().accounts.count],
    openperp_insurance_fund_usd: [
      'Balance of the insurance fund',
      () => usdOf(money().insurance.balance),
    ],
    openperp_insurance_daily_limit_usd: [
      'Maximum that the insurance fund pays today',
      () => usdOf(money().fundToday.max),
    ],
    openperp_insurance_paid_today_usd: [
      'Amount that the insurance fund has paid today',
      () => usdOf(money().fundToday.paid),
    ],
    openperp_deficit_usd: [
      'Uncovered debt of accounts, zero or negative',
      () => usdOf(money().deficit.balance),
    ],
    openperp_fees_usd: ['Balance of the fee account', () => usdOf(money().fees.balance)],
    openperp_withdrawals_waiting: [
      'Pending withdrawals: neither completed nor failed',
      () => money().withdrawals().length,
    ],
    openperp_withdrawals_waiting_usd: [
      'Total amount of pending withdrawals',
      () =>
        usdOf(
          money()
            .withdrawals()
            .reduce((sum, { amount }) => sum + amount, 0),
        ),
    ],
    openperp_withdrawal_oldest_seconds: [
      'Age of the oldest pending withdrawal; 0 if there is none',
      () => Math.max(0, watched.now() - (oldest() ?? watched.now())) / 1_000,
    ],
    openperp_disk_free_bytes: ['Free disk space at the data folder', watched.diskFree],
  }
  for (const [name, [help, read]] of Object.entries(gauges))
    new Gauge({
      ...{ name, help, registers: [registry] },
      collect() {
        this.set(read())
      },
    })
}

/** Counts events by kind. The counters are in an array indexed by kind, for speed. */
function countsOf(registry: Registry): (batch: Batch) => void {
  const seen = new Float64Array(256)
  new Counter({
    name: 'openperp_events_total',
    help: 'Events since startup',
    labelNames: ['event'],
    registers: [registry],
    collect() {
      this.reset()
      for (const event of counted) this.inc({ event }, seen[kindOfEvent(event)]!)
    },
  })
  return ({ outcomes }) => {
    for (const { log, first, end } of outcomes)
      for (let at = first; at < end; at = nextAfter(log.rows, at)) seen[kindAt(log.rows, at)]! += 1
  }
}
