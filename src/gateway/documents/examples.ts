// An example request for each operation, which works unchanged in a new sandbox.

import type { Operation } from '../operation.ts'
import type { Schema } from './fields.ts'

type Json = Readonly<Record<string, unknown>>

/** The accounts of the examples, which are the sandbox's own traders. */
export type Traders = Readonly<{ alice: string; bob: string }>

/** Example values of required fields, by name. */
const values: Json = {
  symbol: 'BTC',
  interval: '1h',
  start_time: 0,
  time_range: '7d',
  amount: '0.01',
  display_amount: '0.005',
  price: '50000',
  side: 'bid',
  tif: 'GTC',
  reduce_only: false,
  slippage_percent: '1',
  duration_in_seconds: 300,
  stop_order: { stop_price: '150000', amount: '0.01' },
  order_id: 1,
  seq: 1,
  all_symbols: true,
  exclude_reduce_only: false,
  time: null,
  leverage: 10,
  is_isolated: true,
  ip_address: '203.0.113.7',
  enabled: true,
  api_key: 'the key, its first eight characters, or as the list shows it',
  id: 's1',
  running: false,
  name: 'crash',
}

/** Fields that an example needs although none of them is required on its own. */
const extraFields: Readonly<Record<string, Json>> = {
  get_order_events: { order_id: 1 },
  explain_fill: { history_id: 1 },
  explain_funding: { history_id: 1 },
  explain_refusal: { seq: 1 },
  explain_liquidation: { seq: 'latest' },
  get_position_history: { limit: 10 },
  preview_order: { side: 'bid', amount: '0.01', price: '50000', tif: 'GTC' },
  cancel_order: { order_id: 1 },
  cancel_stop_order: { order_id: 1 },
  cancel_twap_order: { order_id: 1 },
  edit_order: { order_id: 1 },
  set_position_tpsl: { side: 'ask', take_profit: { stop_price: '150000' } },
  create_oco_order: {
    legs: [
      { side: 'bid', amount: '0.01', reduce_only: false, price: '50000' },
      { side: 'bid', amount: '0.01', reduce_only: false, stop_price: '150000' },
    ],
  },
  batch_orders: {
    actions: [
      {
        type: 'Quote',
        data: {
          ...{ symbol: 'BTC', side: 'bid', price: '50000', amount: '0.01' },
          client_order_id: '5f0b8c5e-0d8f-4b7a-9c39-3b7b1f2f8a10',
        },
      },
    ],
  },
  set_agent_policy: { policy: { max_position_value: '5000', max_daily_loss: '100' } },
  add_isolated_margin: { amount: '10' },
  withdraw: { amount: '25' },
  set_mmp: { window_ms: 1_000, frozen_ms: 5_000, max_amount: '1' },
  transfer_funds: { amount: '25' },
  sandbox_faucet: { amount: '1000' },
  sandbox_set_clock: { advance_ms: 60_000 },
  sandbox_set_oracle: { price: '60000' },
  sandbox_latency: { lines: [] },
  sandbox_faults: { rules: [] },
  sandbox_end_fork: { id: 'fork-1' },
}

const ofOrder = 'an `order_id` of your own in place of 1, as the reply to placing it has it'
const ofOwner = 'an API key or a signed read of the account'
const ofAgent = 'an agent of your own: the example of [bind_agent_wallet](#bind_agent_wallet)'

/** Preconditions of an example. A new sandbox has only the orders of its bots. */
export const needsFirst: Readonly<Record<string, string>> = {
  get_order_events: ofOrder,
  get_twap_events: ofOrder,
  get_receipt: 'a command of yours as `seq`',
  get_agent_policy: ofAgent,
  explain_order: `${ofOrder}, and ${ofOwner}`,
  explain_fill: `a \`history_id\` of your own fills in place of 1, and ${ofOwner}`,
  explain_refusal: `the header \`openperp-seq\` of a refusal in place of 1, and ${ofOwner}`,
  explain_liquidation: ofOwner,
  explain_funding: `a \`history_id\` of your own payments in place of 1, and ${ofOwner}`,
  explain_position: `a position on BTC, and ${ofOwner}`,
  cancel_order: ofOrder,
  cancel_stop_order: ofOrder,
  cancel_twap_order: ofOrder,
  edit_order: ofOrder,
  set_position_tpsl: 'a position on BTC',
  add_isolated_margin: 'an isolated position on BTC',
  transfer_funds: 'a subaccount of your own as `to_account`',
  set_agent_policy: ofAgent,
  list_agent_ip_whitelist: ofAgent,
  set_agent_ip_whitelist_enabled: ofAgent,
  add_agent_whitelisted_ip: ofAgent,
  revoke_agent_wallet: ofAgent,
  remove_agent_whitelisted_ip: 'an agent of your own, and an address on its list',
  revoke_api_key: 'a key of your own',
}

/** Reads for owners only, whose examples sign. */
export const readsOfOwners: ReadonlySet<string> = new Set(['get_agent_policy'])

/** Operations that need two signatures, which a one-line command cannot make. */
export const madeByPrograms: ReadonlySet<string> = new Set(['create_subaccount'])

/** A key that has no account. */
const agent = '9hSR6S7WPtxmTojgo6GG3k4yDPecgJY292j7xrsUGWBu'

export function exampleOf({ name, request }: Operation, { alice, bob }: Traders): Json {
  const people = { account: alice, to_account: bob, agent_wallet: agent, api_agent_key: agent }
  const known: Json = { ...values, ...people }
  const { required = [] } = request as Schema
  const needed = Object.fromEntries(required.map((field) => [field, known[field]]))
  return { ...needed, ...extraFields[name] }
}
