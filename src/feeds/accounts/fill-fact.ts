// One part of a fill, out of its row in the log.

import { causes, columnsOf, fillKinds, roles } from '../../core/index.ts'
import type { Outcome } from '../../sequencer/outcome.ts'
import type { FillFact } from './facts.ts'

const filled = columnsOf('Filled')

export function fillFactOf({ log, seq, atMs }: Outcome, at: number): FillFact {
  const { rows } = log
  return {
    type: 'fill',
    seq,
    atMs,
    history: rows[at + filled.history]!,
    counterparty: rows[at + filled.counterparty]!,
    order: rows[at + filled.order]!,
    clientOrderId: null,
    market: rows[at + filled.market]!,
    kind: fillKinds[rows[at + filled.kind]!]!,
    role: roles[rows[at + filled.role]!]!,
    cause: causes[rows[at + filled.cause]!]!,
    lots: rows[at + filled.lots]!,
    price: rows[at + filled.price]!,
    value: rows[at + filled.value]!,
    fee: rows[at + filled.fee]!,
    pnl: rows[at + filled.pnl]!,
    entryCost: rows[at + filled.entryCost]!,
    entryLots: rows[at + filled.entryLots]!,
  }
}
