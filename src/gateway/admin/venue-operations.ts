// Accounts and keys, and the process itself.

import type { AccountId, MarketParams } from '../../core/index.ts'
import { address, decimal, optional, symbol } from '../../protocol/schemas/field-types.ts'
import { Type } from '../../protocol/schemas/typebox.ts'
import type { Lots } from '../../units/units.ts'
import type { Exchange } from '../exchange.ts'
import { sizeText } from '../market-text.ts'
import { addressIn } from '../operations/known-address.ts'
import { refusal, refusalWith } from '../refusal.ts'
import { type AdminCall, admin, order } from './admin-operation.ts'
import { changeableIn } from './market-operations.ts'
import { numberIn, sizesOf } from './read-number.ts'

export function accountIn({ view }: Exchange, account: string): AccountId {
  const id = view.accounts.idOf(addressIn('account', account))
  if (id === 0) throw refusalWith('ACCOUNT_NOT_FOUND', 'rules', { account, params: null })
  return id as AccountId
}

export const freezeAccount = admin({
  name: 'freeze_account',
  http: 'POST /accounts/freeze',
  scope: 'accounts',
  summary: 'Freeze or unfreeze an account: a frozen one can only cancel orders',
  request: Type.Object({ account: address('Whose'), frozen: Type.Boolean() }),
  reply: Type.Object({ account: Type.String(), frozen: Type.Boolean() }),
  async handle(call) {
    const { account: whose, frozen } = call.request
    const account = accountIn(call.exchange, whose)
    const command = { type: 'FreezeAccount', account, frozen } as const
    await order(call, command, { account: whose, params: null })
    return { account: whose, frozen }
  },
})

/** What operators note on accounts: texts in the state that no rule reads (decision 27). */
const prefix = 'account/'
/** Half of what the core keeps: incidents are notes too. */
const notedMax = 500

type Notes = Exchange['view']['notes']

/** `null` if there is no note. */
export const noteOn = (notes: Notes, account: string) => notes.get(prefix + account) ?? null

