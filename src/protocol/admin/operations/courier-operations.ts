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
        kinds: Type.Array(text(), { description: 'Kinds of messages that the webhook receives' }),
        seq: count('Last journal entry that was delivered'),
        delivered: count('Messages accepted since startup'),
        failed: count('Failed attempts since startup'),
        failing_since: orNull(
          count(),
          'Time of the first failed attempt for the current message; null if it has not ' +
            'failed',
        ),
        waiting_since: orNull(
          count(),
          'Time of the oldest undelivered message; null if there is none',
        ),
        fault: orNull(text(), 'Error of the last attempt'),
        abandoned: count('Messages abandoned since startup'),
        given_up: Type.Array(
          Type.Object({
            id: text(),
            type: text(),
            at: count('Time at which it was abandoned'),
            fault: text('Error of the last attempt'),
          }),
          { description: 'The newest 50 abandoned messages' },
        ),
      }),
    ),
  },
  tell_again: {
    http: 'POST /webhooks/tell_again',
    scope: 'operate',
    summary: 'Resend everything from a journal entry on to a webhook, with the same ids',
    request: Type.Object({
      name: Type.String({ minLength: 1, maxLength: 64, description: 'Name of the webhook' }),
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
          where: text('Folder or host of the treasury'),
          orders_given: count('Payment orders accepted since startup'),
          orders_fault: orNull(
            text(),
            'Reason why the waiting order is not accepted; null if there is none',
          ),
          orders_waiting_since: orNull(
            count(),
            'Time since which an order waits; null if none waits',
          ),
          reports_applied: count('Reports applied since startup'),
          reports_known: count('Repeated reports, without effect'),
          reports_refused: count('Reports refused since startup; the newest are below'),
          fault: orNull(text(), 'Reason why reports cannot be read; null if they can'),
          failing_since: orNull(
            count(),
            'Time since which reports cannot be read; null if they can',
          ),
          refused: Type.Array(
            Type.Object({
              name: text('Name of the file, or of the reply'),
              report: text('Position in the report: line and column'),
              says: text('Reason of the refusal, and what is accepted'),
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
