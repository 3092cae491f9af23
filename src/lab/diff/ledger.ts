// What happened in a history, by address and symbol rather than by id: fills, liquidations, and
// what each account paid. Ids of two histories differ after their first difference.

import {
  type Event,
  type EventType,
  type ExchangeView,
  fillsOf,
  kindAt,
  kindOfEvent,
  nextAfter,
} from '../../core/index.ts'
import { moneyText, priceText, sizeText } from '../../projections/market-text.ts'
import type { Outcome } from '../../sequencer/outcome.ts'
import type { Replica } from '../../sequencer/replica/replica.ts'

export type Paid = { fees: number; funding: number }
type Row = Readonly<{ seq: number; text: string }>
type Payment = Readonly<{ seq: number; address: string; fees: number; funding: number }>

const types = [
  ...(['Traded', 'Filled', 'FundingPaid', 'LiquidationFeePaid', 'LiquidationStarted'] as const),
  ...(['BackstopTookOver', 'Deleveraged'] as const),
] satisfies readonly EventType[]
const wanted = new Set(types.map(kindOfEvent))

export class Ledger {
  private readonly fillRows: Row[] = []
  private readonly liquidationRows: Row[] = []
  private readonly payments: Payment[] = []
  entries = 0

  take({ seq, atMs, log, first, end }: Outcome, view: ExchangeView): void {
    this.entries += 1
    const { rows } = log
    for (let at = first; at < end; at = nextAfter(rows, at))
      if (wanted.has(kindAt(rows, at))) this.note({ seq, atMs }, log.read(at), view)
  }

  /** The fills that a revert has not undone, each with how often it is there. */
  fills(replica: Replica): ReadonlyMap<string, number> {
    return countOf(this.fillRows, replica)
  }

  liquidations(replica: Replica): ReadonlyMap<string, number> {
    return countOf(this.liquidationRows, replica)
  }

  paid(replica: Replica): ReadonlyMap<string, Paid> {
    const sums = new Map<string, Paid>()
    for (const { seq, address, fees, funding } of this.payments) {
      if (replica.isUndone(seq)) continue
      const sum = sums.get(address) ?? { fees: 0, funding: 0 }
      sum.fees += fees
      sum.funding += funding
      sums.set(address, sum)
    }
    return sums
  }

  private note(at: Readonly<{ seq: number; atMs: number }>, event: Event, view: ExchangeView) {
    const { seq } = at
    const addressOf = (account: number) => view.accounts.addressOf(account)
    const time = new Date(at.atMs).toISOString()
    for (const fill of fillsOf(event)) {
      const { params } = view.markets.get(fill.market)!
      const address = addressOf(fill.account)
      if (fill.fee !== 0) this.payments.push({ seq, address, fees: fill.fee, funding: 0 })
      const price =
        fill.price === 0 ? moneyText(fill.value) : priceText(params, fill.price as never)
      const size = sizeText(params, fill.lots as never)
      const words = [time, params.symbol, fill.kind, size, `at ${price}`, fill.role, fill.cause]
      this.fillRows.push({ seq, text: [...words, address, addressOf(fill.counterparty)].join(' ') })
    }
    if (event.type === 'FundingPaid')
      this.payments.push({
        ...{ seq, address: addressOf(event.account), fees: 0 },
        funding: event.payment,
      })
    if (event.type === 'LiquidationFeePaid')
      this.payments.push({
        ...{ seq, address: addressOf(event.account), fees: event.amount },
        funding: 0,
      })
    const scope = scopeOf(event)
    if (scope === null) return
    const symbol = scope.market === 0 ? 'cross' : view.markets.get(scope.market)!.params.symbol
    const text = [time, symbol, event.type, addressOf(scope.account)].join(' ')
    this.liquidationRows.push({ seq, text })
  }
}

function scopeOf(event: Event): Readonly<{ account: number; market: number }> | null {
  if (event.type === 'LiquidationStarted') return { account: event.account, market: event.scope }
  return event.type === 'BackstopTookOver' || event.type === 'Deleveraged' ? event : null
}

function countOf(rows: readonly Row[], replica: Replica): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { seq, text } of rows)
    if (!replica.isUndone(seq)) counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}
