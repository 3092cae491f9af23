// The position of an account: the fills that made it, its value, the margin that it needs, what its
// funding cost, and how far it is from its liquidation.

import type { MarketView, PositionNumbers } from '../../core/index.ts'
import { shareTrunc } from '../../units/rounding.ts'
import type { FillRow, FundingPaymentRow } from '../history/history.ts'
import {
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
  if (held === undefined)
    throw new NoExplanation('unknown', `the account has no position in ${symbol}`)
  const market = view.markets.get(id)!
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
      funding: `${paidText(sumOf(payments.rows))} in ${payments.rows.length} payments`,
      liquidation: liquidated === null ? 'at no price' : `at mark ${words.price(liquidated)}`,
    },
    happened: [
      ...fills.rows.slice(-shownMax).map((row) => fillLine(row, words)),
      ...payments.rows.slice(-shownMax).map((row) => paymentLine(row, words)),
    ].sort((a, b) => a.seq - b.seq),
    steps: [
      ...(fills.isWhole ? [costStep(fills.rows, held, words)] : []),
      profitStep(held, market, words),
      requirementStep(view, account, id),
      ...(payments.isWhole ? [fundingStep(payments.rows, held)] : []),
    ],
    pending: await liquidationLines(present, held, words),
  }
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
  { market, openedAt }: PositionNumbers,
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

function costStep(fills: readonly FillRow[], { lots, cost }: PositionNumbers, words: MarketWords) {
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
