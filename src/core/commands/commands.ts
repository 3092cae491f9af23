// What can be asked of the exchange. Imperative; each may be refused. Everything that changes the
// state comes in as one of these, stamped by the sequencer: prices and the passage of time too.

import type { Lots, MicroTicks, Ppm, Quote, Ticks, TimeMs } from '../../units/units.ts'
import type {
  AgentAllowance,
  Mode,
  OrderOptions,
  Side,
  TakerOptions,
  Tif,
  TriggerBy,
} from '../../words/order-words.ts'
import type { AccountId, MarketId, OrderId } from './ids.ts'
import type { MarketChange, MarketParams } from './market-params.ts'
import type { MoneyCommand, MoneyLimitCommand } from './money-commands.ts'
import type { TextHash } from './text-hash.ts'

export type AgentScope = 'trade' | 'margin'
/** What an agent needs for a command. `any`: to be bound; `api_keys`: that, and the word in its
 *  policy if it has one; null: no agent may do this. */
export type NeededScope = AgentScope | 'mmp' | 'api_keys' | 'any' | null

/** What a key may do at most (ACCT-9). Null: no limit. */
export type AgentPolicy = Readonly<{
  markets: readonly MarketId[] | null
  postOnly: boolean
  reduceOnly: boolean
  maxSlippagePpm: Ppm | null
  maxOrderValue: Quote | null
  maxPositionValue: Quote | null
  maxDailyLoss: Quote | null
  expiresAt: TimeMs | null
  allow: readonly AgentAllowance[]
}>

/** What the gateway verified of a signed text, with its timestamp and the end of its window. A text
 *  without a timestamp has 0 and null. */
export type Proof = Readonly<{
  textHash: TextHash
  signedAtMs: TimeMs
  expiresAtMs: TimeMs | null
  agent: string | null
  ip: string | null
}>

/** How a stop follows the mark (TRIG-11): so many ticks behind its best, or a share of it; from a
 *  mark on, or at once. */
export type Trail = Readonly<{
  distance: Ticks | null
  ppm: Ppm | null
  activation: Ticks | null
}>

/** A take-profit or stop-loss level. `limitPrice` null: market; `size` null: the whole position. A
 *  `stopPrice` of 0: it trails. `slippagePpm`: how far from the mark its market order may go; null:
 *  as the market has it (TRIG-3). */
export type Level = Readonly<{
  stopPrice: Ticks
  limitPrice: Ticks | null
  size: Lots | null
  triggerBy: TriggerBy
  clientOrderId: string | null
  trail?: Trail | null
  slippagePpm?: Ppm | null
}>

/** One level, several of a kind, or none (TRIG-12). */
export type Levels = Level | readonly Level[] | null

/** One open order, by its id, by its client id, or by both (which must then agree). */
export type OrderRef = Readonly<{ order: OrderId | null; clientOrderId: string | null }>

type OfAccount = Readonly<{ account: AccountId; proof: Proof | null }>
export type OnMarket = OfAccount & Readonly<{ market: MarketId }>

export type PlaceOrder = Readonly<{ type: 'PlaceOrder' }> &
  OnMarket &
  Readonly<{
    side: Side
    price: Ticks
    size: Lots
    tif: Tif
    reduceOnly: boolean
    clientOrderId: string | null
    takeProfit: Levels
    stopLoss: Levels
    /** From then on it must not trade (ORDER-14). */
    expireTime?: TimeMs | null
  }> &
  OrderOptions

/** An action of a batch alone: the order of this client id stands there now (ORDER-17). */
export type PlaceQuote = Readonly<{ type: 'Quote' }> &
  OnMarket &
  Readonly<{
    side: Side
    price: Ticks
    size: Lots
    clientOrderId: string | null
  }> &
  Pick<OrderOptions, 'mmp'>

/** What may be filled within the window; lots null: any. `frozenMs` 0: until a reset. */
export type MmpLimits = Readonly<{
  windowMs: number
  frozenMs: number
  maxLots: Lots | null
  maxNet: Lots | null
}>

export type PlaceMarketOrder = Readonly<{ type: 'PlaceMarketOrder' }> &
  OnMarket &
  Readonly<{
    side: Side
    size: Lots
    slippagePpm: Ppm
    reduceOnly: boolean
    clientOrderId: string | null
    takeProfit: Levels
    stopLoss: Levels
  }> &
  TakerOptions

export type PlaceStop = Readonly<{ type: 'PlaceStop' }> &
  OnMarket &
  Readonly<{
    side: Side
    reduceOnly: boolean
    level: Level
    /** Levels of the position that its order will open (TRIG-13). */
    takeProfit?: Levels
    stopLoss?: Levels
    expireTime?: TimeMs | null
    /** Fires at or above its stop price, or at or below it (TRIG-10); absent: as TRIG-1 has it. */
    up?: boolean | null
  }>

