// A short day at the exchange, told as it happens: markets, money, quotes, trades, a stop, a
// take-profit, an hour of funding, a crash and its backstop, and the proof that the same commands
// give the same state. Everything in it is computed by the core; this file only chooses the
// commands.

import type { Event } from '../core/events/event-fields.ts'
import type { MarketId } from '../core/ids.ts'
import { checkInvariants } from '../core/invariants.ts'
import { healthOf } from '../core/liquidation/scope.ts'
import { decodeState } from '../core/snapshot/decode.ts'
import { encodeState } from '../core/snapshot/encode.ts'
import { stateHash } from '../core/snapshot/hash.ts'
import { formatDecimal } from '../units/decimal.ts'
import type { MicroTicks, Quote } from '../units/units.ts'
import { Floor } from './floor.ts'
import { change, clockText, dollars, priceText, row, sizeText } from './lines.ts'
import { BTC, ETH, listings, SOL } from './markets.ts'
import { eventsOf, replayed, Session } from './session.ts'

type Print = (line: string) => void
type Stage = Readonly<{ floor: Floor; session: Session; print: Print; tell: Print }>

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

/** Tells the story; true when snapshot, replay and invariants agree. */
export function runDemo(print: Print): boolean {
  const session = new Session()
  const floor = new Floor(session, 'bob')
  const startedAt = session.atMs
  const tell: Print = (title) => print(`\n${clockText(session.atMs)}  ${title}`)
  const stage = { floor, session, print, tell }
  print('openperp: a trading session on the core, without a port. All amounts in dollars.')
  open(stage)
  trade(stage)
  floor.waitUntil(startedAt + 10 * MINUTE_MS)
  rise(stage)
  payFunding(stage, startedAt + HOUR_MS)
  floor.move(BTC, 60_000)
  floor.waitUntil(startedAt + HOUR_MS + 5 * MINUTE_MS)
  crash(stage)
  count(stage)
  return prove(stage)
}

function open({ floor, session, print, tell }: Stage): void {
  for (const { params, ticks } of listings)
    session.submit({ type: 'ListMarket', params, oracle: (ticks * 1_000_000) as MicroTicks })
  floor.deposit('insurance', 50_000)
  const reserve = { market: BTC as MarketId, amount: 10_000_000_000 as Quote }
  session.submit({ type: 'MoveReserve', ...reserve })
  const deposits = { alice: 20_000, bob: 500_000, carol: 3_000 }
  for (const [name, amount] of Object.entries(deposits)) floor.deposit(name, amount)
  tell('three markets, three traders, and bob quotes')
  print(row('', 'bid', 'ask', 'leverage'))
  for (const market of [BTC, ETH, SOL]) {
    floor.quote(market)
    const { bids, asks, params } = session.state.markets[market]!
    const prices = [bids.best(), asks.best()].map((ticks) => priceText(market, ticks))
    print(row(params.symbol, ...prices, `${params.leverageMax}x`))
  }
  const balances = Object.keys(deposits).map((name) => {
    return `${name} ${dollars(session.state.accounts.balance[session.accountOf(name)]!)}`
  })
  print(`  balances: ${balances.join(', ')}`)
}

function trade({ floor, session, print, tell }: Stage): void {
  tell('alice buys BTC and sells ETH; carol buys BTC with twenty times her money')
  const events = [
    ...floor.take('alice', BTC, 'bid', 50_000),
    ...floor.take('alice', ETH, 'ask', 4_000),
    ...floor.take('carol', BTC, 'bid', 100_000),
    ...floor.take('carol', SOL, 'bid', 1_000),
  ]
  printFills({ session, print }, events)
  floor.stop('alice', ETH, 'bid', 30_600)
  floor.protect('alice', BTC, 61_000, 58_500)
  print('  alice sets a stop at 3060 for her ETH, a take-profit at 61000 and a stop-loss at 58500')
}

