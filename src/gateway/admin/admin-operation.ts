// Implementations of the operations of the admin API (../../protocol/admin/admin-api.ts). Every
// action has a reason, which the journal stores with the name of the token.

import type { Command, Event, MarketStatus, RejectionName } from '../../core/index.ts'
import type { AdminName, AdminReply, AdminRequest } from '../../protocol/admin/admin-api.ts'
import type { AdminRow } from '../../protocol/admin/admin-row.ts'
import type { By } from '../../sequencer/entry.ts'
import { ownEventsOf } from '../../sequencer/outcome.ts'
import type { Exchange } from '../exchange.ts'
import { refusalWith } from '../refusal.ts'
import type { Subject } from '../refusal-subject.ts'
import { numbersOf } from '../refusal-text.ts'
import type { TokenHolder } from './access/tokens.ts'
import type { Operator } from './operator.ts'

export type AdminCall<Request> = Readonly<{
  request: Request
  exchange: Exchange
  operator: Operator
  holder: TokenHolder
  /** All holders of tokens. */
  tokens: readonly TokenHolder[]
  by: By
}>

/** The implementation of each operation of the admin API. */
export type AdminAnswers = {
  readonly [N in AdminName]: (
    call: AdminCall<AdminRequest<N>>,
  ) => AdminReply<N> | Promise<AdminReply<N>>
}

export type AdminOperation = AdminRow &
  Readonly<{ name: AdminName; answer(call: AdminCall<never>): unknown }>

export const noSubject: Subject = { account: '', params: null }

/** The status of the market that an action concerns. Errors for settled markets have a different
 *  message. */
export function statusOf({ view }: Exchange, { params }: Subject): MarketStatus | null {
  return params === null ? null : (view.markets.named(params.symbol)?.status ?? null)
}

/** Submits a command with its operator and reason. Throws if a rule rejects it, except for
 *  rejections that the caller handles. */
export async function order(
  { exchange, by }: Pick<AdminCall<unknown>, 'exchange' | 'by'>,
  command: Command,
  subject: Subject,
  expected: readonly RejectionName[] = [],
): Promise<readonly Event[]> {
  const events = ownEventsOf(await exchange.submit(command, by))
  const rejected = events.find((event) => event.type === 'CommandRejected')
  if (rejected === undefined || expected.includes(rejected.rejection)) return events
  const standing = { ...subject, status: statusOf(exchange, subject) }
  throw refusalWith(rejected.rejection, 'rules', standing, numbersOf(rejected))
}
