// The rows of a statement: the amounts before its period, a page of changes of money and positions,
// and the amounts after the page. All rows are as of the same moment.

import { openProfit } from '../../../core/index.ts'
import { type PaymentKind, paymentKinds } from '../../../protocol/admin/payment-kinds.ts'
import { type BalanceEvent, balanceEvents } from '../../../protocol/words.ts'
import type { StatementQuery } from '../history.ts'
import type { Database } from '../projection.ts'
import type { Cells } from '../rows/column.ts'
import { pick, select } from '../rows/select.ts'
import { selectWire } from '../rows/wire-row.ts'
import { balances as ledger } from '../schema/balance-table.ts'
import { statementParts, statementRow } from '../schema/statement-table.ts'
import type { Accounts } from '../tables/accounts.ts'
import type { Balances } from '../tables/balances.ts'
import type { Portfolio } from '../tables/portfolio.ts'
import { TimeIndex } from '../tables/time-index.ts'

type Parts = Readonly<{
  accounts: Accounts
  balances: Balances
  portfolio: Portfolio
  marketIds(): readonly number[]
}>

type Part = (typeof statementParts)[number]
const placeOf = (part: Part) => statementParts.indexOf(part)
const codeOf = (event: BalanceEvent) => balanceEvents.indexOf(event)

/** The step of a payment that a ledger event records. */
const steps: Readonly<Partial<Record<BalanceEvent, PaymentKind>>> = {
  deposit: 'deposit.credited',
  withdraw: 'withdrawal.requested',
  withdraw_completed: 'withdrawal.completed',
  withdraw_failed: 'withdrawal.failed',
}
const stepOf = Object.entries(steps)
  .map(([event, kind]) => [codeOf(event as BalanceEvent), paymentKinds.indexOf(kind)])
  .map(([event, kind]) => `WHEN ${event} THEN ${kind}`)
  .join(' ')

// The two sides of a transfer are adjacent.
const from = `FROM balances
  LEFT JOIN payments ON payments.seq = balances.seq
    AND payments.kind = CASE balances.event ${stepOf} END
  LEFT JOIN balances AS other ON balances.event = ${codeOf('subaccount_transfer')}
    AND other.id IN (balances.id - 1, balances.id + 1)
    AND other.seq = balances.seq AND other.event = balances.event`

export class StatementRows {
  private readonly parts
  private readonly times
  private readonly page
  private readonly money
  private readonly held
  private readonly holding

  constructor(database: Database, parts: Parts) {
    this.parts = parts
    this.times = new TimeIndex(database, ledger, ledger.columns.id)
    const lines = 'balances.account = ?4 AND balances.id > ?5 AND balances.id <= ?6'
    const order = 'ORDER BY balances.id LIMIT ?7'
    this.page = selectWire(database, statementRow, `${from} WHERE ${lines} ${order}`)
    const newest = 'balances.id <= ?5 ORDER BY balances.id DESC LIMIT 1'
    const ofAccount = 'balances.account = ?4'
    this.money = selectWire(database, statementRow, `${from} WHERE ${ofAccount} AND ${newest}`)
    const ofMarket = `${ofAccount} AND balances.market = ?6`
    this.held = selectWire(database, statementRow, `${from} WHERE ${ofMarket} AND ${newest}`)
    this.holding = select(
      database,
      pick(ledger, 'lots', 'cost', 'wallet'),
      'FROM balances WHERE account = ? AND market = ? AND id <= ? ORDER BY id DESC LIMIT 1',
    )
  }

  /** Returns one line more than the limit if there are more. */
  of(address: string, { fromMs, toMs, after, limit }: StatementQuery): Cells[] {
    const account = this.parts.accounts.idOf(address)
    const { last } = this.parts.balances.ledger
    const { low, top } = this.times.range(fromMs, toMs === null ? null : toMs - 1, last)
    const before = after === null ? low - 1 : after
    const found = this.page(placeOf('line'), 0, 0, account, before, top, limit + 1)
    const isLast = found.length <= limit
    const end = isLast ? Math.max(top, before) : idIn(found[limit - 1]!)
    const markedAt = toMs ?? Number.MAX_SAFE_INTEGER
    return [
      ...this.money(placeOf('money_before'), 0, 0, account, before),
      ...this.heldAt(account, before, 'held_before', null),
      ...found,
      ...this.money(placeOf('money_after'), 0, 0, account, end),
      ...this.heldAt(account, end, 'held_after', isLast ? markedAt : null),
    ]
  }

  private heldAt(account: number, id: number, part: Part, markedAt: number | null): Cells[] {
    const { balances, portfolio, marketIds } = this.parts
    return marketIds().flatMap((market) => {
      const held = this.holding.get(account, market, id)
      if (held === undefined || (held.lots === 0 && held.wallet === 0)) return []
      const mark = markedAt === null ? 0 : portfolio.markAt(market, markedAt)
      const unitValue = balances.unitValueOf(market)
      const profit = markedAt === null ? 0 : openProfit(held.lots, held.cost, mark, { unitValue })
      return this.held(placeOf(part), mark, profit, account, id, market)
    })
  }
}

const idPlace = statementRow.columns.findIndex(({ name }) => name === ledger.columns.id.name)
const idIn = (cells: Cells) => cells[idPlace] as number
