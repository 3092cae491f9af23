// `explain trip`: the market maker protection of an account, the counted fills, and until when
// quotes were refused.

import { columnsOf, type EventOf, type EventType, type MarketView } from '../../../core/index.ts'
import {
  type Explanation,
  type Happening,
  timeOf,
  wordsOf,
} from '../../../projections/explain/explanation.ts'
import {
  type EventFilter,
  type Found,
  findEvents,
  notFound,
  type Past,
} from '../../../projections/explain/past.ts'

/** Changes of settings, and events that restart the count. */
const settings = ['MmpSet', 'MmpRemoved', 'MmpReset', 'MmpTripped'] as const

/** Explains a trip. `which`: an address, a seq, or `null` for the newest of all. */
export async function explainTrip(past: Past, which: string | null): Promise<Explanation> {
  const trips = await findEvents(past, { MmpTripped: () => true }, null)
  const { accounts, markets } = trips.view
  const trip = trips.found
    .filter((found) => {
      const { account } = tripOf(found)
      return which === null || `${found.seq}` === which || accounts.addressOf(account) === which
    })
    .at(-1)
  if (trip === undefined) throw notFound(`trip${which === null ? '' : ` ${which}`}`, trips)
  const { account, market: id, until } = tripOf(trip)
  const { found } = await findEvents(past, filterOf(account, id), null)
  const counted = countedFor(found, trip)
  const market = markets.get(id)!
  const words = wordsOf(market.params, market.unitValue)
  const { windowMs, frozenMs, maxLots, maxNet } = limitsBefore(found, trip)
  const { lots, net } = sumsOf(counted)
  const limit = (most: number) => (most === 0 ? 'no limit' : `at most ${words.size(most)}`)
  return {
    title: `Protection on ${market.params.symbol} tripped at seq ${trip.seq}`,
    facts: {
      account: accounts.addressOf(account),
      when: timeOf(trip.atMs),
      window: `${windowMs} ms`,
      'filled as maker': `${words.size(lots)}, ${limit(maxLots)}`,
      'bought less sold': `${words.size(net)}, ${limit(maxNet)}`,
      frozen: frozenMs === 0 ? 'until a reset' : `for ${frozenMs} ms, until ${timeOf(until)}`,
    },
    happened: [...counted.map((each) => fillLine(each, market)), ...endedBy(trip, market)],
    steps: [],
    pending: [],
  }
}

const tripOf = ({ events, at }: Found) => events[at] as EventOf<'MmpTripped'>

/** Selects events of the account's quotes on the market. */
function filterOf(account: number, market: number): EventFilter {
  const kinds = [...settings, 'OrderProtected'] as const satisfies readonly EventType[]
  const own = kinds.map((type) => {
    const columns = columnsOf(type)
    const test = (rows: Float64Array, at: number) =>
      rows[at + columns.account] === account && rows[at + columns.market] === market
    return [type, test] as const
  })
  const traded = columnsOf('Traded')
  return {
    ...Object.fromEntries(own),
    Traded: (rows, at) =>
      rows[at + traded.maker] === account && rows[at + traded.market] === market,
  }
}

const isBefore = (one: Found, other: Found) =>
  one.seq < other.seq || (one.seq === other.seq && one.at < other.at)

function limitsBefore(found: readonly Found[], trip: Found): EventOf<'MmpSet'> {
  const set = found.findLast(
    (each) => each.events[each.at]!.type === 'MmpSet' && isBefore(each, trip),
  )
  const unknown = { ...tripOf(trip), windowMs: 0, frozenMs: 0, maxLots: 0, maxNet: 0 }
  return (set?.events[set.at] ?? { ...unknown, type: 'MmpSet' }) as EventOf<'MmpSet'>
}

/** Fills of protected orders within the window, since the count was restarted. */
function countedFor(found: readonly Found[], trip: Found): readonly Found[] {
  const isProtected = new Set(
    found.flatMap(({ events, at }) => {
      const event = events[at]!
      return event.type === 'OrderProtected' ? [event.order] : []
    }),
  )
  const begins = (each: Found) =>
    settings.some((type) => type === each.events[each.at]!.type) && isBefore(each, trip)
  const from = found.findLastIndex(begins)
  const { windowMs } = limitsBefore(found, trip)
  return found.slice(from + 1).filter((each) => {
    const event = each.events[each.at]!
    return (
      event.type === 'Traded' &&
      isBefore(each, trip) &&
      isProtected.has(event.makerOrder) &&
      each.atMs > trip.atMs - windowMs
    )
  })
}

const tradeOf = ({ events, at }: Found) => events[at] as EventOf<'Traded'>
/** Signed lots of the maker, who buys if the taker sells. */
const signedLots = ({ side, lots }: EventOf<'Traded'>) => (side === 'ask' ? lots : -lots)

function sumsOf(fills: readonly Found[]) {
  const trades = fills.map(tradeOf)
  return {
    lots: trades.reduce((sum, { lots }) => sum + lots, 0),
    net: trades.reduce((sum, trade) => sum + signedLots(trade), 0),
  }
}

function fillLine(found: Found, { params, unitValue }: MarketView): Happening {
  const words = wordsOf(params, unitValue)
  const { lots, price, side, makerOrder } = tradeOf(found)
  const did = side === 'ask' ? 'bought' : 'sold'
  const what = `order ${makerOrder} ${did} ${words.size(lots)} at ${words.price(price)}`
  return { seq: found.seq, time: timeOf(found.atMs), what, rule: 'ORDER-6' }
}

/** Protected orders that this command cancelled. Later commands cancel the remaining ones. */
function endedBy(trip: Found, { params, unitValue }: MarketView): readonly Happening[] {
  const words = wordsOf(params, unitValue)
  const time = timeOf(trip.atMs)
  const { account } = tripOf(trip)
  const ended = trip.events.flatMap((event) => {
    if (event.type !== 'OrderCancelled' || event.reason !== 'mmp' || event.account !== account)
      return []
    const what = `order ${event.order} ended with ${words.size(event.remaining)} unfilled`
    return [{ seq: trip.seq, time, what, rule: 'ORDER-18' }]
  })
  return [{ seq: trip.seq, time, what: 'tripped', rule: 'ORDER-18' }, ...ended]
}
