// What operators note on accounts: texts in the state that no rule reads (decision 27), told to
// operators alone.

import { address } from '../../protocol/schemas/field-types.ts'
import { Type } from '../../protocol/schemas/typebox.ts'
import type { Exchange } from '../exchange.ts'
import { refusal } from '../refusal.ts'
import { admin, order } from './admin-operation.ts'
import { accountIn } from './venue-operations.ts'

const prefix = 'account/'
/** Half of what the core keeps: incidents are notes too. */
export const notedMax = 500

type Notes = Exchange['view']['notes']

/** Null: nobody has noted anything. */
export const noteOn = (notes: Notes, account: string) => notes.get(prefix + account) ?? null

export const noteAccount = admin({
  name: 'note_account',
  http: 'POST /accounts/note',
  scope: 'accounts',
  summary: 'Note something on an account, in place of what was noted before; for operators only',
  request: Type.Object({
    account: address('Whose'),
    text: Type.Union([Type.String({ minLength: 1, maxLength: 2_000 }), Type.Null()], {
      description: 'Null takes the note away',
    }),
  }),
  reply: Type.Object({
    account: Type.String(),
    text: Type.Union([Type.String(), Type.Null()]),
  }),
  async handle(call) {
    const { account, text } = call.request
    accountIn(call.exchange, account)
    if (text !== null) requireRoom(call.exchange.view.notes, account)
    const command = { type: 'KeepNote', name: prefix + account, text } as const
    await order(call, command, { account, params: null })
    return { account, text }
  },
})

function requireRoom(notes: Notes, account: string): void {
  if (notes.has(prefix + account)) return
  const noted = [...notes.keys()].filter((name) => name.startsWith(prefix)).length
  if (noted < notedMax) return
  throw refusal(
    'LIMIT_REACHED',
    'rules',
    `${noted} accounts have notes, and no more than ${notedMax} may; take one away (text null)`,
  )
}