function rise({ floor, session, print, tell }: Stage): void {
  const eth = floor.move(ETH, 30_700)
  tell(`ETH rises to ${markText(session, ETH)}, and the stop of alice fires`)
  printFills({ session, print }, eth)
  const btc = floor.move(BTC, 61_100)
  tell(`BTC rises to ${markText(session, BTC)}, and her take-profit fires`)
  printFills({ session, print }, btc)
}

function payFunding({ floor, session, print, tell }: Stage, hour: number): void {
  const events = floor.waitUntil(hour)
  tell('an hour is over: longs pay shorts')
  print(row('', 'position', 'funding', 'hourly rate'))
  const rates = new Map(eventsOf(events, 'FundingFixed').map(({ market, rate }) => [market, rate]))
  for (const { account, market, lots, payment } of eventsOf(events, 'FundingPaid')) {
    const rate = `${formatDecimal(rates.get(market) ?? 0, 7)} %`
    print(row(session.nameOf(account), sizeText(market, lots), change(payment), rate))
  }
}

function crash({ floor, session, print, tell }: Stage): void {
  const fall = floor.move(BTC, 57_250)
  tell(`BTC crashes to ${markText(session, BTC)}, and carol is liquidated into the backstops`)
  for (const { account, equity, maintenance } of eventsOf(fall, 'LiquidationStarted')) {
    const has = `${session.nameOf(account)} has ${dollars(equity)} left`
    print(`  ${has}, where her positions need ${dollars(maintenance)}`)
  }
  print(row('', 'takes', 'value', 'margin'))
  for (const { backstop, market, lots, value, margin } of eventsOf(fall, 'BackstopTookOver')) {
    const taken = [sizeText(market, lots), dollars(value), change(margin)]
    print(row(session.nameOf(backstop), ...taken))
  }
  const sale = floor.wait()
  tell('the backstops sell what they took')
  printFills({ session, print }, [...fall, ...sale])
}

function markText(session: Session, market: number): string {
  return priceText(market, session.state.markets[market]!.mark)
}

/** Takers alone: the maker is always bob. */
function printFills(
  { session, print }: Pick<Stage, 'session' | 'print'>,
  events: readonly Event[],
): void {
  print(row('', '', 'size', 'price', 'fee', 'profit'))
  for (const fill of eventsOf(events, 'Filled')) {
    if (fill.role !== 'taker' || fill.order === 0) continue
    const { market, kind, lots, price, fee, pnl } = fill
    const opens = kind.startsWith('open')
    print(
      row(
        session.nameOf(fill.account),
        kind.replace('_', ' '),
        sizeText(market, lots),
        priceText(market, price),
        dollars(fee),
        opens ? '' : change(pnl),
      ),
    )
  }
}

function count({ session, print, tell }: Stage): void {
  const { state } = session
  tell('every cent is somewhere')
  print(row('', 'balance', 'equity'))
  let total = 0
  for (let account = 1; account <= state.accounts.count; account++) {
    const { equity } = healthOf(state, { account, market: 0 })
    const balance = state.accounts.balance[account]!
    total += equity
    if (balance !== 0 || equity !== 0)
      print(row(session.nameOf(account), dollars(balance), dollars(equity)))
  }
  print(`  together ${dollars(total)}, as much as was deposited: ${dollars(state.deposits)}`)
}

function prove({ session, print, tell }: Stage): boolean {
  const { state, history } = session
  const bytes = encodeState(state)
  const hashes = [stateHash(state), stateHash(decodeState(bytes)), stateHash(replayed(history))]
  const equal = new Set(hashes).size === 1
  const breaches = checkInvariants(state)
  tell('the same commands give the same state')
  const origins = [
    'live',
    `snapshot of ${bytes.length} bytes`,
    `replay of ${history.length} commands`,
  ]
  origins.forEach((origin, at) => {
    print(`  ${origin.padEnd(27)}${hashes[at]}`)
  })
  print(`  ${equal ? 'equal hashes' : 'DIFFERENT HASHES'}, ${breaches[0] ?? 'all invariants hold'}`)
  return equal && breaches.length === 0
}
