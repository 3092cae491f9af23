import type { Command } from '../../src/core/commands/commands.ts'
import { columnsOf, kindAt, kindOfEvent, nextAfter } from '../../src/core/events/event-columns.ts'
import { checkInvariants } from '../../src/core/invariants.ts'
import type { TimeMs } from '../../src/units/units.ts'
import { number } from '../../test/support/program/options.ts'
import { LoadRun, type Order, placeCommand } from '../load-run.ts'
import { benchOptions, bytesInUse, collectGarbage, timed, whole } from '../options.ts'

const {
  orders: yearAhead,
  json,
  requireBars,
  say,
} = benchOptions({
  name: 'bench/expiry',
  about:
    'Orders with an expiry time (ORDER-14). A hundred thousand of them expire in one ' +
    'millisecond with takers among them: none of them may trade, and no command may take long. ' +
    'Then orders that expire in a year are placed and cancelled: memory may not grow.',
  options: {
    orders: number(10_000_000, 'orders that expire in a year'),
  },
})

const commandMsMax = 50
const growthMax = 0.2
const passes = 3
const market = 1
const MIDDLE = 50_000
/** Prices on each side, next to the middle. */
const prices = 100
const aheadMs = 60_000
const yearMs = 365 * 86_400_000
const cancelled = kindOfEvent('OrderCancelled')
const traded = kindOfEvent('Traded')
const { makerOrder } = columnsOf('Traded')

function opened(): LoadRun {
  const run = new LoadRun()
  run.listMarket('BTC-USD', MIDDLE)
  return run
}

const timedOrder = (order: Order, expireTime: number): Command => {
  return { ...placeCommand(order), expireTime: expireTime as TimeMs } as Command
}

type Crowd = Readonly<{
  name: string
  orders: number
  /** All of them asks, so that one aggressive order meets every one. */
  oneSided: boolean
  /** At the expiry one of this many commands is an aggressive order. */
  takerEvery: number
}>

const crowds: readonly Crowd[] = [
  { name: '100,000 on two sides', orders: 100_000, oneSided: false, takerEvery: 5 },
  { name: '100,000 asks, a taker first', orders: 100_000, oneSided: true, takerEvery: 1 },
]

type Ended = Readonly<{
  crowd: Crowd
  commands: number
  longestMs: number
  longestOf: string
  expired: number
  /** Trades of orders past their time. */
  late: number
  /** Trades of those that stay. */
  trades: number
  breaches: readonly string[]
}>

/** Behind the expiring orders there is one on each side that stays. */
function crowdOf({ orders, oneSided }: Crowd) {
  const run = opened()
  const usd = 1_000_000
  const stays = run.deposit('stays', 1_000_000_000 * usd)
  const taker = run.deposit('taker', 1_000_000_000 * usd)
  const expireTime = run.atMs + aheadMs
  const { ordersPerAccount } = run.state.rules.limits
  let account = 0
  for (let n = 0; n < orders; n++) {
    if (n % ordersPerAccount === 0) account = run.deposit(`maker ${n}`, 10_000_000 * usd)
    const isAsk = oneSided || n % 2 === 0
    const away = 1 + ((n * 7_919) % prices)
    const price = isAsk ? MIDDLE + away : MIDDLE - away
    const side = isAsk ? 'ask' : 'bid'
    run.submit(timedOrder({ account, market, side, price, size: 10, tif: 'ALO' }, expireTime))
  }
  const last = run.state.nextOrderId - 1
  const far = { account: stays, market, size: 1_000_000, tif: 'ALO' } as const
  run.place({ ...far, side: 'ask', price: MIDDLE + prices + 1 })
  run.place({ ...far, side: 'bid', price: MIDDLE - prices - 1 })
  return { run, taker, expireTime, last }
}

function pass(crowd: Crowd): Ended {
  const { run, taker, expireTime, last } = crowdOf(crowd)
  // A price recent enough to trade.
  run.atMs = expireTime - 1
  run.tick(market, MIDDLE, false)
  run.atMs = expireTime
  collectGarbage()
  const counts = { commands: 0, longestMs: 0, longestOf: '', expired: 0, late: 0, trades: 0 }
  const count = () => {
    const { rows, end } = run.log
    for (let at = 0; at < end; at = nextAfter(rows, at)) {
      const kind = kindAt(rows, at)
      if (kind === cancelled) counts.expired += 1
      if (kind !== traded) continue
      if (rows[at + makerOrder]! <= last) counts.late += 1
      else counts.trades += 1
    }
  }
  while (run.state.expiries.size > 0) {
    const { commands } = counts
    const side = commands % 2 === 0 ? 'bid' : 'ask'
    const price = side === 'bid' ? MIDDLE + prices + 1 : MIDDLE - prices - 1
    const takes = placeCommand({ account: taker, market, side, price, size: 20, tif: 'IOC' })
    const isTaker = commands % crowd.takerEvery === 0
    const command: Command = isTaker ? takes : { type: 'Tick' }
    const { ms } = timed(() => run.submit(command))
    if (ms > counts.longestMs) {
      counts.longestMs = ms
      counts.longestOf = isTaker ? 'a taker' : 'a tick'
    }
    counts.commands += 1
    count()
  }
  return { crowd, ...counts, breaches: checkInvariants(run.state) }
}

