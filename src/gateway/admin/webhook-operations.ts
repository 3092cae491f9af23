// Status of the configured webhooks, and redelivery of missed messages.

import { apiError } from '../api-error.ts'
import { type AdminAnswers, noSubject, order } from './admin-operation.ts'

export const webhookAnswers = {
  list_webhooks({ operator }) {
    return operator.webhooks().map(({ failingSince, waitingSince, givenUp, kinds, ...row }) => ({
      ...row,
      kinds: [...kinds],
      failing_since: failingSince,
      waiting_since: waitingSince,
      given_up: givenUp.map((each) => ({ ...each })),
    }))
  },
  async tell_again(call) {
    const { name, from_seq } = call.request
    const hooks = call.operator.webhooks()
    const hook = hooks.find((each) => each.name === name)
    if (hook === undefined) {
      const names = hooks.map((each) => each.name).join(', ')
      const there = names === '' ? 'this node has none' : `available: ${names}`
      throw apiError('NOT_FOUND', `no webhook is named ${name}; ${there}`)
    }
    if (from_seq > hook.seq)
      throw apiError(
        'MALFORMED_REQUEST',
        `from_seq ${from_seq} is outside 1 to ${hook.seq}, the last entry delivered to ${name}`,
      )
    await call.operator.redeliver(name, from_seq, (command) => order(call, command, noSubject))
    return { name, from_seq }
  },
} satisfies Partial<AdminAnswers>
