// Small requests that cost the exchange much: the time of a single command, and the bytes it
// writes. Each is built by plain commands; the timed ones come last.

import type { Command } from '../../src/core/commands/commands.ts'
import type { MarketId } from '../../src/core/commands/ids.ts'
import { nextAfter } from '../../src/core/events/event-columns.ts'
import { checkInvariants } from '../../src/core/invariants.ts'
import type { MicroTicks } from '../../src/units/units.ts'
import type { Side } from '../../src/words/order-words.ts'
import { LoadRun, placeCommand, tickCommand } from '../load-run.ts'
import { params } from '../market.ts'
import { collectGarbage, timed } from '../options.ts'
import { stopOf } from './storm.ts'

const BTC = 1 as MarketId
const MICRO = 1_000_000
const MIDDLE = 50_000
const speedBumpMs = 200

export type AmplifierRow = Readonly<{
  name: string
  /** Of the longest command, and of the one that wrote most. */
  longestMs: number
  events: number
  /** Of all that were timed. */
  eventsInAll: number
  breaches: readonly string[]
}>

type Prepared = Readonly<{ run: LoadRun; timed: readonly (readonly [afterMs: number, Command])[] }>
type Amplifier = Readonly<{ name: string; prepare(): Prepared }>

function market(): LoadRun {
  const run = new LoadRun()
  const listed = { ...params, symbol: 'BTC-USD', backstopAddress: 'backstop', speedBumpMs: 0 }
  run.submit({ type: 'ListMarket', params: listed, oracle: (MIDDLE * MICRO) as MicroTicks })
  return run
}

/** The account buys this many lots from another one. */
function long(run: LoadRun, account: number, from: number, size: number): void {
  const order = { market: BTC, price: MIDDLE, size }
  run.place({ ...order, account: from, side: 'ask', tif: 'GTC' })
  run.place({ ...order, account, side: 'bid', tif: 'IOC' })
}

function reducing(account: number, side: Side, price: number, size: number, tif: string): Command {
  const order = { account, market: BTC, side, price, size, tif: tif as 'GTC' }
  return { ...placeCommand(order), reduceOnly: true } as Command
}

function bump(run: LoadRun): void {
  run.submit({ type: 'ChangeMarket', market: BTC, change: { speedBumpMs } })
}

/** This many commands that only advance time. */
function clock(count: number, afterMs: number): Prepared['timed'] {
  return Array.from({ length: count }, () => [afterMs, { type: 'Tick' }] as const)
}

/** Each checks ten thousand bids and finds too little; all are due together. */
function failingFoks(): Prepared {
  const run = market()
  const maker = run.deposit('maker', 1_000_000_000 * MICRO)
  const taker = run.deposit('taker', 100_000_000 * MICRO)
  long(run, taker, maker, 20_000)
  for (let bidder = 0; bidder < 10; bidder++) {
    const account = run.deposit(`bidder ${bidder}`, 1_000_000 * MICRO)
    for (let n = 0; n < 1_000; n++)
      run.place({ account, market: BTC, side: 'bid', price: MIDDLE - 1 - n, size: 1, tif: 'ALO' })
  }
  bump(run)
  for (let n = 0; n < 256; n++)
    run.submit(reducing(taker, 'ask', MIDDLE - 2_000, 20_000 - n, 'FOK'))
  return { run, timed: [[speedBumpMs, tickCommand(BTC, MIDDLE, false)], ...clock(300, 0)] }
}

/** Each of the taker's 49 lots closes a position behind which a thousand orders rest. */
function fillOfManyOwners(): Prepared {
  const run = market()
  const maker = run.deposit('maker', 1_000_000_000 * MICRO)
  const taker = run.deposit('taker', 1_000_000 * MICRO)
  const owners = Array.from({ length: 49 }, (_, n) => run.deposit(`owner ${n}`, 1_000 * MICRO))
  for (const account of owners) long(run, account, maker, 1)
  for (const account of owners)
    for (let n = 0; n < 1_000; n++)
      run.submit(reducing(account, 'ask', MIDDLE + 1 + (n === 0 ? 0 : n), 1, 'ALO'))
  const order = { account: taker, market: BTC, side: 'bid', price: MIDDLE + 1, size: 49 } as const
  return { run, timed: [[1, placeCommand({ ...order, tif: 'IOC' })], ...clock(10, 0)] }
}

