// Operations on accounts, API keys, and the process.

import type { AccountId, MarketParams } from '../../core/index.ts'
import { sizeText } from '../../projections/market-text.ts'
import type { Lots } from '../../units/units.ts'
import type { Exchange } from '../exchange.ts'
import { addressIn } from '../known-address.ts'
import { numberIn, sizesOf } from '../parameters/read-number.ts'
import { refusal, refusalWith } from '../refusal.ts'
import { type AdminAnswers, type AdminCall, noSubject, order } from './admin-operation.ts'
import { changeableIn } from './market-operations.ts'

export function accountIn({ view }: Exchange, account: string): AccountId {
  const id = view.accounts.idOf(addressIn('account', account))
  if (id === 0) throw refusalWith('ACCOUNT_NOT_FOUND', 'rules', { account, params: null })
  return id as AccountId
}

/** Prefix of the operators' notes on accounts. Notes are texts in the state that no rule reads
 *  (decision 27). */
const prefix = 'account/'
/** Half of the notes that the core can store, because incidents are notes too. */
const notedMax = 500

type Notes = Exchange['view']['notes']

/** The note on an account; `null` if there is none. */
export const noteOn = (notes: Notes, account: string) => notes.get(prefix + account) ?? null

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

/** Throws a specific error for accounts that the engine would refuse without details. */
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

/** Records an action that does not affect trading as a note in the journal, with operator and
 *  reason. If the journal is unavailable, as with a full disk or without a leader, the action is
 *  executed anyway. */
async function journaled(call: AdminCall<unknown>, name: string): Promise<boolean> {
  const command = { type: 'KeepNote', name, text: null } as const
  try {
    await order(call, command, noSubject)
    return true
  } catch {
    // For example a backup, which is needed most in such a situation.
    return false
  }
}

export const venueAnswers = {
  async freeze_account(call) {
    const { account: whose, frozen } = call.request
    const account = accountIn(call.exchange, whose)
    const command = { type: 'FreezeAccount', account, frozen } as const
    await order(call, command, { account: whose, params: null })
    return { account: whose, frozen }
  },
  async note_account(call) {
    const { account, text } = call.request
    accountIn(call.exchange, account)
    if (text !== null) requireRoom(call.exchange.view.notes, account)
    const command = { type: 'KeepNote', name: prefix + account, text } as const
    await order(call, command, { account, params: null })
    return { account, text }
  },
  async set_owner_limit(call) {
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
  async cancel_orders(call) {
    const account = accountIn(call.exchange, call.request.account)
    const events = await order(
      call,
      { type: 'CancelAllOrders', account, proof: null, market: null, excludeReduceOnly: false },
      { account: call.request.account, params: null },
    )
    const cancelled = events.find((event) => event.type === 'AllOrdersCancelled')
    return { cancelled_count: cancelled?.count ?? 0 }
  },
  async unbind_agent(call) {
    const agent = call.request.agent_wallet
    const events = await order(call, { type: 'UnbindAgent', agent }, noSubject)
    const ended = events.filter((event) => event.type === 'AgentUnbound')
    return { accounts: ended.map(({ account }) => call.exchange.view.accounts.addressOf(account)) }
  },
  async set_key_credits(call) {
    const { prefix, credits } = call.request
    const command = { type: 'SetApiKeyCredits', prefix, credits } as const
    await order(call, command, noSubject)
    return { prefix, credits }
  },
  async get_hashes({ operator }) {
    const { seq, state, trading } = await operator.hashes()
    return { seq, state_hash: state, trading_hash: trading }
  },
  async back_up(call) {
    const kept = await journaled(call, 'backup')
    return { ...(await call.operator.backup()), journaled: kept }
  },
  async drain(call) {
    const kept = await journaled(call, 'drain')
    call.operator.drain()
    return { draining: true, journaled: kept }
  },
} satisfies Partial<AdminAnswers>