/** Waits in the book as an ALO order. */
export type RestingLeg = Readonly<{
  side: Side
  price: Ticks
  size: Lots
  reduceOnly: boolean
  clientOrderId: string | null
}>
export type StopLeg = Pick<PlaceStop, 'side' | 'reduceOnly' | 'level' | 'up'>
/** One or the other (TRIG-14): two legs, at least one of them a stop. */
export type PlaceOco = Readonly<{ type: 'PlaceOco' }> &
  OnMarket &
  Readonly<{ legs: readonly (RestingLeg | StopLeg)[]; expireTime?: TimeMs | null }>

/** `side` is the position's side. Levels of a kind that is absent stay; given ones replace all of
 *  their kind, and none take them away. */
export type SetPositionTpsl = Readonly<{ type: 'SetPositionTpsl' }> &
  OnMarket &
  Readonly<{ side: Side; takeProfit?: Levels; stopLoss?: Levels }>

export type EditOrder = Readonly<{ type: 'EditOrder' }> &
  OnMarket &
  OrderRef &
  Readonly<{ price: Ticks; size: Lots }>

export type CancelOrder = Readonly<{ type: 'CancelOrder' }> & OnMarket & OrderRef
/** Like CancelOrder, but finds only stops and TP/SL levels. */
export type CancelStop = Readonly<{ type: 'CancelStop' }> & OnMarket & OrderRef
/** `market` null: all markets. */
export type CancelAllOrders = Readonly<{ type: 'CancelAllOrders' }> &
  OfAccount &
  Readonly<{ market: MarketId | null; excludeReduceOnly: boolean }>

export type BatchAction =
  | PlaceOrder
  | PlaceMarketOrder
  | CancelOrder
  | CancelStop
  | EditOrder
  | SetPositionTpsl
  | PlaceStop
  | CancelAllOrders
  | PlaceQuote
/** What may wait for the release of a delayed batch (ORDER-10); its orders wait as orders. */
export type KeptAction = Exclude<BatchAction, PlaceOrder | PlaceMarketOrder | CancelAllOrders>
/** Every action is of `account`. Each carries its own proof; or one is there for all of them, null
 *  where whoever hands it in vouches for it. */
export type Batch = Readonly<{
  type: 'Batch'
  account: AccountId
  actions: readonly BatchAction[]
  proof?: Proof | null
}>

/** `time` null: take the schedule away. */
export type ScheduleCancel = Readonly<{ type: 'ScheduleCancel' }> &
  OfAccount &
  Readonly<{ time: TimeMs | null; keepProtective: boolean }>

/** When this connection ends, cancel. `connection` is a name that its owner made up for it. */
export type ArmConnection = Readonly<{ type: 'ArmConnection' }> &
  OfAccount &
  Readonly<{ connection: string; keepProtective: boolean }>
type OfConnection = Readonly<{ account: AccountId; connection: string }>
/** The connection asks for it, which needs no proof: it only takes back what it asked for. */
export type DisarmConnection = Readonly<{ type: 'DisarmConnection' }> & OfConnection
export type EndConnection = Readonly<{ type: 'EndConnection' }> & OfConnection

export type PlaceTwap = Readonly<{ type: 'PlaceTwap' }> &
  OnMarket &
  Readonly<{
    side: Side
    size: Lots
    reduceOnly: boolean
    slippagePpm: Ppm
    durationSeconds: number
    clientOrderId: string | null
  }>
/** Lots of `display` are shown at a time (ALGO-3). `CancelOrder` ends it. */
export type PlaceIceberg = Readonly<{ type: 'PlaceIceberg' }> &
  OnMarket &
  Readonly<{
    side: Side
    size: Lots
    display: Lots
    price: Ticks
    reduceOnly: boolean
    expireTime: TimeMs | null
    clientOrderId: string | null
  }>
/** Its order follows the best price, never beyond `price` (ALGO-2). `CancelOrder` ends it. */
export type PlaceChase = Readonly<{ type: 'PlaceChase' }> & Omit<PlaceIceberg, 'type' | 'display'>
export type CancelTwap = Readonly<{ type: 'CancelTwap' }> & OnMarket & OrderRef

export type TradingCommand =
  | Exclude<BatchAction, PlaceQuote>
  | Batch
  | ScheduleCancel
  | ArmConnection
  | DisarmConnection
  | EndConnection
  | PlaceTwap
  | CancelTwap
  | PlaceIceberg
  | PlaceChase
  | PlaceOco
  /** Null: no protection any more (ORDER-18). */
  | (Readonly<{ type: 'SetMmp' }> & OnMarket & Readonly<{ limits: MmpLimits | null }>)
  | (Readonly<{ type: 'ResetMmp' }> & OnMarket)

