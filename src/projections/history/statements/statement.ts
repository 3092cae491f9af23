// A page of an account's statement: opening, lines, closing. Each line is the difference between
// the amounts before and after it. Opening and closing are read separately, and a mismatch with the
// lines is reported.

import type { StatementRow } from '../schema/statement-table.ts'

/** `isolated`: total of the wallets of isolated positions. */
export type StatementMoney = Readonly<{ balance: number; isolated: number; pending: number }>

export type StatementLine = Readonly<{
  row: StatementRow
  /** Change of balance and wallets together, and of pending withdrawals. */
  amount: number
  pendingAmount: number
  after: StatementMoney
}>

export type Held = Pick<StatementRow, 'market' | 'lots' | 'cost' | 'wallet' | 'mark' | 'profit'>

export type Statement = Readonly<{
  opening: StatementMoney
  lines: readonly StatementLine[]
  closing: StatementMoney
  /** Amounts after the newest line. */
  held: readonly Held[]
  /** Cursor of the next page; `null` if this is the last one. */
  next: number | null
  /** Describes a mismatch between the lines and the closing; `null` if there is none. */
  fault: string | null
}>

/** `rows`: the rows that the store returned for this limit. */
export function statementOf(rows: readonly StatementRow[], limit: number): Statement {
  const of = (part: StatementRow['part']) => rows.filter((row) => row.part === part)
  const found = of('line')
  const shown = found.slice(0, limit)
  const held = of('held_after')
  const opening = moneyIn(of('money_before')[0], of('held_before'))
  const closing = moneyIn(of('money_after')[0], held)
  const wallets = new Map(of('held_before').map(({ market, wallet }) => [market, wallet]))
  const lines: StatementLine[] = []
  let fault: string | null = null
  let last = opening
  for (const row of shown) {
    const line = lineOf(row, last, wallets)
    if (row.amount !== row.balance - last.balance)
      fault ??= `lines before ${row.id} are not kept any more`
    lines.push(line)
    last = line.after
  }
  if (fault === null && !same(last, closing)) fault = 'the closing is not what the lines lead to'
  const next = found.length > limit ? shown.at(-1)!.id : null
  return { opening, lines, closing, held, next, fault }
}

function lineOf(
  row: StatementRow,
  last: StatementMoney,
  wallets: Map<number, number>,
): StatementLine {
  const { market, balance, pending } = row
  const wallet = wallets.get(market) ?? 0
  const after = { balance, pending, isolated: last.isolated + row.wallet - wallet }
  wallets.set(market, row.wallet)
  const amount = balance - last.balance + row.wallet - wallet
  return { row, amount, pendingAmount: pending - last.pending, after }
}

function moneyIn(
  newest: StatementRow | undefined,
  held: readonly Pick<StatementRow, 'wallet'>[],
): StatementMoney {
  const isolated = held.reduce((sum, { wallet }) => sum + wallet, 0)
  return { balance: newest?.balance ?? 0, pending: newest?.pending ?? 0, isolated }
}

function same(one: StatementMoney, other: StatementMoney): boolean {
  return (
    one.balance === other.balance &&
    one.isolated === other.isolated &&
    one.pending === other.pending
  )
}
