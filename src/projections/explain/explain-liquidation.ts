// `explain liquidation`: explains why a scope was liquidated, with its numbers at that time, and
// what followed.

import {
  type Event,
  type EventOf,
  type ExchangeView,
  type FillPart,
  fillsOf,
  openProfit,
} from '../../core/index.ts'
import type { Lots, Quote, Ticks } from '../../units/units.ts'
import { type After, afterEvent } from './after-event.ts'
import {
  type Explanation,
  type Happening,
  type Step,
  step,
  timeOf,
  usd,
  wordsOf,
} from './explanation.ts'
import {
  type Found,
  findEvents,
  notFound,
  objectText,
  type Past,
  type Seqs,
  stateAt,
} from './past.ts'

type Started = EventOf<'LiquidationStarted'>

/** A position of the scope before the liquidation. */
type Held = { market: number; lots: number; cost: number; maintenance?: number }
type Scene = Readonly<{
  cash: number
  held: readonly Held[]
  marks: ReadonlyMap<number, number>
  /** Prices from which a step's price limit is computed (PRICE-6). */
  fairs: ReadonlyMap<number, number>
}>

/** Explains a liquidation. `which`: an address, a seq, or `null` for the newest of all. */
export async function explainLiquidation(
  past: Past,
  which: string | null,
  seqs: Seqs,
): Promise<Explanation> {
  const search = await findEvents(past, { LiquidationStarted: () => true }, seqs)
  const { accounts } = search.view
  const matching = search.found.filter(({ seq, events, at }) => {
    const { account } = events[at] as Started
    return which === null || `${seq}` === which || accounts.addressOf(account) === which
  })
  const found = matching.at(-1)
  if (found === undefined) throw notFound(objectText('liquidation', which), search)
  const started = found.events[found.at] as Started
  const scene = await sceneOf(past, found, started)
  const { view } = scene
  const symbol = started.scope === 0 ? null : view.markets.paramsOf(started.scope).symbol
  return {
    title: `Liquidation at seq ${found.seq}`,
    facts: {
      account: accounts.addressOf(started.account),
      scope: symbol === null ? 'the cross account' : `the isolated position on ${symbol}`,
      when: timeOf(found.atMs),
      'in the command':
        found.entry.kind === 'command' ? found.entry.command.type : found.entry.kind,
    },
    happened: afterwards(found, started, view),
    steps: [...healthSteps(started, scene), ...stepSteps(found, started, scene)],
    pending: [],
  }
}

type Full = Scene & Readonly<{ view: ExchangeView }>

/** Money, positions and marks at the liquidation: the state before the command, with the changes of
 *  the command's earlier events. A turn left over from the previous command precedes the price of
 *  this one. */
async function sceneOf(past: Past, found: Found, started: Started): Promise<Full> {
  const scenes: Scene[] = []
  const fulls: Full[] = []
  await stateAt(past, [found.seq], {
    before: (_, view) => scenes.push(sceneBefore(view, found, started)),
    after: (_, view) => fulls.push({ ...sceneAfter(scenes[0]!, view, found), view }),
  })
  return fulls[0]!
}

/** Applies a price that the command set before the liquidation, taken from the view after the
 *  command. */
function sceneAfter(scene: Scene, { markets }: ExchangeView, { events, at }: Found): Scene {
  const moved = events.slice(0, at).flatMap((each) => (each.type === 'MarkUpdated' ? each : []))
  const here = scene.held.filter(({ market }) => moved.some((each) => each.market === market))
  return { ...scene, fairs: new Map([...scene.fairs, ...fairsOf(here, markets)]) }
}

function fairsOf(held: readonly Held[], markets: ExchangeView['markets']): [number, number][] {
  return held.map(({ market, lots }) => [market, markets.get(market)!.fairPrice(lots)])
}