export type AccountCommand =
  | MoneyCommand
  | (Readonly<{ type: 'Withdraw' }> & OfAccount & Readonly<{ amount: Quote }>)
  | (Readonly<{ type: 'CreateSubaccount' }> & OfAccount & Readonly<{ address: string }>)
  | (Readonly<{ type: 'Transfer' }> & OfAccount & Readonly<{ to: AccountId; amount: Quote }>)
  | (Readonly<{ type: 'SetLeverage' }> & OnMarket & Readonly<{ leverage: number }>)
  | (Readonly<{ type: 'SetMarginMode' }> & OnMarket & Readonly<{ isolated: boolean }>)
  | (Readonly<{ type: 'MoveIsolatedMargin' }> & OnMarket & Readonly<{ amount: Quote }>)
  | (Readonly<{ type: 'BindAgent' }> &
      OfAccount &
      Readonly<{
        agent: string
        scopes: readonly AgentScope[]
        /** The key is never live without them. */
        policy?: AgentPolicy | null
        ips?: readonly string[] | null
      }>)
  /** `policy` null: the key has none from then on. */
  | (Readonly<{ type: 'SetAgentPolicy' }> &
      OfAccount &
      Readonly<{ agent: string; policy: AgentPolicy | null }>)
  | (Readonly<{ type: 'RevokeAgent' }> & OfAccount & Readonly<{ agent: string }>)
  | (Readonly<{ type: 'RevokeAllAgents' }> & OfAccount)
  /** By the operator: whoever holds it. */
  | Readonly<{ type: 'UnbindAgent'; agent: string }>
  | (Readonly<{ type: 'AllowAgentIp' }> & OfAccount & Readonly<{ agent: string; ip: string }>)
  | (Readonly<{ type: 'DisallowAgentIp' }> & OfAccount & Readonly<{ agent: string; ip: string }>)
  | (Readonly<{ type: 'SetAgentIpFilter' }> &
      OfAccount &
      Readonly<{ agent: string; enabled: boolean }>)
  | (Readonly<{ type: 'CreateApiKey' }> & OfAccount & Readonly<{ prefix: string; digest: string }>)
  | (Readonly<{ type: 'RevokeApiKey' }> & OfAccount & Readonly<{ prefix: string }>)
  | Readonly<{ type: 'SetApiKeyCredits'; prefix: string; credits: number }>
  | Readonly<{ type: 'FreezeAccount'; account: AccountId; frozen: boolean }>

export type FeeTier = Readonly<{ volumeDollars: number; makerPpm: Ppm; takerPpm: Ppm }>

export type VenueCommand =
  | Readonly<{ type: 'ListMarket'; params: MarketParams; oracle: MicroTicks }>
  /** `immediate`: what raises a requirement does not wait a day (MARKET-2). */
  | Readonly<{
      type: 'ChangeMarket'
      market: MarketId
      change: MarketChange
      immediate?: boolean
    }>
  /** By the number that its announcement told. */
  | Readonly<{ type: 'CancelMarketChange'; market: MarketId; change: number }>
  | Readonly<{ type: 'SetMarketMode'; market: MarketId; mode: Mode }>
  | Readonly<{ type: 'SettleMarket'; market: MarketId; price: Ticks }>
  | Readonly<{ type: 'SetFeeTiers'; tiers: readonly FeeTier[] }>
  | Readonly<{ type: 'SetExchangeMode'; mode: Mode }>
  /** Between fees, insurance, backstops, and an account that is not the exchange's own; `by`: by
   *  hand, by the operator of that name (ACCT-10). */
  | Readonly<{ type: 'MoveReserve'; from: AccountId; to: AccountId; amount: Quote; by?: string }>
  | Readonly<{ type: 'SetOwnerLimit'; owner: AccountId; market: MarketId; lots: Lots | null }>
  /** What part of each hour's fees goes to the insurance fund. */
  | Readonly<{ type: 'SetInsuranceShare'; sharePpm: Ppm }>
  /** What part of itself the insurance fund pays on one UTC day at most. */
  | Readonly<{ type: 'SetFundDailyMax'; dailyMax: Ppm }>
  | MoneyLimitCommand
  /** `market` null: the breach concerns the whole exchange. */
  | Readonly<{ type: 'Breach'; market: MarketId | null; invariant: number }>
  | Readonly<{ type: 'SetRulesVersion'; version: number }>
  | Readonly<{ type: 'SetClockFrozen'; frozen: boolean }>
  /** `pricesStand`: whoever makes the prices stood still with the engine, as a simulation does. */
  | Readonly<{ type: 'EngineStarted'; pricesStand?: boolean }>
  /** What a source wants to find again after a restart, in its own words; null: nothing more. */
  | Readonly<{ type: 'KeepNote'; name: string; text: string | null }>
  /** Minutes of a market from before it was listed, for charts; no rule looks at them. */
  | Readonly<{ type: 'TellPast'; market: MarketId; bars: string }>

export type SourceCommand =
  /** `observedAtMs`: engine time at which most sources had this price; `null`: the price stands
   *  until the next tick. */
  | Readonly<{
      type: 'OracleTick'
      market: MarketId
      price: MicroTicks
      observedAtMs: number | null
      jump: boolean
    }>
  | Readonly<{ type: 'Tick' }>

export type Command = TradingCommand | AccountCommand | VenueCommand | SourceCommand
export type CommandType = Command['type']
export type CommandOf<T extends CommandType> = Extract<Command, { type: T }>

/** A command with its place in history. Only the sequencer, which has the clocks, makes one.
 *  `stampMs` is the wall time by which signed texts are forgotten (CORE-6) (default: 0). */
export type Sequenced<C = Command> = Times & Readonly<{ seq: number; command: C }>
type Times = Readonly<{ atMs: TimeMs; stampMs?: TimeMs }>
