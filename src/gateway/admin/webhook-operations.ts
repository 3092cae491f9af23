// Status of the configured webhooks, and redelivery of missed messages.

import { Type } from '../../protocol/schemas/typebox.ts'
import { apiError } from '../api-error.ts'
import { admin, order } from './admin-operation.ts'

export const listWebhooks = admin({
  name: 'list_webhooks',
  http: 'GET /webhooks',
  scope: 'read',
  summary: 'List the webhooks, their progress, and what was given up',
  request: Type.Object({}),
  reply: Type.Array(
    Type.Object({
      name: Type.String(),
      host: Type.String({ description: 'Host of its address; the rest may be secret' }),
      kinds: Type.Array(Type.String(), { description: 'Kinds of messages it receives' }),
      seq: Type.Integer({ description: 'Last journal entry that was delivered' }),
      delivered: Type.Integer({ description: 'Messages accepted since the start' }),
      failed: Type.Integer({ description: 'Failed attempts since the start' }),
      failing_since: Type.Union([Type.Integer(), Type.Null()], {
        description: 'When the current message first failed; null if none is failing',
      }),
      waiting_since: Type.Union([Type.Integer(), Type.Null()], {
        description: 'Time of the oldest undelivered message; null: none',
      }),
      fault: Type.Union([Type.String(), Type.Null()], { description: 'Of the last attempt' }),
      abandoned: Type.Integer({ description: 'Messages given up since the start' }),
      given_up: Type.Array(
        Type.Object({
          id: Type.String(),
          type: Type.String(),
          at: Type.Integer({ description: 'When it was given up' }),
          fault: Type.String({ description: 'Of the last attempt' }),
        }),
        { description: 'The newest 50 that were not accepted in time' },
      ),
    }),
  ),
  handle({ operator }) {
    return operator.webhooks().map(({ failingSince, waitingSince, givenUp, kinds, ...row }) => ({
      ...row,
      kinds: [...kinds],
      failing_since: failingSince,
      waiting_since: waitingSince,
      given_up: givenUp.map((each) => ({ ...each })),
    }))
  },
})

export const tellAgain = admin({
  name: 'tell_again',
  http: 'POST /webhooks/tell_again',
  scope: 'operate',
  summary: 'Resend everything from a journal entry on to a webhook, with the same ids',
  request: Type.Object({
    name: Type.String({ minLength: 1, maxLength: 64, description: 'Which webhook' }),
    from_seq: Type.Integer({
      minimum: 1,
      description: 'Entry of the journal; for a message, the number before the dash in its id',
    }),
  }),
  reply: Type.Object({ name: Type.String(), from_seq: Type.Integer() }),
  async handle(call) {
    const { name, from_seq } = call.request
    const hooks = call.operator.webhooks()
    const hook = hooks.find((each) => each.name === name)
    if (hook === undefined) {
      const names = hooks.map((each) => each.name).join(', ')
      const there = names === '' ? 'this node has none' : `available: ${names}`
      throw apiError('NOT_FOUND', `no webhook is named ${name}; ${there}`)
    }
    if (from_seq > hook.seq)
      throw apiError(
        'MALFORMED_REQUEST',
        `from_seq ${from_seq} is outside 1 to ${hook.seq}, the last entry delivered to ${name}`,
      )
    const noSubject = { account: '', params: null }
    await call.operator.tellAgain(name, from_seq, (command) => order(call, command, noSubject))
    return { name, from_seq }
  },
})
