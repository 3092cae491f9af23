// Webhooks and the treasury of the configuration.

import { count, orNull, text } from '../../schemas/field-types.ts'
import { Type } from '../../schemas/typebox.ts'
import type { AdminRows } from '../admin-row.ts'

export const courierOperations = {
  list_webhooks: {
    http: 'GET /webhooks',
    scope: 'read',
    summary: 'List the webhooks, their progress, and what was given up',
    request: Type.Object({}),
    reply: Type.Array(
      Type.Object({
        name: text(),
        host: text('Host of the webhook; the rest of its address may be secret'),
        kinds: Type.Array(text(), { description: 'Kinds of messages it receives' }),
        seq: count('Last journal entry that was delivered'),
        delivered: count('Messages accepted since startup'),
        failed: count('Failed attempts since startup'),
        failing_since: orNull(
          count(),
          'When the current message first failed; null if none is failing',
        ),
        waiting_since: orNull(count(), 'Time of the oldest undelivered message; null: none'),
        fault: orNull(text(), 'Of the last attempt'),
        abandoned: count('Messages abandoned since startup'),
        given_up: Type.Array(
          Type.Object({
            id: text(),
            type: text(),
            at: count('Time at which it was abandoned'),
            fault: text('Of the last attempt'),
          }),
          { description: 'The newest 50 that were not accepted in time' },
        ),
      }),
    ),
  },
  tell_again: {
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
    reply: Type.Object({ name: text(), from_seq: count() }),
  },
  get_treasury: {
    http: 'GET /treasury',
    scope: 'read',
    summary:
      'Show the status of custody: payment orders sent, reports processed, and refused reports',
    request: Type.Object({}),
    reply: Type.Union(
      [
        Type.Object({
          kind: Type.Enum(['files', 'http']),
          where: text('A folder, or a host'),
          orders_given: count('Payment orders accepted since startup'),
          orders_fault: orNull(text(), 'Why the order that waits is not taken; null: none'),
          orders_waiting_since: orNull(count(), 'Null: no order waits'),
          reports_applied: count('Reports applied since startup'),
          reports_known: count('Repeated reports, without effect'),
          reports_refused: count('Reports refused since startup; the newest are below'),
          fault: orNull(text(), 'Why no reports can be taken; null: they can'),
          failing_since: orNull(count(), 'Null: reports can be taken'),
          refused: Type.Array(
            Type.Object({
              name: text('Of the file, or of the answer'),
              report: text('Position in the report: line and column'),
              says: text('Why, and what is accepted'),
              refused_at: count(),
            }),
            { description: 'The newest 50 refused reports since startup; they had no effect' },
          ),
        }),
        Type.Null(),
      ],
      { description: 'Null if none is configured, or another node leads' },
    ),
  },
} as const satisfies AdminRows
