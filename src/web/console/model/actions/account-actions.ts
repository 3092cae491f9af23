// Actions on accounts and their keys.

import { shortAddress } from '../../../model/number-text.ts'
import { type Action, action } from '../action.ts'
import type { AccountReply, AccountRow } from '../admin-rows.ts'
import { field } from '../form-field.ts'

export function freeze({ account, frozen, positions, orders }: AccountRow): Action {
  const who = shortAddress(account)
  return action({
    ...{ operation: 'freeze_account', title: `${frozen ? 'Unfreeze' : 'Freeze'} ${who}` },
    given: { account, frozen: !frozen },
    changes: () => [
      { name: 'account', now: null, next: account },
      { name: 'frozen', now: frozen ? 'yes' : 'no', next: frozen ? 'no' : 'yes' },
      {
        ...{ name: 'may', now: frozen ? 'only cancel' : 'trade and withdraw' },
        next: frozen ? 'trade and withdraw' : 'only cancel',
      },
      { name: 'positions', now: String(positions), next: `${positions}, liquidated as before` },
      { name: 'open orders', now: String(orders), next: `${orders}, they stay` },
    ],
  })
}

export function cancelOrders({ account, orders }: AccountRow): Action {
  return action({
    ...{ operation: 'cancel_orders', title: `Cancel all orders of ${shortAddress(account)}` },
    given: { account },
    changes: () => [{ name: `open orders of ${account}`, now: String(orders), next: '0' }],
  })
}

export function noteAccount({ account, note }: AccountReply): Action {
  return action({
    ...{ operation: 'note_account', title: `Note on ${shortAddress(account)}` },
    fields: [
      field('text', {
        ...{ label: 'Note', kind: 'long', initial: note ?? '' },
        hint: 'For operators only; empty takes it away',
      }),
    ],
    body: ({ text = '' }) => ({ account, text: text.trim() === '' ? null : text.trim() }),
    changes: ({ text }) => [{ name: 'note', now: note, next: text as string | null }],
  })
}

export function setOwnerLimit({ account }: AccountRow, symbols: readonly string[]): Action {
  return action({
    ...{ operation: 'set_owner_limit', title: `Limit of ${shortAddress(account)}` },
    given: { account },
    fields: [
      field('symbol', { kind: 'choice', choices: symbols, initial: symbols[0] ?? '' }),
      field('amount', {
        ...{ label: 'Most it may hold', optional: true },
        hint: 'Base units; empty: the limit of the market counts again',
      }),
    ],
    changes: ({ symbol, amount }) => [
      {
        ...{ name: `most of ${symbol} for ${account}`, now: null },
        next: amount === undefined ? 'owner_interest_max of the market' : String(amount),
      },
    ],
  })
}

export function unbindAgent(agent: string): Action {
  return action({
    ...{ operation: 'unbind_agent', title: `Unbind agent ${shortAddress(agent)}` },
    given: { agent_wallet: agent },
    changes: () => [{ name: `agent ${agent}`, now: 'bound', next: 'not bound' }],
  })
}

const credits = ['0', '100', '300', '600', '1200', '2400', '6000', '12000', '24000', '30000']

export const setKeyCredits: Action = action({
  ...{ operation: 'set_key_credits', title: 'Set credits of an API key' },
  fields: [
    field('prefix', { hint: 'The first 8 characters of the key' }),
    field('credits', {
      kind: 'choice',
      choices: credits,
      initial: '0',
      hint: 'A minute; 0: as all',
    }),
  ],
  body: ({ prefix = '', credits: chosen = '0' }) => ({
    ...{ prefix: prefix.trim(), credits: Number(chosen) },
  }),
  changes: ({ prefix, credits: chosen }) => [
    { name: `credits a minute of ${prefix}`, now: null, next: String(chosen) },
  ],
})

/** Credits a deposit. `row` is `null` for any account, including a new one. */
export function creditDeposit(row: AccountRow | null): Action {
  const whose = row === null ? [field('account', { hint: 'Address of who gets it' })] : []
  const balance = row === null ? null : row.balance
  return action({
    ...{ operation: 'credit_deposit', title: 'Credit a deposit' },
    given: row === null ? {} : { account: row.account },
    warning: 'The money must have arrived: what is credited can be traded with and withdrawn.',
    fields: [
      ...whose,
      field('amount', { hint: 'USD' }),
      field('reference', { hint: 'Your id of the deposit: it is credited once' }),
    ],
    changes: ({ account, amount, reference }) => [
      { name: 'account', now: null, next: String(account) },
      { name: 'balance', now: balance, next: `${balance ?? ''} + ${amount}`.trim() },
      { name: 'reference', now: null, next: String(reference) },
    ],
  })
}
