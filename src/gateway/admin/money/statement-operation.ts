// The statement of an account over a period, page by page. Each page is consistent: its opening
// plus its lines equals its closing, and the next page opens with that closing.

import type {
  Held,
  Statement,
  StatementLine,
} from '../../../projections/history/statements/statement.ts'
import {
  type StatementMoney,
  statementOf,
} from '../../../projections/history/statements/statement.ts'
import {
  averagePriceText,
  moneyText,
  priceText,
  sizeText,
} from '../../../projections/market-text.ts'
import { statementLinesMax } from '../../../protocol/admin/operations/statement-operations.ts'
import { balanceEvents } from '../../../protocol/words.ts'
import { apiError } from '../../api-error.ts'
import type { Exchange } from '../../exchange.ts'
import type { AdminAnswers } from '../admin-operation.ts'
import { accountIn } from '../venue-operations.ts'

const minuteMs = 60_000

type Span = Readonly<{ from?: number | null; to?: number | null }>

function spanIn({ view }: Exchange, { from, to }: Span) {
  const refused = (text: string) => apiError('MALFORMED_REQUEST', text)
  for (const [field, ms] of [['from', from] as const, ['to', to] as const])
    if (ms != null && ms % minuteMs !== 0)
      throw refused(
        `${field} ${ms} is not on a full minute; nearest: ${ms - (ms % minuteMs)} and ` +
          `${ms - (ms % minuteMs) + minuteMs}`,
      )
  // A period that has not ended is reported up to the newest entry.
  const toMs = to == null || to > view.atMs ? null : to
  const end = toMs ?? view.atMs
  if (from != null && from > end)
    throw refused(`from ${from} must not be after to, which is ${end}`)
  return { fromMs: from ?? null, toMs }
}

function pageWire(exchange: Exchange, { opening, lines, closing, next, fault }: Statement) {
  return {
    opening: standingWire(opening),
    lines: lines.map((each) => lineWire(exchange, each)),
    totals: totalsWire(lines),
    closing: standingWire(closing),
    adds_up: fault === null,
    ...{ fault, next },
  }
}

const moneyWire = ({ balance, isolated, pending }: StatementMoney) => ({
  balance: moneyText(balance),
  isolated: moneyText(isolated),
  pending_balance: moneyText(pending),
})

const standingWire = (all: StatementMoney) => ({
  ...moneyWire(all),
  total: moneyText(all.balance + all.isolated + all.pending),
})

function lineWire({ view }: Exchange, { row, amount, pendingAmount, after }: StatementLine) {
  return {
    ...{ line_id: row.id, seq: row.seq, created_at: row.atMs, event_type: row.event },
    symbol: row.market === 0 ? null : view.markets.paramsOf(row.market).symbol,
    amount: moneyText(amount),
    pending_amount: moneyText(pendingAmount),
    realized_pnl: moneyText(row.realized),
    fee: moneyText(row.fee),
    ...{ withdrawal_id: row.withdrawal, reference: row.reference },
    counterparty: row.event === 'subaccount_transfer' ? row.counterparty : null,
    ...moneyWire(after),
  }
}

function totalsWire(lines: readonly StatementLine[]) {
  return balanceEvents.flatMap((event) => {
    const own = lines.filter(({ row }) => row.event === event)
    if (own.length === 0) return []
    const sum = (read: (each: StatementLine) => number) =>
      moneyText(own.reduce((all, each) => all + read(each), 0))
    return {
      ...{ event_type: event, lines: own.length, amount: sum(({ amount }) => amount) },
      pending_amount: sum(({ pendingAmount }) => pendingAmount),
      realized_pnl: sum(({ row }) => row.realized),
      fee: sum(({ row }) => row.fee),
    }
  })
}

async function endWire(exchange: Exchange, whose: string, { closing, held }: Statement) {
  const profit = held.reduce((sum, each) => sum + each.profit, 0)
  const proof = await exchange.reserves.inclusionOf(whose)
  return {
    positions: held.flatMap((each) => (each.lots === 0 ? [] : positionWire(exchange, each))),
    unrealized_pnl: moneyText(profit),
    equity: moneyText(closing.balance + closing.isolated + profit),
    reserve_proof: proof === null ? null : { ...proof, path: [...proof.path] },
  }
}

function positionWire({ view }: Exchange, { market, lots, cost, mark, profit, wallet }: Held) {
  const params = view.markets.paramsOf(market)
  return {
    symbol: params.symbol,
    side: lots > 0 ? ('bid' as const) : ('ask' as const),
    amount: sizeText(params, Math.abs(lots)),
    entry_price: averagePriceText(params, cost, lots),
    mark: priceText(params, mark),
    unrealized_pnl: moneyText(profit),
    isolated: moneyText(wallet),
  }
}

export const statementAnswers = {
  async get_statement({ request, exchange }) {
    const whose = exchange.view.accounts.addressOf(accountIn(exchange, request.account))
    const { fromMs, toMs } = spanIn(exchange, request)
    const limit = request.limit ?? statementLinesMax
    const query = { fromMs, toMs, after: request.after ?? null, limit }
    const until = toMs ?? exchange.view.atMs
    const rows = await exchange.history.statement(exchange.seq(), whose, query)
    const statement = statementOf(rows, limit)
    const isLast = statement.next === null
    return {
      ...{ account: whose, from: fromMs, to: until, ...pageWire(exchange, statement) },
      at_end: isLast ? await endWire(exchange, whose, statement) : null,
    }
  },
} satisfies Partial<AdminAnswers>
