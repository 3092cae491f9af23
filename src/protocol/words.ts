// The words of the API, each list once: schemas check against them, history keeps places in them.
// A word is added at the end of its list, so that stored places keep their meaning.

/** What a limit order may say of its time in force: whether what is left of it rests, and how it is
 *  told in a sentence and on a button. */
export const timesInForce = {
  GTC: { rests: true, about: 'rests until it is cancelled', label: 'until cancelled' },
  IOC: { rests: false, about: 'takes what is there, the rest expires', label: 'now or never' },
  ALO: { rests: true, about: 'never takes: it is rejected if it would', label: 'post only' },
  TOB: { rests: true, about: 'never takes: it steps aside by a tick', label: 'step aside' },
  FOK: { rests: false, about: 'fills completely at once or expires', label: 'all or nothing' },
} as const satisfies Readonly<
  Record<string, Readonly<{ rests: boolean; about: string; label: string }>>
>
export type Tif = keyof typeof timesInForce
export const tifs = Object.keys(timesInForce) as readonly Tif[]

export const orderTypes = [
  'limit',
  'market',
  'stop_limit',
  'stop_market',
  'take_profit_limit',
  'take_profit_market',
  'stop_loss_limit',
  'stop_loss_market',
] as const
export type OrderType = (typeof orderTypes)[number]

export const orderStatuses = [
  'open',
  'partially_filled',
  'filled',
  'cancelled',
  'rejected',
] as const
export type OrderStatus = (typeof orderStatuses)[number]

export const orderEventNames = [
  'make',
  'stop_created',
  'fulfill_market',
  'fulfill_limit',
  'adjust',
  'stop_parent_order_filled',
  'stop_triggered',
  'stop_upgrade',
  'twap_triggered',
  'cancel',
  'force_cancel',
  'expired',
  'post_only_rejected',
  'self_trade_prevented',
] as const
export type OrderEventName = (typeof orderEventNames)[number]

export const twapEventNames = [
  'twap_created',
  'twap_triggered',
  'fulfill_market',
  'cancel',
  'force_cancel',
  'expired',
] as const
export type TwapEventName = (typeof twapEventNames)[number]

/** Why an account's money changed. */
export const balanceEvents = [
  'deposit',
  'withdraw',
  'withdraw_completed',
  'withdraw_failed',
  'subaccount_transfer',
  'trade',
  'funding',
  'isolated_margin',
  'market_liquidation',
  'backstop_liquidation',
  'adl_liquidation',
  'debt_covered',
  'settlement',
  'reserve_transfer',
  'opening',
] as const
export type BalanceEvent = (typeof balanceEvents)[number]

/** Price paths that a sandbox can play. */
export const scenarioNames = ['crash', 'pump', 'wick', 'squeeze', 'freeze'] as const
export type ScenarioName = (typeof scenarioNames)[number]

/** How many ticks a level of a book may gather. */
export const gathers = [1, 2, 5, 10, 100, 1_000, 10_000] as const
export type Gather = (typeof gathers)[number]