function sceneBefore(
  { accounts, markets, positions }: ExchangeView,
  { events, at }: Found,
  { account, scope }: Started,
): Scene {
  const held: Held[] = []
  let cash: number = scope === 0 ? accounts.balanceOf(account) : 0
  for (const { market, isolated } of accounts.settingsOf(account)) {
    const mine = scope === 0 ? !isolated : market === scope
    if (!mine) continue
    const position = positions.holdingOf(account, market)
    if (scope !== 0) cash += position?.wallet ?? 0
    held.push({ market, lots: position?.lots ?? 0, cost: position?.cost ?? 0 })
  }
  const marks = new Map<number, number>(
    held.map(({ market }) => [market, markets.get(market)!.mark]),
  )
  for (const event of events.slice(0, at)) {
    for (const after of afterEvent(event)) {
      if (after.account !== account) continue
      const position = held.find(({ market }) => market === after.market)
      if (position !== undefined) Object.assign(position, positionIn(after))
      cash = (scope === 0 ? after.balance : position && after.wallet) ?? cash
    }
    if (event.type === 'MarkUpdated' && marks.has(event.market)) marks.set(event.market, event.mark)
  }
  const open = held.filter(({ lots }) => lots !== 0)
  const changed = new Set(
    events.slice(0, at).map((event) => (event.type === 'MarketChanged' ? event.market : 0)),
  )
  const fairs = new Map(fairsOf(open, markets))
  return { cash, held: open.map((each) => asOfThen(each)), marks, fairs }

  /** Uses the tiers before the command, unless an earlier event of the command changed them. */
  function asOfThen(each: Held): Held {
    if (changed.has(each.market)) return each
    const market = markets.get(each.market)!
    const mark = marks.get(each.market)! as Ticks
    const notional = market.valueOf(Math.abs(each.lots) as Lots, mark)
    return { ...each, maintenance: market.maintenanceOf(notional) }
  }
}

function positionIn({ lots, cost }: After): Partial<Held> {
  return lots === undefined || cost === undefined ? {} : { lots, cost }
}

type Valued = Held &
  Readonly<{ mark: number; notional: Quote; profit: number; maintenance: number }>

function valued({ held, marks, view }: Full): readonly Valued[] {
  return held.map((each) => {
    const market = view.markets.get(each.market)!
    const mark = marks.get(each.market)!
    const notional = market.valueOf(Math.abs(each.lots) as Lots, mark as Ticks)
    const profit = openProfit(each.lots, each.cost, mark, market)
    const maintenance = each.maintenance ?? market.maintenanceOf(notional)
    return { ...each, mark, notional, profit, maintenance }
  })
}

function healthSteps(started: Started, scene: Full): readonly Step[] {
  const rows = valued(scene)
  const profits: Record<string, string> = {}
  const needs: Record<string, string> = {}
  for (const { market: id, lots, cost, mark, profit, notional, maintenance } of rows) {
    const market = scene.view.markets.get(id)!
    const words = wordsOf(market.params, market.unitValue)
    const { symbol } = market.params
    const { fractionPpm } = market.tierOf(notional)
    profits[symbol] =
      `${words.size(lots)} at mark ${words.price(mark)}, cost ${usd(cost)}: ${usd(profit)}`
    needs[symbol] = `value ${usd(notional)}, fraction ${fractionPpm} ppm: ${usd(maintenance)}`
  }
  const equity = rows.reduce((sum, { profit }) => sum + profit, scene.cash)
  const maintenance = rows.reduce((sum, row) => sum + row.maintenance, 0)
  const cash = started.scope === 0 ? 'balance' : 'wallet'
  return [
    step({
      rule: 'MARGIN-3',
      formula: `equity = ${cash} + Σ (lots × mark × K − cost)`,
      inputs: { [cash]: usd(scene.cash), ...profits },
      result: equity,
      recorded: started.equity,
      text: usd,
    }),
    step({
      rule: 'MARGIN-1',
      formula: 'maintenance = Σ ⌈value × fraction ÷ 10^6⌉ − deduction; equity below it: LIQ-1',
      inputs: needs,
      result: maintenance,
      recorded: started.maintenance,
      text: usd,
    }),
  ]
}

