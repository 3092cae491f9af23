// The reply of GET /status: the public status of the exchange, and the incidents that operators
// announce.

import { type Static, Type } from './typebox.ts'

/** Impact of an incident on trading, from low to high. */
export const impacts = ['notice', 'degraded', 'outage'] as const

const time = (description: string) => Type.Integer({ description: `${description}, in ms` })

export const incidentRow = Type.Object({
  id: Type.String(),
  title: Type.String(),
  text: Type.String({ description: 'Text of the announcement' }),
  impact: Type.Enum([...impacts], { description: 'Impact on trading' }),
  markets: Type.Array(Type.String(), { description: 'Affected markets; empty for all' }),
  announced_at: time('Time of the announcement'),
  updates: Type.Array(Type.Object({ at: time('Time of the update'), text: Type.String() }), {
    description: 'Updates, oldest first; the last one resolves it',
  }),
  resolved_at: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Time of the end, in ms; null if the incident is not resolved',
  }),
})

export type IncidentRow = Static<typeof incidentRow>

export const statusReply = Type.Object({
  status: Type.Enum(['operational', 'degraded', 'closed'], {
    description:
      'operational if every market is live and only notices are announced; closed if no market ' +
      'accepts orders; degraded otherwise',
  }),
  closed: Type.Union([Type.String(), Type.Null()], {
    description: 'Reason why no orders are accepted; null if they are',
  }),
  mode: Type.String({ description: 'Mode of the whole exchange' }),
  at: time('Time of the data'),
  markets: Type.Array(
    Type.Object({
      symbol: Type.String(),
      status: Type.String({ description: 'Strictest status that applies, as in market_status' }),
      feed: Type.String({ description: 'Status of its prices, regardless of the mode' }),
      price_age_ms: Type.Integer({
        description: 'Age of the newest price at the time `at`',
      }),
    }),
    { description: 'All markets except settled ones' },
  ),
  incidents: Type.Array(incidentRow, {
    description: 'Open incidents, then resolved ones, newest first',
  }),
})

export type StatusReply = Static<typeof statusReply>
