// The operation types of signatures. A signature for one type is invalid for any other.

export const signingTypes = [
  'create_order',
  'create_market_order',
  'create_stop_order',
  'set_position_tpsl',
  'edit_order',
  'cancel_order',
  'cancel_all_orders',
  'cancel_stop_order',
  'create_twap_order',
  'cancel_twap_order',
  'update_leverage',
  'update_margin_mode',
  'add_isolated_margin',
  'withdraw',
  'subaccount_initiate',
  'subaccount_confirm',
  'list_subaccounts',
  'transfer_funds',
  'bind_agent_wallet',
  'set_agent_policy',
  'list_agent_wallets',
  'revoke_agent_wallet',
  'revoke_all_agent_wallets',
  'list_agent_ip_whitelist',
  'add_agent_whitelisted_ip',
  'remove_agent_whitelisted_ip',
  'set_agent_ip_whitelist_enabled',
  'create_api_key',
  'revoke_api_key',
  'list_api_keys',
  'list_reserve_proof',
  'schedule_cancel',
  'cancel_on_disconnect',
  'batch_orders',
  'create_oco_order',
  'set_mmp',
  'reset_mmp',
  'create_iceberg_order',
  'create_chase_order',
  'read_account',
] as const

export type SigningType = (typeof signingTypes)[number]

/** Types of requests that only cancel. They do not queue behind the orders of others. */
export const cancelTypes: ReadonlySet<SigningType> = new Set([
  'cancel_order',
  'cancel_all_orders',
  'cancel_stop_order',
  'cancel_twap_order',
  'schedule_cancel',
])

/** Operations where `agent_wallet` is a parameter, not the caller. */
export const agentIsPayload: ReadonlySet<SigningType> = new Set([
  'bind_agent_wallet',
  'set_agent_policy',
  'revoke_agent_wallet',
  'add_agent_whitelisted_ip',
  'remove_agent_whitelisted_ip',
  'set_agent_ip_whitelist_enabled',
])