function expireTogether(crowd: Crowd): Ended {
  const rows = Array.from({ length: passes }, () => pass(crowd))
  return rows.reduce((one, other) => (other.longestMs < one.longestMs ? other : one))
}

/** For comparison: the cost of filling as many orders without an expiry, in microseconds each. */
function livingMicros(orders: number): number {
  const best = Array.from({ length: passes }, () => {
    const { run, taker } = crowdOf({ ...crowds[1]!, orders })
    run.tick(market, MIDDLE, false)
    const price = MIDDLE + prices
    const size = 10 * orders
    const takes = placeCommand({ account: taker, market, side: 'bid', price, size, tif: 'IOC' })
    collectGarbage()
    return timed(() => run.submit(takes)).ms
  })
  return (Math.min(...best) * 1_000) / orders
}

type Kept = Readonly<{ orders: number; before: number; after: number; seconds: number }>

/** Place and cancel, with this many orders of one account open at a time. */
function placeAndCancel(orders: number): Kept {
  const run = opened()
  const account = run.deposit('maker', 1_000_000_000_000_000)
  const open = new Int32Array(100)
  const step = (n: number) => {
    const at = n % open.length
    if (open[at] !== 0) run.cancel(account, market, open[at]!)
    if (n % 1_000 === 0) run.atMs += 1
    const order = { account, market, side: 'bid', price: MIDDLE - 1 - at, size: 10 } as const
    open[at] = run.submit(timedOrder({ ...order, tif: 'ALO' }, run.atMs + yearMs))
  }
  const warm = Math.ceil(orders / 100)
  for (let n = 0; n < warm; n++) step(n)
  const before = bytesInUse()
  const { ms } = timed(() => {
    for (let n = warm; n < orders; n++) step(n)
  })
  return { orders, before, after: bytesInUse(), seconds: ms / 1_000 }
}

function missedOf({ crowd, longestMs, longestOf, expired, late, trades, breaches }: Ended) {
  const { name, orders } = crowd
  const missed = breaches.slice(0, 3).map((breach) => `${name}: invariant ${breach}`)
  if (late > 0) missed.push(`${name}: ${late} trades of orders past their time`)
  if (expired !== orders) missed.push(`${name}: ${expired} of ${orders} ended`)
  if (trades === 0) missed.push(`${name}: no taker found what stays`)
  if (longestMs >= commandMsMax)
    missed.push(`${name}: a command of ${longestMs.toFixed(1)} ms, ${longestOf}`)
  return missed
}

function main(): void {
  pass({ ...crowds[0]!, orders: 10_000 })
  const ended = crowds.map((crowd) => {
    const row = expireTogether(crowd)
    say(
      `${crowd.name.padEnd(30)} ${whole(row.commands)} commands, longest ` +
        `${row.longestMs.toFixed(1)} ms (${row.longestOf}); ${whole(row.expired)} ended, ` +
        `${row.late} traded late, ${whole(row.trades)} trades of others`,
    )
    return row
  })
  const micros = livingMicros(50_000)
  say(`to compare: a taker of 50,000 that do not end takes ${micros.toFixed(2)} µs for each`)
  const kept = placeAndCancel(yearAhead)
  const growth = kept.after / kept.before - 1
  say(
    `${whole(kept.orders)} placed a year ahead and cancelled: ${whole(kept.before / 1e3)} kB ` +
      `after a hundredth, ${whole(kept.after / 1e3)} kB after all (${(growth * 100).toFixed(1)} ` +
      `%), ${kept.seconds.toFixed(1)} s`,
  )
  if (json) console.log(JSON.stringify({ ended, livingMicros: micros, kept }))
  const grown =
    growth > growthMax ? [`memory grew by ${(growth * 100).toFixed(1)} %, allowed 20 %`] : []
  requireBars([...ended.flatMap(missedOf), ...grown])
}

main()
