// What operators did, who and why, and what the rules said to it.

import type { Command } from '../../../core/index.ts'
import { optional } from '../../../protocol/schemas/field-types.ts'
import { LIST_LIMIT, limitOf } from '../../../protocol/schemas/lists.ts'
import { Type } from '../../../protocol/schemas/typebox.ts'
import { admin } from '../admin-operation.ts'
import { actionText } from './action-text.ts'

export const getOperatorActions = admin({
  name: 'get_operator_actions',
  http: 'GET /journal',
  scope: 'read',
  summary: 'List actions of operators, also refused ones, with name and reason, newest first',
  request: Type.Object({
    limit: limitOf({ maximum: 1_000, default: LIST_LIMIT, rows: 'entries' }),
    before: optional(Type.Integer({ minimum: 1, description: 'Only entries before this seq' })),
  }),
  reply: Type.Array(
    Type.Object({
      seq: Type.Integer(),
      at: Type.Integer(),
      who: Type.String(),
      why: Type.String(),
      what: Type.String(),
      outcome: Type.Enum(['done', 'refused'], { description: 'A refused action changes nothing' }),
      rejection: Type.Union([Type.String(), Type.Null()], {
        description: 'The rule that refused it, such as INVALID_AMOUNT; null if it was done',
      }),
      details: Type.String({ description: 'Its parameters, in dollars, base units and symbols' }),
      command: Type.String({ description: 'The exact command, in the units of the core' }),
    }),
  ),
  async handle({ request, operator, exchange: { view } }) {
    const actions = await operator.actions(request.limit ?? LIST_LIMIT, request.before ?? null)
    return actions.map(({ seq, atMs, who, why, what, command, rejection }) => {
      const details = actionText(JSON.parse(command) as Command, view)
      const outcome = rejection === null ? ('done' as const) : ('refused' as const)
      return { seq, at: atMs, who, why, what, outcome, rejection, details, command }
    })
  },
})
