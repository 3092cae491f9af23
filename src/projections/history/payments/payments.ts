// Records deposits when they are credited, and withdrawals when they are requested, approved,
// completed or failed. A withdrawal that needs no approval is approved when it is requested. For
// others, the last approval is recorded.

import { type PaymentKind, paymentKinds } from '../../../protocol/admin/payment-kinds.ts'
import type { FedOutcome } from '../chunk.ts'
import { type Database, type Projection, prepare } from '../projection.ts'
import type { Cells } from '../rows/column.ts'
import { insertInto } from '../rows/table.ts'
import { selectWire } from '../rows/wire-row.ts'
import { paymentRow, payments } from '../schema/payment-table.ts'

/** The page begins after this step. */
export type PaymentPage = Readonly<{ seq: number; place: number; limit: number }>

type PaymentOf = Readonly<{ account: number; amount: number; withdrawal?: number }>

export class Payments implements Projection<null> {
  readonly reads = {
    Deposited: (outcome, at) => {
      const { account, amount, reference } = outcome.event('Deposited', at)
      this.add(outcome, 'deposit.credited', { account, amount }, reference)
    },
    WithdrawalRequested: (outcome, at) => {
      const event = outcome.event('WithdrawalRequested', at)
      this.add(outcome, 'withdrawal.requested', event)
      if (event.needed === 0) this.add(outcome, 'withdrawal.approved', event)
    },
    WithdrawalApproved: (outcome, at) => {
      const event = outcome.event('WithdrawalApproved', at)
      if (event.approvals === event.needed) this.add(outcome, 'withdrawal.approved', event)
    },
    WithdrawalCompleted: (outcome, at) =>
      this.add(outcome, 'withdrawal.completed', outcome.event('WithdrawalCompleted', at)),
    WithdrawalFailed: (outcome, at) =>
      this.add(outcome, 'withdrawal.failed', outcome.event('WithdrawalFailed', at)),
  } satisfies Projection['reads']
  /** The entry whose steps are currently being numbered. */
  private seq = 0
  private place = 0
  private readonly insert
  private readonly page
  private readonly steps
  private readonly cut

  constructor(database: Database) {
    this.insert = insertInto(database, payments)
    this.page = selectWire(
      database,
      paymentRow,
      'FROM payments WHERE (seq, place) > (?, ?) ORDER BY seq, place LIMIT ?',
    )
    this.steps = selectWire(
      database,
      paymentRow,
      'FROM payments WHERE withdrawal = ? ORDER BY seq, place',
    )
    this.cut = prepare(database, 'DELETE FROM payments WHERE seq > ?')
  }

  private add(
    { seq, atMs }: FedOutcome,
    kind: PaymentKind,
    { account, amount, withdrawal = 0 }: PaymentOf,
    reference: string | null = null,
  ): void {
    this.place = seq === this.seq ? this.place + 1 : 0
    this.seq = seq
    this.insert({
      ...{ seq, place: this.place, at: atMs, kind: paymentKinds.indexOf(kind), account, amount },
      withdrawal: withdrawal === 0 ? null : withdrawal,
      reference,
    })
  }

  /** Returns steps, oldest first. */
  after({ seq, place, limit }: PaymentPage): Cells[] {
    return this.page(seq, place, limit)
  }

  /** Returns all steps of a withdrawal, in order. */
  ofWithdrawal(withdrawal: number): Cells[] {
    return this.steps(withdrawal)
  }

  mark() {
    return null
  }

  resume(): void {
    this.seq = 0
    this.place = 0
  }

  revert(_: null, snapshot: number): void {
    this.cut.run(snapshot)
  }
}
