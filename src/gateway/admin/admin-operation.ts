// What answers an operation of the admin API (../../protocol/admin/admin-api.ts). Every action has
// a reason; the journal stores it with the name of the token.

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

/** One for each operation of the admin API. */
export type AdminAnswers = {
  readonly [N in AdminName]: (
    call: AdminCall<AdminRequest<N>>,
  ) => AdminReply<N> | Promise<AdminReply<N>>
}

export type AdminOperation = AdminRow &
  Readonly<{ name: AdminName; answer(call: AdminCall<never>): unknown }>

export const noSubject: Subject = { account: '', params: null }

/** Of the market that an action is about: one that is settled refuses in other words. */
export function statusOf({ view }: Exchange, { params }: Subject): MarketStatus | null {
  return params === null ? null : (view.markets.named(params.symbol)?.status ?? null)
}

/** Submits with who and why; throws when a rule refuses, but for what the caller answers itself. */
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
