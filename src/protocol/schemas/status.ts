// The public status of the exchange: the reply of GET /status, and the incidents that operators
// announce.

import { type Static, Type } from './typebox.ts'

/** How much it concerns those who trade, the least first. */
export const impacts = ['notice', 'degraded', 'outage'] as const

const time = (description: string) => Type.Integer({ description: `${description}, in ms` })

export const incidentRow = Type.Object({
  id: Type.String(),
  title: Type.String(),
  text: Type.String({ description: 'What was announced first' }),
  impact: Type.Enum([...impacts], { description: 'How much it concerns those who trade' }),
  markets: Type.Array(Type.String(), { description: 'Markets that it concerns; none: all' }),
  announced_at: time('Since when'),
  updates: Type.Array(Type.Object({ at: time('When'), text: Type.String() }), {
    description: 'What was said since, oldest first; the last one resolves it',
  }),
  resolved_at: Type.Union([Type.Integer(), Type.Null()], { description: 'Null: it goes on' }),
})

export type IncidentRow = Static<typeof incidentRow>

export const statusReply = Type.Object({
  status: Type.Enum(['operational', 'degraded', 'closed'], {
    description:
      'operational: every market is live and nothing is announced but notices; closed: no order ' +
      'is taken anywhere',
  }),
  closed: Type.Union([Type.String(), Type.Null()], {
    description: 'Why no order is taken; null: orders are',
  }),
  mode: Type.String({ description: 'Of the whole exchange' }),
  at: time('True as of'),
  markets: Type.Array(
    Type.Object({
      symbol: Type.String(),
      status: Type.String({ description: 'The strictest that applies, as market_status has it' }),
      feed: Type.String({ description: 'What its prices allow, whatever the mode' }),
      price_age_ms: Type.Integer({
        description: 'Of its newest price, at the time that `at` says',
      }),
    }),
    { description: 'But for those that are settled' },
  ),
  incidents: Type.Array(incidentRow, {
    description: 'Those that go on, then those of the past, newest first',
  }),
})

export type StatusReply = Static<typeof statusReply>
