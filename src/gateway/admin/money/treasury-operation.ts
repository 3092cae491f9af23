// How the treasury of the configuration stands.

import { Type } from '../../../protocol/schemas/typebox.ts'
import { admin } from '../admin-operation.ts'

const orNull = <Schema extends Parameters<typeof Type.Union>[0][number]>(
  schema: Schema,
  description: string,
) => Type.Union([schema, Type.Null()], { description })

export const getTreasury = admin({
  name: 'get_treasury',
  http: 'GET /treasury',
  scope: 'read',
  summary:
    'Show the status of custody: payment orders sent, reports processed, and refused reports',
  request: Type.Object({}),
  reply: Type.Union(
    [
      Type.Object({
        kind: Type.Enum(['files', 'http']),
        where: Type.String({ description: 'A folder, or a host' }),
        orders_given: Type.Integer({ description: 'Payment orders accepted since the start' }),
        orders_fault: orNull(Type.String(), 'Why the order that waits is not taken; null: none'),
        orders_waiting_since: orNull(Type.Integer(), 'Null: no order waits'),
        reports_applied: Type.Integer({ description: 'Since the start' }),
        reports_known: Type.Integer({ description: 'Repeated reports, without effect' }),
        reports_refused: Type.Integer({ description: 'Since the start; the newest are below' }),
        fault: orNull(Type.String(), 'Why no reports can be taken; null: they can'),
        failing_since: orNull(Type.Integer(), 'Null: reports can be taken'),
        refused: Type.Array(
          Type.Object({
            name: Type.String({ description: 'Of the file, or of the answer' }),
            report: Type.String({ description: 'Position in the report: line and column' }),
            says: Type.String({ description: 'Why, and what is accepted' }),
            refused_at: Type.Integer(),
          }),
          { description: 'The newest 50 since the start; these had no effect' },
        ),
      }),
      Type.Null(),
    ],
    { description: 'Null if none is configured, or another node leads' },
  ),
  handle({ operator }) {
    const standing = operator.treasury()
    if (standing === null) return null
    const { orders } = standing
    return {
      ...{ kind: standing.kind, where: standing.where },
      ...{ orders_given: orders.delivered, orders_fault: orders.fault },
      orders_waiting_since: orders.waitingSince,
      ...{ reports_applied: standing.applied, reports_known: standing.known },
      reports_refused: standing.refusedCount,
      ...{ fault: standing.fault, failing_since: standing.failingSince },
      refused: standing.refused.map(({ name, at, says, atMs }) => ({
        ...{ name, report: at, says, refused_at: atMs },
      })),
    }
  },
})
