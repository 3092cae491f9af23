// The words of orders, fills and algos, shared by the core, the API and history. Events, journals
// and history store the index of a word, so add a new word at the end.

export const sides = ['bid', 'ask'] as const
export const modes = ['open', 'reduce_only', 'post_only', 'cancel_only', 'halted'] as const
export const triggerBys = ['mark', 'last', 'mid'] as const
export const feedHealths = ['live', 'stale', 'cancel_only'] as const
/** Why an order exists. */
export const origins = ['user', 'trigger', 'algo', 'liquidation', 'backstop'] as const
/** Why lots changed hands. */
export const causes = [
  'normal',
  'market_liquidation',
  'backstop_liquidation',
  'deleverage',
  'settlement',
] as const
export const fillKinds = [
  'open_long',
  'open_short',
  'close_long',
  'close_short',
  'force_close_long',
  'force_close_short',
] as const
export const roles = ['maker', 'taker'] as const
/** Why an order was closed unfilled; `refused` comes with the rejection. */
export const cancelReasons = [
  'owner',
  'replaced',
  'expired',
  'post_only_rejected',
  'self_trade_prevented',
  'margin',
  'reduce_only',
  'open_interest',
  'liquidation',
  'market_closed',
  'scheduled',
  'parent_ended',
  'refused',
  'disconnected',
  'mmp',
  'oco',
] as const
/** Permissions that the policy of an agent may grant in addition to trading (ACCT-9). */
export const allowances = ['margin', 'api_keys'] as const
/** Why an agent was unbound without a request of its owner. */
export const unbindings = [
  'confirmed_elsewhere',
  'address_in_use',
  'crowded_out',
  'operator',
] as const
export const algoKinds = ['twap', 'iceberg', 'chase'] as const
export const algoEnds = [
  'finished',
  'owner',
  'liquidation',
  'market_closed',
  'expired',
  'refused',
] as const

export type Side = (typeof sides)[number]
export type TriggerBy = (typeof triggerBys)[number]
export type Mode = (typeof modes)[number]
export type AgentAllowance = (typeof allowances)[number]
export type AlgoKind = (typeof algoKinds)[number]

type TimeInForce = Readonly<{
  /** The order takes what it crosses, and therefore waits at the speed bump (ORDER-3). */
  takes: boolean
  /** Its remainder rests; otherwise the remainder is cancelled as `expired` (ORDER-4). */
  rests: boolean
  /** The order is filled completely and immediately, or not at all. */
  whole: boolean
  /** If the order would cross, its price moves one tick off the best price. Otherwise such an order
   *  is cancelled as `post_only_rejected`. */
  stepsAside: boolean
  about: string
  label: string
}>

export const timesInForce = {
  GTC: {
    ...{ takes: true, rests: true, whole: false, stepsAside: false },
    about: 'rests until it is cancelled',
    label: 'until cancelled',
  },
  IOC: {
    ...{ takes: true, rests: false, whole: false, stepsAside: false },
    about: 'takes immediately, and the rest expires',
    label: 'now or never',
  },
  FOK: {
    ...{ takes: true, rests: false, whole: true, stepsAside: false },
    about: 'fills completely and immediately, or expires',
    label: 'all or nothing',
  },
  ALO: {
    ...{ takes: false, rests: true, whole: false, stepsAside: false },
    about: 'never takes: it is rejected if it would',
    label: 'post only',
  },
  TOB: {
    ...{ takes: false, rests: true, whole: false, stepsAside: true },
    about: 'never takes: its price moves away by a tick',
    label: 'step aside',
  },
} as const satisfies Readonly<Record<string, TimeInForce>>

export type Tif = keyof typeof timesInForce
export const tifs = Object.keys(timesInForce) as readonly Tif[]

/** Which of two orders of one owner is cancelled; the first is the default. */
export const selfTradeModes = ['cancel_maker', 'cancel_taker', 'cancel_both'] as const
export type SelfTradeMode = (typeof selfTradeModes)[number]

/** Enum and boolean options that few orders set. Commands, requests, previews and the command line
 *  use these names and words. */
type OrderOption = Readonly<{
  /** `null` for a boolean. The first word is the default. */
  words: readonly string[] | null
  /** Whether an order that never rests may have it. */
  ofTakers: boolean
  about: string
  /** A shorter description, for the command line. */
  typed: string
}>

export const orderOptions = {
  stp: {
    words: selfTradeModes,
    ofTakers: true,
    about:
      'Self-trade prevention: cancel_maker cancels the resting order, cancel_taker the ' +
      'new one, cancel_both both (default: cancel_maker)',
    typed: 'which order is cancelled when it meets one of yours (default: cancel_maker)',
  },
  mmp: {
    words: null,
    ofTakers: false,
    about:
      'Whether the order is cancelled when the maker protection of the account in this market ' +
      'trips (see /account/mmp/set; no effect without protection). For ALO and TOB only',
    typed: 'cancelled when protection trips (`openperp mmp`)',
  },
} as const satisfies Readonly<Record<string, OrderOption>>

export type OptionName = keyof typeof orderOptions
export type TakerOptionName = {
  [K in OptionName]: (typeof orderOptions)[K]['ofTakers'] extends true ? K : never
}[OptionName]

/** The options of a request. Absent or `null`: the default. */
export type OptionWords = { readonly [K in OptionName]?: WordOf<K> | null }
/** The options of a command. */
export type OrderOptions = {
  readonly [K in OptionName]?: (typeof orderOptions)[K]['words'] extends null
    ? boolean
    : WordOf<K> | null
}
export type TakerOptions = Pick<OrderOptions, TakerOptionName>
type WordOf<K extends OptionName> = (typeof orderOptions)[K]['words'] extends readonly (infer W)[]
  ? W
  : boolean

export const optionNames = Object.keys(orderOptions) as readonly OptionName[]
export const takerOptionNames = optionNames.filter(
  (name): name is TakerOptionName => orderOptions[name].ofTakers,
)

type OrderTypeShape = Readonly<{
  /** What starts the order: it arrives, or a trigger of this kind fires (TRIG-3). */
  trigger: 'stop' | 'take_profit' | 'stop_loss' | null
  /** The order has a worst price instead of a limit, fixed when it runs or begins to wait. It is
   *  therefore IOC, valued at mark, not subject to the band, and rejected if there is nothing to
   *  take (ORDER-1). */
  atMarket: boolean
}>

export const orderTypes = {
  limit: { trigger: null, atMarket: false },
  market: { trigger: null, atMarket: true },
  stop_limit: { trigger: 'stop', atMarket: false },
  stop_market: { trigger: 'stop', atMarket: true },
  take_profit_limit: { trigger: 'take_profit', atMarket: false },
  take_profit_market: { trigger: 'take_profit', atMarket: true },
  stop_loss_limit: { trigger: 'stop_loss', atMarket: false },
  stop_loss_market: { trigger: 'stop_loss', atMarket: true },
} as const satisfies Readonly<Record<string, OrderTypeShape>>

export type OrderTypeName = keyof typeof orderTypes

export const orderTypeNames = Object.keys(orderTypes) as readonly OrderTypeName[]