/** Steps of LIQ-3, if the first action was a liquidation step. */
function stepSteps({ events, at }: Found, started: Started, scene: Full): readonly Step[] {
  const done = events
    .slice(at)
    .find((event) => event.type === 'LiquidationStepped' || event.type === 'BackstopTookOver')
  if (done?.type !== 'LiquidationStepped' || done.account !== started.account) return []
  const row = valued(scene).find(({ market }) => market === done.market)
  if (row === undefined) return []
  const market = scene.view.markets.get(done.market)!
  const { mark } = row
  const words = wordsOf(market.params, market.unitValue)
  const { healthPercent: aim, stepParts } = market.liquidationRules
  const { liquidationStepMax, liquidationConcessionPpm } = market.params
  const { equity, maintenance } = started
  const unhealthy = { equity: equity as Quote, maintenance: maintenance as Quote }
  const fair = scene.fairs.get(done.market)! as Ticks
  const met = { lots: row.lots as Lots, mark: mark as Ticks, fair, ...unhealthy }
  // History contains the limit, which shows whether this was the first step or a later one.
  const first = market.liquidationStep({ ...met, unfilled: 0 })
  const isFirst = first.limit === done.limit
  const plan = isFirst ? first : market.liquidationStep({ ...met, unfilled: 1 })
  return [
    step({
      rule: 'LIQ-3',
      formula: 'lots = min(need, cap, |position|); all of it when the rest would be too small',
      inputs: {
        [`need = ⌈⌈(${aim}·MM − 100·E) × 10^6 ÷ (${aim}·f − 100·fee)⌉ ÷ (mark·K)⌉`]: words.size(
          plan.need,
        ),
        [`cap = max(⌈|lots| ÷ ${stepParts}⌉, ⌊${usd(liquidationStepMax)} ÷ (mark·K)⌋)`]: words.size(
          plan.cap,
        ),
        position: words.size(row.lots),
        'fraction, fee': `${plan.fractionPpm} ppm, ${plan.feePpm} ppm`,
      },
      result: plan.lots,
      recorded: done.lots,
      text: words.size,
    }),
    step({
      rule: 'LIQ-3',
      formula:
        'limit = fair price moved by slip = min(⌊MM_i·E·10^6 ÷ (MM·N_i)⌋ − fee, ' +
        '⌊MM_i × concession ÷ N_i⌋); the slip is halved in the first step of a series',
      inputs: {
        'fair price': words.price(fair),
        concession: `${liquidationConcessionPpm} ppm`,
        slip: `${plan.slipPpm} ppm, in ${isFirst ? 'the first' : 'a later'} step`,
      },
      result: plan.limit,
      recorded: done.limit,
      text: words.price,
    }),
  ]
}

function afterwards(
  { seq, atMs, events, at }: Found,
  started: Started,
  view: ExchangeView,
): Happening[] {
  const { account } = started
  const time = timeOf(atMs)
  return events.slice(at).flatMap((event) => {
    const fills = fillsOf(event).filter((fill) => fill.account === account)
    if (fills.length > 0) return fills.map((fill) => ({ seq, time, ...wordsForFill(fill, view) }))
    if (!('account' in event) || event.account !== account) return []
    const described = wordsFor(event, view)
    return described === null ? [] : [{ seq, time, ...described }]
  })
}

function wordsForFill({ history, kind, lots, market: id, pnl }: FillPart, view: ExchangeView) {
  const { params, unitValue } = view.markets.get(id)!
  const { size } = wordsOf(params, unitValue)
  return { what: `fill ${history}: ${kind} ${size(lots)}, profit ${usd(pnl)}`, rule: 'ORDER-6' }
}

function wordsFor(
  event: Event,
  { markets }: ExchangeView,
): Readonly<{ what: string; rule: string }> | null {
  const id = 'market' in event ? event.market : 0
  const market = markets.get(id)
  const words = market === undefined ? null : wordsOf(market.params, market.unitValue)
  switch (event.type) {
    case 'LiquidationStarted':
      return {
        what: `equity ${usd(event.equity)} is below maintenance ${usd(event.maintenance)}`,
        rule: 'LIQ-2',
      }
    case 'OrderCancelled':
      return { what: `order ${event.order} cancelled`, rule: 'LIQ-2' }
    case 'LiquidationStepped':
      return {
        what:
          `order ${event.order} closes ${words!.size(event.lots)}, ` +
          `no worse than ${words!.price(event.limit)}`,
        rule: 'LIQ-3',
      }
    case 'BackstopTookOver':
      return {
        what: `the backstop takes ${words!.size(event.lots)} with margin ${usd(event.margin)}`,
        rule: 'LIQ-4',
      }
    case 'InsurancePaid':
      return { what: `the insurance fund pays ${usd(event.amount)}`, rule: 'LIQ-5' }
    case 'Deleveraged': {
      const paid = event.margin === 0 ? '' : `, ${usd(event.margin)} to the insurance fund`
      return { what: `${words!.size(event.lots)} given to the other side${paid}`, rule: 'LIQ-6' }
    }
    case 'DeficitBooked':
      return { what: `${usd(event.amount)} booked as deficit`, rule: 'LIQ-5' }
    default:
      return null
  }
}