/** A hundred makers with a thousand orders each, of accounts that hold positions in other markets
 *  and have little margin left: each fill is checked in full. */
function takerOfManyOrders(): Prepared {
  const run = market()
  const others = Array.from({ length: 7 }, (_, n) => n + 2)
  for (const other of others) run.listMarket(`OTHER-${other}`, MIDDLE)
  const counterparty = run.deposit('counterparty', 1_000_000_000 * MICRO)
  const taker = run.deposit('taker', 1_000_000_000 * MICRO)
  for (let n = 0; n < 100; n++) {
    const account = run.deposit(`maker ${n}`, 3_000 * MICRO)
    for (const other of others) {
      const order = { market: other, price: MIDDLE, size: 200 }
      run.place({ ...order, account: counterparty, side: 'ask', tif: 'GTC' })
      run.place({ ...order, account, side: 'bid', tif: 'IOC' })
    }
    for (let at = 0; at < 1_000; at++)
      run.place({ account, market: BTC, side: 'ask', price: MIDDLE + at, size: 1, tif: 'ALO' })
  }
  const all = { account: taker, market: BTC, side: 'bid', price: MIDDLE + 999 } as const
  return { run, timed: [[1, placeCommand({ ...all, size: 100_000, tif: 'IOC' })], ...clock(12, 0)] }
}

/** 20,000 stops of longs trigger without any buyers, and ticks go on. */
function stopsInVain(): Prepared {
  const run = market()
  const maker = run.deposit('maker', 1_000_000_000 * MICRO)
  for (let n = 0; n < 100; n++) {
    const account = run.deposit(`long ${n}`, 10_000_000 * MICRO)
    long(run, account, maker, 2_000)
    for (let at = 0; at < 200; at++) {
      const stop = stopOf(account, MIDDLE - 1 - ((at * 7) % 400))
      run.submit({ ...stop, reduceOnly: true } as Command)
    }
  }
  bump(run)
  const fallen = (after: number) => [after, tickCommand(BTC, MIDDLE - 500, true)] as const
  return {
    run,
    timed: [fallen(1), ...clock(400, 1), ...Array.from({ length: 40 }, () => fallen(3_000))],
  }
}

export const amplifiers: readonly Amplifier[] = [
  { name: '256 reduce-only FOKs that fail', prepare: failingFoks },
  { name: 'one taker of 49 lots, 49,000 orders', prepare: fillOfManyOwners },
  { name: 'one taker of 100,000 orders', prepare: takerOfManyOrders },
  { name: '20,000 fired stops, empty book', prepare: stopsInVain },
]

export function measureAmplifier({ name, prepare }: Amplifier, passes: number): AmplifierRow {
  const rows = Array.from({ length: passes }, () => pass(name, prepare()))
  return { ...rows[0]!, longestMs: Math.min(...rows.map(({ longestMs }) => longestMs)) }
}

function pass(name: string, { run, timed: commands }: Prepared): AmplifierRow {
  collectGarbage()
  const found = { longestMs: 0, events: 0, eventsInAll: 0 }
  for (const [afterMs, command] of commands) {
    run.atMs += afterMs
    found.longestMs = Math.max(found.longestMs, timed(() => run.submit(command)).ms)
    const events = countEvents(run)
    found.events = Math.max(found.events, events)
    found.eventsInAll += events
  }
  return { name, ...found, breaches: checkInvariants(run.state) }
}

function countEvents({ log }: LoadRun): number {
  let count = 0
  for (let at = 0; at < log.end; at = nextAfter(log.rows, at)) count += 1
  return count
}
