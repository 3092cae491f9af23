// The position of an account: the fills that made it, its value, the margin that it needs, what its
// funding cost, and how far it is from its liquidation.

import type { MarketView, PositionNumbers } from '../../core/index.ts'
import { shareTrunc } from '../../units/rounding.ts'
import type { FillRow, FundingPaymentRow } from '../history/history.ts'
import {
  counted,
  type Explanation,
  type Happening,
  type MarketWords,
  type Pending,
  ppb,
  type Step,
  step,
  timeOf,
  usd,
  wordsOf,
} from './explanation.ts'
import { requirementStep } from './margin-steps.ts'
import { NoExplanation } from './past.ts'
import { closestText, type Present } from './pending-order.ts'

const fillsMax = 1_000
const paymentsMax = 2_000
const paymentsPage = 200
/** Of fills, and of funding payments. */
const shownMax = 50

export async function explainPosition(
  present: Present,
  account: number,
  symbol: string,
): Promise<Explanation> {
  const { view } = present
  const id = view.symbols.get(symbol)
  if (id === undefined) throw new NoExplanation('unknown', `there is no market ${symbol}`)
  const held = view.positions.of(account).find(({ market }) => market === id)
  const market = view.markets.get(id)!
  if (held === undefined) return closedPosition(present, account, market)
  const words = wordsOf(market.params, market.unitValue)
  const address = view.accounts.addressOf(account)
  const fills = await fillsOf(present, address, held)
  const payments = await paymentsOf(present, address, held)
  const { lots, isolated, wallet, openedAt, feesPaid, liquidationPrice: liquidated } = held
  return {
    title: `Position on ${symbol}: ${lots > 0 ? 'long' : 'short'} ${words.size(Math.abs(lots))}`,
    facts: {
      account: address,
      opened: timeOf(openedAt),
      margin: isolated ? `isolated, wallet ${usd(wallet)}` : 'cross',
      'fees paid': usd(feesPaid),
      funding: fundingText(payments.rows),
      liquidation: liquidated === null ? 'at no price' : `at mark ${words.price(liquidated)}`,
    },
    happened: linesOf(fills.rows, payments.rows, words),
    steps: [
      ...(fills.isWhole ? [costStep(fills.rows, held, words)] : []),
      profitStep(held, market, words),
      requirementStep(view, account, id),
      ...(payments.isWhole ? [fundingStep(payments.rows, held)] : []),
    ],
    pending: await liquidationLines(present, held, words),
  }
}

/** The last position of a market in which the account has none now. */
async function closedPosition(
  present: Present,
  account: number,
  market: MarketView,
): Promise<Explanation> {
  const { history, seq, view } = present
  const { id, params, unitValue } = market
  const words = wordsOf(params, unitValue)
  const address = view.accounts.addressOf(account)
  const page = { market: id, startMs: null, endMs: null, limit: fillsMax, before: null }
  const rows = await history.fills(seq, address, page)
  const [last] = rows
  if (last === undefined)
    throw new NoExplanation(
      'unknown',
      `the account has no position in ${params.symbol}, and had none`,
    )
  let [held, most] = [0, 0]
  const found: FillRow[] = []
  for (const row of rows) {
    found.push(row)
    held -= signOf(row) * row.lots
    if (Math.abs(held) > Math.abs(most)) most = held
    if (held === 0) break
  }
  const fills = found.reverse()
  const openedAt = fills[0]!.atMs
  const payments = await paymentsOf(present, address, { market: id, openedAt })
  const sum = (name: 'pnl' | 'fee') => fills.reduce((total, row) => total + row[name], 0)
  const isWhole = held === 0
  return {
    title: `Position on ${params.symbol}: closed`,
    facts: {
      account: address,
      position: `${most > 0 ? 'long' : 'short'}, at most ${words.size(Math.abs(most))}`,
      opened: `${isWhole ? '' : 'before '}${timeOf(openedAt)}`,
      closed: timeOf(last.atMs),
      'realised profit': `${usd(sum('pnl'))} after fees, without funding`,
      'fees paid': usd(sum('fee')),
      funding: fundingText(payments.rows),
    },
    happened: linesOf(fills, payments.rows, words),
    steps: isWhole ? [costStep(fills, { lots: 0, cost: 0 }, words)] : [],
    pending: [],
  }
}

const fundingText = (rows: readonly FundingPaymentRow[]) =>
  `${paidText(sumOf(rows))} in ${counted(rows.length, 'payment')}`

function linesOf(
  fills: readonly FillRow[],
  payments: readonly FundingPaymentRow[],
  words: MarketWords,
): readonly Happening[] {
  return [
    ...fills.slice(-shownMax).map((row) => fillLine(row, words)),
    ...payments.slice(-shownMax).map((row) => paymentLine(row, words)),
  ].sort((a, b) => a.seq - b.seq)
}

type Rows<Row> = Readonly<{ rows: readonly Row[]; isWhole: boolean }>