export const noteAccount = admin({
  name: 'note_account',
  http: 'POST /accounts/note',
  scope: 'accounts',
  summary: 'Set the note on an account; visible to operators only',
  request: Type.Object({
    account: address('Whose'),
    text: Type.Union([Type.String({ minLength: 1, maxLength: 2_000 }), Type.Null()], {
      description: 'Null removes the note',
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

/** The engine refuses these too, and says no more than that. */
function requireOwner({ view }: Exchange, owner: AccountId, whose: string): void {
  if (!view.accounts.isReserved(owner)) return
  throw refusal(
    'UNSUPPORTED_OPERATION',
    'rules',
    `${whose} is a reserve of the exchange, which has no limit (ORDER-13); a limit is given to a ` +
      "trader's main account",
  )
}

function limitIn(params: MarketParams, text: string): Lots {
  const sizes = sizesOf(params.lotSize)
  const lots = numberIn('amount', text, sizes)
  if (lots >= 0 && lots <= sizes.most) return lots as Lots
  const range = `0 to ${sizeText(params, sizes.most)} ${params.baseAsset}`
  const without = 'null takes the limit of this owner back'
  throw refusal('INVALID_PARAMETER', 'rules', `amount ${text} is outside ${range}; ${without}`)
}

export const setOwnerLimit = admin({
  name: 'set_owner_limit',
  http: 'POST /accounts/owner_limit',
  scope: 'accounts',
  summary: 'Set the position limit of an owner in a market, in place of its owner_interest_max',
  request: Type.Object({
    account: address('A main account; its subaccounts count with it'),
    symbol,
    amount: optional(decimal('Base units; null or left out: the limit of the market counts')),
  }),
  reply: Type.Object({
    account: Type.String(),
    symbol: Type.String(),
    amount: Type.Union([Type.String(), Type.Null()]),
  }),
  async handle(call) {
    const { account: whose, symbol: name, amount } = call.request
    const owner = accountIn(call.exchange, whose)
    const market = await changeableIn(call, name)
    const { params } = market
    requireOwner(call.exchange, owner, whose)
    const lots = amount == null ? null : limitIn(params, amount)
    const command = { type: 'SetOwnerLimit', owner, market: market.id, lots } as const
    await order(call, command, { account: whose, params })
    return { account: whose, symbol: name, amount: amount ?? null }
  },
})

export const cancelOrders = admin({
  name: 'cancel_orders',
  http: 'POST /accounts/cancel_orders',
  scope: 'accounts',
  summary: 'Cancel all orders of an account',
  request: Type.Object({ account: address('Whose') }),
  reply: Type.Object({ cancelled_count: Type.Integer() }),
  async handle(call) {
    const account = accountIn(call.exchange, call.request.account)
    const events = await order(
      call,
      { type: 'CancelAllOrders', account, proof: null, market: null, excludeReduceOnly: false },
      { account: call.request.account, params: null },
    )
    const cancelled = events.find((event) => event.type === 'AllOrdersCancelled')
    return { cancelled_count: cancelled?.count ?? 0 }
  },
})

export const unbindAgent = admin({
  name: 'unbind_agent',
  http: 'POST /agents/unbind',
  scope: 'accounts',
  summary: 'End every binding of a key as an agent, of any account',
  request: Type.Object({ agent_wallet: address('The key that is to be no agent any more') }),
  reply: Type.Object({
    accounts: Type.Array(Type.String(), { description: 'The accounts that had it' }),
  }),
  async handle(call) {
    const agent = call.request.agent_wallet
    const events = await order(call, { type: 'UnbindAgent', agent }, { account: '', params: null })
    const ended = events.filter((event) => event.type === 'AgentUnbound')
    return { accounts: ended.map(({ account }) => call.exchange.view.accounts.addressOf(account)) }
  },
})

/** What an operator may raise a key to. */
export const creditTiers = [100, 300, 600, 1_200, 2_400, 6_000, 12_000, 24_000, 30_000] as const

export const setKeyCredits = admin({
  name: 'set_key_credits',
  http: 'POST /keys/credits',
  scope: 'accounts',
  summary: 'Set the credits per minute of an API key; 0 is the default of an address',
  request: Type.Object({
    prefix: Type.String({ minLength: 8, maxLength: 8 }),
    credits: Type.Enum([0, ...creditTiers]),
  }),
  reply: Type.Object({ prefix: Type.String(), credits: Type.Integer() }),
  async handle(call) {
    const { prefix, credits } = call.request
    const command = { type: 'SetApiKeyCredits', prefix, credits } as const
    await order(call, command, { account: '', params: null })
    return { prefix, credits }
  },
})

export const getHashes = admin({
  name: 'get_hashes',
  http: 'GET /hash',
  scope: 'read',
  summary: 'Show state hash and trading hash, and their place in history',
  request: Type.Object({}),
  reply: Type.Object({
    seq: Type.Integer(),
    state_hash: Type.String(),
    trading_hash: Type.String(),
  }),
  async handle({ operator }) {
    const { seq, state, trading } = await operator.hashes()
    return { seq, state_hash: state, trading_hash: trading }
  },
})

/** It does not affect trading, so the journal keeps it as a note with operator and reason. If
 *  nothing can be journaled, as with a full disk or without a leader, it is done all the same. */
async function journaled(call: AdminCall<unknown>, name: string): Promise<boolean> {
  const command = { type: 'KeepNote', name, text: null } as const
  try {
    await order(call, command, { account: '', params: null })
    return true
  } catch {
    // These are the days on which one needs a backup.
    return false
  }
}

const journaledReply = Type.Boolean({
  description: 'Whether caller and reason were recorded in the journal; it is done in either case',
})

export const backUp = admin({
  name: 'back_up',
  http: 'POST /backup',
  scope: 'operate',
  summary: 'Copy everything that a restore needs into a new folder next to the data',
  request: Type.Object({}),
  reply: Type.Object({
    folder: Type.String(),
    seq: Type.Integer(),
    journaled: journaledReply,
  }),
  async handle(call) {
    const kept = await journaled(call, 'backup')
    return { ...(await call.operator.backup()), journaled: kept }
  },
})

export const drain = admin({
  name: 'drain',
  http: 'POST /drain',
  scope: 'operate',
  summary: 'Stop accepting orders; cancels are served until the process is stopped',
  request: Type.Object({}),
  reply: Type.Object({ draining: Type.Boolean(), journaled: journaledReply }),
  async handle(call) {
    const kept = await journaled(call, 'drain')
    call.operator.drain()
    return { draining: true, journaled: kept }
  },
})
