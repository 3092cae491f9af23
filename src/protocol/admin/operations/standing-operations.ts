// Status of the exchange: whether it accepts orders, its load and its queues.

import { count, orNull, text } from '../../schemas/field-types.ts'
import { Type } from '../../schemas/typebox.ts'
import type { AdminRows } from '../admin-row.ts'

const marketRow = Type.Object({
  symbol: text(),
  status: text('Status as in `GET /info`; not_listed if the market does not exist'),
  required: Type.Boolean({ description: 'Whether the exchange is ready only if this market is' }),
  ready: Type.Boolean({ description: 'Whether orders that increase a position are accepted' }),
  reason: orNull(text(), 'Reason why the market is not ready; null if it is ready'),
})

export const standingOperations = {
  get_standing: {
    http: 'GET /standing',
    scope: 'read',
    summary: 'Show whether orders are accepted, the load, and the queues',
    request: Type.Object({}),
    reply: Type.Object({
      kind: Type.Enum(['sandbox', 'venue']),
      version: text(),
      mode: text('Mode of the whole exchange'),
      missing: orNull(
        text(),
        'Reason why the exchange is not ready, as in `/ready`; null if it is ready',
      ),
      markets: Type.Array(marketRow, { description: 'The same as in `/ready`' }),
      warnings: Type.Array(text(), {
        description:
          'Warnings that do not stop orders, such as price sources that differ, an exhausted ' +
          'insurance fund or disabled money limits',
      }),
      now: count('Engine time, in ms'),
      seq: count('Newest journal entry'),
      history_seq: count('Newest entry that can be read from history'),
      requests_under_way: count('Requests in the process that answers; gateways have their own'),
      requests_waiting: count(),
      commands_waiting: count('Commands that wait to be written to disk'),
      disk_free_bytes: count(),
      accounts: count('Number of accounts opened so far, including those of the exchange'),
      withdrawals: count('Pending withdrawals: neither completed nor failed'),
      withdrawals_waiting: count('Pending withdrawals that wait for an approval'),
      withdrawals_value: text('Total amount of pending withdrawals, in USD'),
      announced_changes: count('Market changes that have not taken effect yet'),
    }),
  },
} as const satisfies AdminRows
