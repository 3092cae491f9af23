// One thing an operator may ask, declared once. Every action says why; the journal keeps who and
// why.

import type { Command, Event, MarketStatus, RejectionName } from '../../core/index.ts'
import type { AdminScope } from '../../protocol/admin-scopes.ts'
import { type Static, type TSchema, Type } from '../../protocol/schemas/typebox.ts'
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
  /** Who asks. */
  holder: TokenHolder
  /** Everyone's. */
  tokens: readonly TokenHolder[]
  by: By
}>

export type AdminOperation<
  Request extends TSchema = TSchema,
  Reply extends TSchema = TSchema,
> = Readonly<{
  /** What documents and the command line call it. */
  name: string
  http: `${'GET' | 'POST'} /${string}`
  /** Null: every token may ask. */
  scope: AdminScope | null
  summary: string
  request: Request
  reply: Reply
  handle(call: AdminCall<Static<Request>>): Static<Reply> | Promise<Static<Reply>>
}>

export function admin<Request extends TSchema, Reply extends TSchema>(
  operation: AdminOperation<Request, Reply>,
): AdminOperation {
  return operation as unknown as AdminOperation
}

export const reasonMax = 500

const reason = Type.String({
  minLength: 1,
  maxLength: reasonMax,
  description: 'Reason, one line; the journal stores it with the name of the token',
})

/** A price is pushed every few seconds by a machine, and its reason is always the same; who only
 *  looks needs none. */
export const asksWhy = ({ http, scope }: Pick<AdminOperation, 'http' | 'scope'>): boolean =>
  http.startsWith('POST') && scope !== 'prices' && scope !== 'read'

/** The body of an action as it is sent: the request and its reason. */
export function bodyOf(operation: AdminOperation): TSchema {
  const { properties } = operation.request as unknown as { properties: Record<string, TSchema> }
  return Type.Object({
    ...properties,
    reason: asksWhy(operation) ? reason : Type.Optional(reason),
  })
}

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
