// Status of the exchange: whether it accepts orders, its load and its queues.

import { count, orNull, text } from '../../schemas/field-types.ts'
import { Type } from '../../schemas/typebox.ts'
import type { AdminRows } from '../admin-row.ts'

const marketRow = Type.Object({
  symbol: text(),
  status: text('As in `GET /info`; not_listed: there is no such market'),
  required: Type.Boolean({ description: 'The exchange is not ready until this market is' }),
  ready: Type.Boolean({ description: 'Whether orders that increase a position are accepted' }),
  reason: orNull(text(), 'Why it is not ready; null: it is'),
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
      mode: text('Of the whole exchange'),
      missing: orNull(text(), 'Why it is not ready, as `/ready` says; null: it is'),
      markets: Type.Array(marketRow, { description: 'As in `/ready`' }),
      warnings: Type.Array(text(), {
        description:
          'Warnings while orders are accepted: price sources that differ, an exhausted ' +
          'fund, limits of money that are off',
      }),
      now: count('Time of the exchange, in ms'),
      seq: count('Newest place in history'),
      history_seq: count('Newest entry that can be read from history'),
      requests_under_way: count('Requests in the process that answers; gateways have their own'),
      requests_waiting: count(),
      commands_waiting: count('Not yet on their way to the disk'),
      disk_free_bytes: count(),
      accounts: count('Ever opened, those of the exchange too'),
      withdrawals: count('Neither completed nor failed'),
      withdrawals_waiting: count('Pending withdrawals that wait for an approval'),
      withdrawals_value: text('USD, of all of them'),
      announced_changes: count('Market changes that have not taken effect yet'),
    }),
  },
} as const satisfies AdminRows
