// The commands of the exchange; command-fields.ts lists their fields. Names are imperative, and
// each command may be rejected. Every change of the state arrives as one of these commands, stamped
// by the sequencer, including prices and the passage of time.

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
import type {
  accountFields,
  commandFields,
  commandRecords,
  quoteFields,
  venueFields,
} from './command-fields.ts'
import type { AccountId, MarketId, OrderId, WithdrawalId } from './ids.ts'
import type { MarketChange, MarketParams } from './market-params.ts'
import type { TextHash } from './text-hash.ts'

export type AgentScope = 'trade' | 'margin'
/** The scope that an agent needs for a command. `any`: a bound key is enough. `api_keys`: a bound
 *  key whose policy, if it has one, grants `api_keys`. null: no agent may send the command. */
export type NeededScope = AgentScope | 'mmp' | 'api_keys' | 'any' | null

type Records = typeof commandRecords

interface Values {
  account: AccountId
  market: MarketId
  order: OrderId
  withdrawal: WithdrawalId
  /** Numbers of held credits and of announced changes of a market. */
  credit: number
  changeNumber: number
  lots: Lots
  ticks: Ticks
  microTicks: MicroTicks
  quote: Quote
  ppm: Ppm
  time: TimeMs
  number: number
  text: string
  flag: boolean
  hash: TextHash
  side: Side
  tif: Tif
  mode: Mode
  triggerBy: TriggerBy
  scope: AgentScope
  allowance: AgentAllowance
  levels: Levels
  leg: RestingLeg | StopLeg
  action: BatchAction
  params: MarketParams
  marketChange: MarketChange
}

type ValueOf<K> = K extends `${infer Kind}|null`
  ? ValueOf<Kind> | null
  : K extends `${infer Kind}[]`
    ? readonly ValueOf<Kind>[]
    : K extends keyof Values
      ? Values[K]
      : K extends keyof Records
        ? FieldsOf<Records[K]>
        : never
type FieldsOf<F> = {
  readonly [N in keyof F as F[N] extends `${string}?` ? never : N]: ValueOf<F[N]>
} & {
  readonly [N in keyof F as F[N] extends `${string}?` ? N : never]?: F[N] extends `${infer Kind}?`
    ? ValueOf<Kind>
    : never
}

export type AgentPolicy = FieldsOf<Records['policy']>
export type Proof = FieldsOf<Records['proof']>
export type Trail = FieldsOf<Records['trail']>
export type Level = FieldsOf<Records['level']>
export type RestingLeg = FieldsOf<Records['restingLeg']>
export type StopLeg = FieldsOf<Records['stopLeg']>
export type MmpLimits = FieldsOf<Records['mmpLimits']>
export type FeeTier = FieldsOf<Records['feeTier']>
/** One level, several levels of a kind, or none (TRIG-12). */
export type Levels = Level | readonly Level[] | null

type AllFields = typeof commandFields
type Options = Readonly<{ PlaceOrder: OrderOptions; PlaceMarketOrder: TakerOptions }>

export type CommandType = keyof AllFields
export type CommandOf<T extends CommandType> = {
  [N in T]: { readonly type: N } & FieldsOf<AllFields[N]> &
    (N extends keyof Options ? Options[N] : unknown)
}[T]
export type Command = CommandOf<CommandType>
export type AccountCommand = CommandOf<keyof typeof accountFields>
export type VenueCommand = CommandOf<keyof typeof venueFields>

export type PlaceOrder = CommandOf<'PlaceOrder'>
export type PlaceMarketOrder = CommandOf<'PlaceMarketOrder'>
export type PlaceStop = CommandOf<'PlaceStop'>
export type EditOrder = CommandOf<'EditOrder'>
export type CancelOrder = CommandOf<'CancelOrder'>
export type Batch = CommandOf<'Batch'>
export type SetPositionTpsl = CommandOf<'SetPositionTpsl'>
export type CancelStop = CommandOf<'CancelStop'>
export type CancelAllOrders = CommandOf<'CancelAllOrders'>
export type ScheduleCancel = CommandOf<'ScheduleCancel'>
export type ArmConnection = CommandOf<'ArmConnection'>
export type DisarmConnection = CommandOf<'DisarmConnection'>
export type EndConnection = CommandOf<'EndConnection'>
export type PlaceOco = CommandOf<'PlaceOco'>
export type PlaceTwap = CommandOf<'PlaceTwap'>
export type CancelTwap = CommandOf<'CancelTwap'>
export type PlaceIceberg = CommandOf<'PlaceIceberg'>
export type PlaceChase = CommandOf<'PlaceChase'>
export type OnMarket = Pick<CancelOrder, 'account' | 'proof' | 'market'>
export type OrderRef = Pick<CancelOrder, 'order' | 'clientOrderId'>
export type PlaceQuote = { readonly type: 'Quote' } & FieldsOf<typeof quoteFields> &
  Pick<OrderOptions, 'mmp'>

export const batchCommands = [
  'PlaceOrder',
  'PlaceMarketOrder',
  'CancelOrder',
  'CancelStop',
  'EditOrder',
  'SetPositionTpsl',
  'PlaceStop',
  'CancelAllOrders',
] as const satisfies readonly CommandType[]
export type BatchAction = CommandOf<(typeof batchCommands)[number]> | PlaceQuote
/** An action that may be deferred until the release of a delayed batch (ORDER-10). Orders of such a
 *  batch wait as orders. */
export type KeptAction = Exclude<
  BatchAction,
  PlaceOrder | PlaceMarketOrder | CommandOf<'CancelAllOrders'>
>

/** A command with its position in history. Only the sequencer, which has the clocks, creates one.
 *  `stampMs` is the wall time by which signed requests are forgotten (CORE-6) (default: 0). */
export type Sequenced<C = Command> = Times & Readonly<{ seq: number; command: C }>
type Times = Readonly<{ atMs: TimeMs; stampMs?: TimeMs }>
