// Status of the configured treasury.

import type { AdminAnswers } from '../admin-operation.ts'

export const treasuryAnswers = {
  get_treasury({ operator }) {
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
} satisfies Partial<AdminAnswers>
