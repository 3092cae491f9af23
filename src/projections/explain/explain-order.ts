// `explain order` and `explain fill`: finds the order by id in the events of history and explains
// it.

import {
  columnsOf,
  type Event,
  type EventOf,
  type ExchangeView,
  type MarketView,
} from '../../core/index.ts'
import type { Lots, Ticks } from '../../units/units.ts'
import {
  type FillSetting,
  type FoundFill,
  fillSteps,
  fillsIn,
  type Met,
  metBy,
  settingOf,
} from './explain-fill.ts'
import { type Explanation, type Step, timeOf, usd, wordsOf } from './explanation.ts'
import { requirementStep } from './margin-steps.ts'
import { explainAlgo, isAlgoEvent } from './orders/explain-algo.ts'
import { findOrder } from './orders/find-order.ts'
import { storyOf } from './orders/order-story.ts'
import {
  type EventFilter,
  type Found,
  findEvents,
  notFound,
  type Past,
  type Seqs,
  stateAt,
} from './past.ts'

export async function explainOrder(past: Past, id: number, seqs: Seqs): Promise<Explanation> {
  const search = await findOrder(past, id, seqs)
  if (search.found.some(({ events, at }) => isAlgoEvent(events[at]!)))
    return explainAlgo(search, id)
  // Searches the order itself, without its descendants.
  const first = search.found.find(({ events, at }) => {
    const event = events[at]!
    return event.type !== 'OrderPlaced' || event.order === id
  })
  if (first === undefined) throw notFound(`order ${id}`, search)
  const event = first.events[first.at] as Extract<Event, { account: number; market: number }>
  const market = search.view.markets.get(event.market)!
  const words = wordsOf(market.params, market.unitValue)
  const fills = search.found.flatMap((found) => fillsIn(found, ({ order }) => order === id))
  const algo = await algoOf(past, search.found, id, seqs)
  const margin: Step[] = []
  // The requirement of the account's market with the order (MARGIN-2).
  const settings = await settingsOf(past, fills, first.seq, (view) => {
    if (event.type === 'OrderPlaced')
      margin.push(requirementStep(view, event.account, event.market))
  })
  return {
    title: `Order ${id} on ${market.params.symbol}`,
    facts: {
      account: search.view.accounts.addressOf(event.account),
      command: commandOf(first),
      placed: `seq ${first.seq}, ${timeOf(first.atMs)}`,
      ...limitValueOf(event, market),
    },
    happened: storyOf(search.found, { id, words, others: search.others, algo }),
    steps: [...margin, ...fills.flatMap(({ fill }, n) => fillSteps(fill, settings[n]!))],
    pending: [],
  }
}

/** The algo that placed the order; `null` if there is none, or its placement is no longer in the
 *  journal. */
async function algoOf(
  past: Past,
  found: readonly Found[],
  id: number,
  seqs: Seqs,
): Promise<EventOf<'AlgoPlaced'> | null> {
  const placed = found
    .map(({ events, at }) => events[at]!)
    .find((event) => event.type === 'OrderPlaced' && event.order === id)
  if (placed?.type !== 'OrderPlaced' || placed.origin !== 'algo') return null
  const { order } = columnsOf('AlgoPlaced')
  const [algo] = (
    await findEvents(past, { AlgoPlaced: (rows, at) => rows[at + order] === placed.parent }, seqs)
  ).found
  return algo === undefined ? null : (algo.events[algo.at] as EventOf<'AlgoPlaced'>)
}

function commandOf({ entry }: Found): string {
  return entry.kind === 'command' ? entry.command.type : entry.kind
}

function limitValueOf(event: Event, market: MarketView): Record<string, string> {
  if (event.type !== 'OrderPlaced') return {}
  const { params } = market
  const bounds = `${usd(params.orderValueMin)} to ${usd(params.orderValueMax)}`
  const value = usd(market.valueOf(event.size as Lots, event.price as Ticks))
  return { value: `${value} at its limit; the market takes ${bounds} (ORDER-1)` }
}

export async function explainFill(past: Past, id: number, seqs: Seqs): Promise<Explanation> {
  const filled = columnsOf('Filled')
  const traded = columnsOf('Traded')
  const wanted: EventFilter = {
    Filled: (rows, at) => rows[at + filled.history] === id,
    // A trade has up to four history ids.
    Traded: (rows, at) => rows[at + traded.history]! <= id && rows[at + traded.history]! + 3 >= id,
  }
  const search = await findEvents(past, wanted, seqs)
  const [found] = search.found
    .flatMap((each) => fillsIn(each, ({ history }) => history === id))
    .slice(-1)
  if (found === undefined) throw notFound(`fill ${id}`, search)
  const event = found.fill
  const [setting] = await settingsOf(past, [found], found.seq)
  const { words, symbol, account } = setting!
  const price =
    event.price === 0 ? 'none (a deleveraging has only a value)' : words.price(event.price)
  return {
    title: `Fill ${id} on ${symbol}: ${event.kind} ${words.size(event.lots)}`,
    facts: {
      account,
      order: event.order === 0 ? 'none (a forced transfer)' : `${event.order}`,
      price,
      cause: event.cause,
      role: event.role,
      happened: `seq ${found.seq}, ${timeOf(found.atMs)}, in ${commandOf(found)}`,
    },
    happened: [],
    steps: fillSteps(event, setting!),
    pending: [],
  }
}

/** `first`: a command whose state afterwards is passed to `watch`. */
async function settingsOf(
  past: Past,
  fills: readonly FoundFill[],
  first: number,
  watch?: (view: ExchangeView) => void,
): Promise<readonly FillSetting[]> {
  const before = new Map<FoundFill, Met>()
  const settings = new Map<FoundFill, FillSetting>()
  const at = (seq: number) => fills.filter((each) => each.seq === seq)
  await stateAt(past, [first, ...fills.map(({ seq }) => seq)], {
    before: (seq, view) => {
      for (const each of at(seq)) before.set(each, metBy(view, each))
    },
    after: (seq, view) => {
      if (seq === first) watch?.(view)
      for (const each of at(seq)) settings.set(each, settingOf(each, before.get(each)!, view))
    },
  })
  return fills.map((each) => settings.get(each)!)
}
