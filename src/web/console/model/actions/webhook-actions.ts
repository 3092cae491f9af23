// Redelivery of messages that a webhook missed.

import { type Action, action } from '../action.ts'
import type { WebhookRow } from '../admin-rows.ts'
import { field } from '../form-field.ts'

const entryOf = (id: string) => Number.parseInt(id, 10)

/** Redelivers from an entry (default: the first message that was given up). */
export function resendFrom({ name, seq, given_up }: WebhookRow, from?: string): Action {
  const first = from ?? given_up[0]?.id ?? `${seq}`
  return action({
    ...{ operation: 'tell_again', title: `Resend to ${name}`, given: { name } },
    warning:
      'Everything since that entry is sent again, with the same ids: ' +
      'the receiver must apply each id once.',
    fields: [
      field('from_seq', {
        ...{ kind: 'whole', label: 'From entry', initial: `${entryOf(first)}` },
        hint: `1 to ${seq}; of a message it is the number before the dash of its id`,
      }),
    ],
    changes: ({ from_seq }) => [
      { name: 'delivered up to entry', now: `${seq}`, next: `${Number(from_seq) - 1}` },
      {
        ...{ name: 'given up', now: `${given_up.length}` },
        next: `${given_up.filter(({ id }) => entryOf(id) < Number(from_seq)).length}`,
      },
    ],
  })
}
