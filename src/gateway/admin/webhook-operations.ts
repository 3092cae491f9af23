// How the webhooks of the configuration stand.

import { Type } from '../../protocol/schemas/typebox.ts'
import { admin } from './admin-operation.ts'

export const listWebhooks = admin({
  name: 'list_webhooks',
  http: 'GET /webhooks',
  scope: 'read',
  summary: 'Who is told of deposits and withdrawals, how far each is, and what was given up',
  request: Type.Object({}),
  reply: Type.Array(
    Type.Object({
      name: Type.String(),
      host: Type.String({ description: 'Where it is; the rest of the address may be secret' }),
      kinds: Type.Array(Type.String(), { description: 'What it is told' }),
      seq: Type.Integer({ description: 'Entry of the journal up to which it was told' }),
      delivered: Type.Integer({ description: 'Messages taken since the start' }),
      failed: Type.Integer({ description: 'Attempts not taken since the start' }),
      failing_since: Type.Union([Type.Integer(), Type.Null()], {
        description: 'When the message that is tried now first failed; null: none is failing',
      }),
      waiting_since: Type.Union([Type.Integer(), Type.Null()], {
        description: 'When the oldest message happened that was not told yet; null: none waits',
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
        { description: 'The newest 50 that nobody took in time: tell them by hand' },
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
