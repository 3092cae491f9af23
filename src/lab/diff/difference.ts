// The difference between two histories: their ends, and what happened in only one of them.

import type { ExchangeView } from '../../core/index.ts'
import { moneyText, priceText, sizeText } from '../../projections/market-text.ts'
import type { Replica } from '../../sequencer/replica/replica.ts'
import type { Ledger, Paid } from './ledger.ts'

/** A value in both, as text; `null` where it is absent. */
export type Pair = readonly [string | null, string | null]

/** The first entry that differs. `cause`: what differs. `results`: what it did in each. */
export type First = Readonly<{
  seq: number
  cause: string
  command: string
  results: Pair
}>

export type AccountDifference = Readonly<{
  address: string
  /** Of an account of the exchange: `fees`, `insurance` or `backstop BTC`. */
  name: string | null
  balance: Pair
  /** In the compared entries; a negative fee is a rebate, positive funding was received. */
  fees: Pair
  funding: Pair
  positions: readonly Readonly<{ symbol: string; size: Pair; cost: Pair }>[]
}>

export type MarketDifference = Readonly<{ symbol: string; mark: Pair; openInterest: Pair }>

/** Rows that are in one history only, or more often in it. */
export type OnlyIn = Readonly<{ count: readonly [number, number]; rows: readonly Pair[] }>

export type Difference = Readonly<{
  names: readonly [string, string]
  isEqual: boolean
  entries: readonly [number, number]
  first: First | null
  accounts: readonly AccountDifference[]
  markets: readonly MarketDifference[]
  fund: Pair | null
  fills: OnlyIn
  liquidations: OnlyIn
}>

export type Played = Readonly<{ name: string; replica: Replica; ledger: Ledger }>

/** Rows beyond these are counted only. */
const rowsMax = 1_000

export function differenceOf(a: Played, b: Played, first: First | null): Difference {
  const views = [a.replica.view, b.replica.view] as const
  const found = {
    accounts: accountsOf(a, b),
    markets: marketsOf(...views),
    fund: different(pairOf(views, ({ money }) => moneyText(money.insurance.balance))),
    fills: onlyIn(a.ledger.fills(a.replica), b.ledger.fills(b.replica)),
    liquidations: onlyIn(a.ledger.liquidations(a.replica), b.ledger.liquidations(b.replica)),
  }
  const { accounts, markets, fund, fills, liquidations } = found
  const rows = accounts.length + markets.length + fills.rows.length + liquidations.rows.length
  return {
    names: [a.name, b.name],
    isEqual: first === null && fund === null && rows === 0,
    entries: [a.ledger.entries, b.ledger.entries],
    first,
    ...found,
  }
}

const pairOf = <T>([a, b]: readonly [T, T], text: (value: T) => string | null): Pair => [
  text(a),
  text(b),
]
const differs = ([a, b]: Pair) => a !== b
const different = (pair: Pair) => (differs(pair) ? pair : null)

function accountsOf(a: Played, b: Played): readonly AccountDifference[] {
  const sides = [a, b].map(({ replica: { view }, ledger, replica }) => ({
    view,
    paid: ledger.paid(replica),
    ids: idsOf(view),
  })) as [Side, Side]
  const addresses = new Set(sides.flatMap(({ ids }) => [...ids.keys()]))
  const found: AccountDifference[] = []
  const names = reserveNames(sides.map(({ view }) => view))
  for (const address of addresses) {
    const of = (text: (side: Side, account: number) => string) =>
      pairOf(sides, (side) => {
        const account = side.ids.get(address)
        return account === undefined ? null : text(side, account)
      })
    const sum = (name: keyof Paid) => of(({ paid }) => moneyText(paid.get(address)?.[name] ?? 0))
    const account = {
      address,
      name: names.get(address) ?? null,
      balance: of(({ view }, id) => moneyText(view.accounts.balanceOf(id))),
      fees: sum('fees'),
      funding: sum('funding'),
      positions: positionsOf(sides, address),
    }
    const { balance, fees, funding, positions } = account
    if ([balance, fees, funding].some(differs) || positions.length > 0) found.push(account)
  }
  return found
}

function reserveNames(views: readonly ExchangeView[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const { money, markets } of views) {
    for (const name of ['fees', 'insurance'] as const) names.set(money[name].address, name)
    for (const { id, params } of markets.all())
      names.set(money.backstopOf(id).address, `backstop ${params.symbol}`)
  }
  return names
}

type Side = Readonly<{
  view: ExchangeView
  paid: ReadonlyMap<string, Paid>
  ids: ReadonlyMap<string, number>
}>

function idsOf({ accounts }: ExchangeView): ReadonlyMap<string, number> {
  const ids = new Map<string, number>()
  for (let id = 1; id <= accounts.count; id++) ids.set(accounts.addressOf(id), id)
  return ids
}

function positionsOf(sides: readonly [Side, Side], address: string) {
  const rows = sides.map(({ view, ids }) => {
    const account = ids.get(address)
    const all = account === undefined ? [] : view.positions.of(account)
    return new Map(
      all.map(({ params, lots, cost }) => [
        params.symbol,
        { size: sizeText(params, lots), cost: moneyText(cost) },
      ]),
    )
  }) as [Map<string, Position>, Map<string, Position>]
  return [...new Set(rows.flatMap((each) => [...each.keys()]))].flatMap((symbol) => {
    const of = (name: keyof Position) => pairOf(rows, (each) => each.get(symbol)?.[name] ?? null)
    const position = { symbol, size: of('size'), cost: of('cost') }
    return differs(position.size) || differs(position.cost) ? [position] : []
  })
}

type Position = Readonly<{ size: string; cost: string }>

function marketsOf(a: ExchangeView, b: ExchangeView): readonly MarketDifference[] {
  const symbols = new Set([...a.symbols.keys(), ...b.symbols.keys()])
  return [...symbols].flatMap((symbol) => {
    const markets = [a.markets.named(symbol), b.markets.named(symbol)] as const
    const market = {
      symbol,
      mark: pairOf(markets, (each) => (each ? priceText(each.params, each.mark) : null)),
      openInterest: pairOf(markets, (each) =>
        each ? sizeText(each.params, each.openInterest) : null,
      ),
    }
    return differs(market.mark) || differs(market.openInterest) ? [market] : []
  })
}

function onlyIn(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): OnlyIn {
  const count = [0, 0] as [number, number]
  const rows: Pair[] = []
  for (const text of new Set([...a.keys(), ...b.keys()])) {
    const more = (a.get(text) ?? 0) - (b.get(text) ?? 0)
    if (more === 0) continue
    count[more > 0 ? 0 : 1] += Math.abs(more)
    for (let n = 0; n < Math.abs(more) && rows.length < rowsMax; n++)
      rows.push(more > 0 ? [text, null] : [null, text])
  }
  return { count, rows }
}