/** The fills of the position, oldest first. */
async function fillsOf(
  { history, seq }: Present,
  address: string,
  { market, lots, openedAt: startMs }: PositionNumbers,
): Promise<Rows<FillRow>> {
  const page = { market, startMs, endMs: null, limit: fillsMax, before: null }
  const rows = await history.fills(seq, address, page)
  let left: number = lots
  const found: FillRow[] = []
  for (const row of rows) {
    if (left === 0) break
    found.push(row)
    left -= signOf(row) * row.lots
  }
  return { rows: found.reverse(), isWhole: left === 0 }
}

/** +1 for a buy, −1 for a sell. */
const signOf = ({ kind }: FillRow) =>
  kind === 'open_long' || kind.endsWith('close_short') ? 1 : -1

/** The funding payments of the position, oldest first. */
async function paymentsOf(
  { history, seq }: Present,
  address: string,
  { market, openedAt }: Readonly<{ market: number; openedAt: number }>,
): Promise<Rows<FundingPaymentRow>> {
  const found: FundingPaymentRow[] = []
  let before: number | null = null
  for (let read = 0; read < paymentsMax; read += paymentsPage) {
    const page = await history.fundingPayments(seq, address, { limit: paymentsPage, before })
    found.push(...page.filter((row) => row.market === market && row.atMs >= openedAt))
    const oldest = page.at(-1)
    if (page.length < paymentsPage || oldest!.atMs < openedAt)
      return { rows: found.reverse(), isWhole: true }
    before = oldest!.id
  }
  return { rows: found.reverse(), isWhole: false }
}

const sumOf = (rows: readonly FundingPaymentRow[]) =>
  rows.reduce((sum, { payment }) => sum + payment, 0)

const paidText = (received: number) =>
  `${received < 0 ? 'paid' : 'received'} ${usd(Math.abs(received))}`

function fillLine({ history, seq, atMs, kind, ...row }: FillRow, words: MarketWords): Happening {
  const { lots, value, fee, pnl } = row
  const what =
    `fill ${history}: ${kind} ${words.size(lots)} for ${usd(value)}, fee ${usd(fee)}, ` +
    `profit ${usd(pnl)}`
  return { seq, time: timeOf(atMs), what, rule: 'ORDER-6' }
}

function paymentLine(
  { id, seq, atMs, lots, payment, rate }: FundingPaymentRow,
  words: MarketWords,
) {
  const what = `funding ${id}: ${paidText(payment)} for ${words.size(lots)} at ${ppb(rate)}`
  return { seq, time: timeOf(atMs), what, rule: 'FUND-4' }
}

type Held = Readonly<{ lots: number; cost: number }>

function costStep(fills: readonly FillRow[], { lots, cost }: Held, words: MarketWords) {
  let [size, sum] = [0, 0]
  for (const row of fills) {
    const sign = signOf(row)
    sum += row.kind.startsWith('open')
      ? sign * row.value
      : -shareTrunc(sum, row.lots, Math.abs(size))
    size += sign * row.lots
  }
  return step({
    rule: 'UNITS-2',
    formula: 'opening: cost += s·value; closing n of |lots|: cost −= trunc(cost × n ÷ |lots|)',
    inputs: { fills: `${fills.length}`, position: words.size(lots) },
    result: sum,
    recorded: cost,
    text: (value) => `cost ${usd(value)}`,
  })
}

function profitStep(
  { lots, cost, unrealised }: PositionNumbers,
  { mark, unitValue }: MarketView,
  words: MarketWords,
): Step {
  return step({
    rule: 'MARGIN-3',
    formula: 'unrealised = lots × mark × K − cost',
    inputs: { position: words.size(lots), mark: words.price(mark), K: words.unit, cost: usd(cost) },
    result: lots * mark * unitValue - cost,
    recorded: unrealised,
    text: usd,
  })
}

/** Hours that have ended and are not settled yet are in the position and not in history. */
function fundingStep(rows: readonly FundingPaymentRow[], { fundingPaid }: PositionNumbers): Step {
  const paid = -sumOf(rows)
  const owed = fundingPaid - paid
  return step({
    rule: 'FUND-4',
    formula: 'funding paid = Σ of what each hour cost (received: below zero)',
    inputs: {
      payments: `${rows.length}, in all ${usd(paid)}`,
      ...(owed !== 0 && { 'of hours that are not settled yet': usd(owed) }),
    },
    result: paid + owed,
    recorded: fundingPaid,
    text: usd,
  })
}

async function liquidationLines(
  present: Present,
  { market, lots, liquidationPrice: price, openedAt: sinceMs }: PositionNumbers,
  words: MarketWords,
): Promise<readonly Pending[]> {
  if (price === null)
    return [{ what: 'no price of this market alone liquidates it', rule: 'LIQ-1' }]
  const high = lots < 0
  const { mark } = present.view.markets.get(market)!
  const away = Math.abs(mark - price)
  const approach = { market, sinceMs, high, price, by: 'mark' } as const
  const closest = await closestText(present, words, approach)
  return [
    {
      what:
        `is not liquidated: that happens at mark ${high ? '≥' : '≤'} ${words.price(price)} if ` +
        `nothing else changes, and the mark is ${words.price(mark)}, ${words.price(away)} away`,
      rule: 'LIQ-1',
    },
    { what: closest, rule: 'LIQ-1' },
  ]
}
