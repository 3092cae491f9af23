// Lists the actions of operators, with operator, reason and outcome.

import type { Command } from '../../../core/index.ts'
import { LIST_LIMIT } from '../../../protocol/schemas/lists.ts'
import type { AdminAnswers } from '../admin-operation.ts'
import { actionText } from './action-text.ts'

export const journalAnswers = {
  async get_operator_actions({ request, operator, exchange: { view } }) {
    const actions = await operator.actions(request.limit ?? LIST_LIMIT, request.before ?? null)
    return actions.map(({ seq, atMs, who, why, what, command, rejection }) => {
      const details = actionText(JSON.parse(command) as Command, view)
      const outcome = rejection === null ? ('done' as const) : ('refused' as const)
      return { seq, at: atMs, who, why, what, outcome, rejection, details, command }
    })
  },
} satisfies Partial<AdminAnswers>
