// How often each thing occurred in a run: commands, their options, refusals, events and the words
// in events. A rule that a run of a million commands met less than a hundred times was not
// compared.

import type { BatchAction, Command, CommandType } from '../../../../src/core/commands/commands.ts'
import { rejections } from '../../../../src/core/commands/rejections.ts'
import { type Event, eventFields, words } from '../../../../src/core/events/event-fields.ts'
import { fillsOf } from '../../../../src/core/events/fills-of.ts'
import type { State } from '../../../../src/core/state/state.ts'
import {
  causes,
  fillKinds,
  orderTypeNames,
  orderTypes,
  selfTradeModes,
  tifs,
} from '../../../../src/words/order-words.ts'
import { AlgoLives, wantedOfAlgos } from './algo-lives.ts'
import { circumstancesOf, wantedCircumstances } from './circumstances.ts'
import { Releases, wantedOfReleases } from './releases.ts'

/** MARGIN-5: only the twin knows which row let a close pass. Random worlds hardly ever put it
 *  together; test/scenarios/margin/margin-near.test.ts draws such closes. */
export const nearClose = 'a close that passes only near the mark'

/** What cannot happen, and why. */
const impossible: Readonly<Record<string, string>> = {
  'rejection BOOK_SIDE_FULL':
    'it takes a million levels; test/properties/full-side.test.ts lowers the bound',
}

/** Fields of commands whose values are counted, and the values to be met. */
const options: Readonly<Record<string, readonly (string | boolean)[]>> = {
  tif: tifs,
  stp: selfTradeModes,
  side: ['bid', 'ask'],
  reduceOnly: [true, false],
  triggerBy: ['mark', 'last', 'mid'],
  mode: ['open', 'reduce_only', 'post_only', 'cancel_only', 'halted'],
  excludeReduceOnly: [true, false],
  keepProtective: [true, false],
  isolated: [true, false],
  enabled: [true, false],
  frozen: [true, false],
  jump: [true, false],
  immediate: [true, false],
  mmp: [true, false],
}
/** Fields that may be null or absent. */
const optional: Readonly<Partial<Record<CommandType, readonly string[]>>> = {
  PlaceOrder: ['takeProfit', 'stopLoss', 'clientOrderId', 'proof'],
  PlaceMarketOrder: ['takeProfit', 'stopLoss', 'clientOrderId', 'proof'],
  PlaceStop: ['takeProfit', 'stopLoss', 'proof'],
  SetPositionTpsl: ['takeProfit', 'stopLoss', 'proof'],
  CancelOrder: ['order', 'clientOrderId'],
  CancelStop: ['order', 'clientOrderId'],
  EditOrder: ['order', 'clientOrderId'],
  CancelTwap: ['order', 'clientOrderId'],
  PlaceIceberg: ['expireTime', 'clientOrderId', 'proof'],
  PlaceChase: ['expireTime', 'clientOrderId', 'proof'],
  CancelAllOrders: ['market'],
  ScheduleCancel: ['time'],
  Breach: ['market'],
  OracleTick: ['observedAtMs'],
  SetMmp: ['limits'],
}
const actionTypes: Readonly<Record<BatchAction['type'], true>> = {
  PlaceOrder: true,
  PlaceMarketOrder: true,
  CancelOrder: true,
  CancelStop: true,
  EditOrder: true,
  SetPositionTpsl: true,
  PlaceStop: true,
  CancelAllOrders: true,
  Quote: true,
}
const commandTypes = [
  'PlaceOrder',
  'PlaceMarketOrder',
  'PlaceStop',
  'SetPositionTpsl',
  'EditOrder',
  'CancelOrder',
  'CancelStop',
  'CancelAllOrders',
  'Batch',
  'ScheduleCancel',
  'ArmConnection',
  'DisarmConnection',
  'EndConnection',
  'PlaceTwap',
  'CancelTwap',
  'PlaceIceberg',
  'PlaceChase',
  'PlaceOco',
  'SetMmp',
  'ResetMmp',
  'Deposit',
  'CreditDeposit',
  'ApproveCredit',
  'DropCredit',
  'Withdraw',
  'ApproveWithdrawal',
  'CompleteWithdrawal',
  'FailWithdrawal',
  'CreateSubaccount',
  'Transfer',
  'SetLeverage',
  'SetMarginMode',
  'MoveIsolatedMargin',
  'BindAgent',
  'SetAgentPolicy',
  'RevokeAgent',
  'RevokeAllAgents',
  'UnbindAgent',
  'AllowAgentIp',
  'DisallowAgentIp',
  'SetAgentIpFilter',
  'CreateApiKey',
  'RevokeApiKey',
  'SetApiKeyCredits',
  'FreezeAccount',
  'ListMarket',
  'ChangeMarket',
  'CancelMarketChange',
  'SetMarketMode',
  'SettleMarket',
  'SetFeeTiers',
  'SetExchangeMode',
  'MoveReserve',
  'SetOwnerLimit',
  'SetInsuranceShare',
  'SetFundDailyMax',
  'SetWithdrawalLimits',
  'SetWithdrawalBrake',
  'Breach',
  'SetRulesVersion',
  'SetClockFrozen',
  'EngineStarted',
  'KeepNote',
  'TellPast',
  'OracleTick',
  'Tick',
] as const satisfies readonly CommandType[]
// Nothing may be missing from the list above.
type Missing = Exclude<CommandType, (typeof commandTypes)[number]>
const nothingMissing: [Missing] extends [never] ? true : Missing = true
void nothingMissing

export class Coverage {
  readonly counts = new Map<string, number>()
  private readonly algos = new AlgoLives()
  private readonly releases = new Releases()
  private readonly expected = [...expectedNames()]

  constructor() {
    for (const name of this.expected) this.counts.set(name, 0)
  }

  /** A command, what came of it, and the state after it. */
  count(command: Command, events: readonly Event[], state: State): void {
    this.countCommand(command)
    this.countEvents(events)
    for (const name of circumstancesOf(command, events, state))
      if (this.counts.has(name)) this.add(name)
    for (const name of this.algos.namesOf(command, events)) this.add(name)
    for (const name of this.releases.namesOf(command, events)) this.add(name)
  }

  private countCommand(command: Command): void {
    this.add(`command ${command.type}`)
    if (command.type === 'Batch') {
      for (const action of command.actions) {
        this.add(`action ${action.type}`)
        this.countFields(action)
      }
    } else this.countFields(command)
    const fields = command.type === 'Batch' ? ['proof'] : (optional[command.type] ?? [])
    for (const field of fields) {
      const value = (command as unknown as Record<string, unknown>)[field]
      const form = value === undefined ? 'absent' : value === null ? 'null' : 'given'
      this.add(`${command.type}.${field} ${form}`)
    }
  }

  private countEvents(events: readonly Event[]): void {
    for (const event of events) {
      this.add(`event ${event.type}`)
      for (const { kind, cause } of fillsOf(event)) {
        this.add(`fill ${kind}`)
        this.add(`fill ${cause}`)
      }
      if (event.type === 'CommandRejected') this.add(`rejection ${event.rejection}`)
      if (event.type === 'MarketChanged' && event.maintenanceAt > event.effectiveAt)
        this.add('tiers kept')
      const fields = event as unknown as Readonly<Record<string, unknown>>
      for (const [field, kind] of Object.entries(eventFields[event.type])) {
        if (kind === 'rejection') continue
        if (kind in words || kind === 'flag') this.add(`${event.type}.${field}=${fields[field]}`)
      }
    }
  }

  /** What occurred less often than `atLeast` and could have occurred. */
  missing(atLeast: number): readonly string[] {
    return this.expected
      .filter((name) => !(name in impossible) && (this.counts.get(name) ?? 0) < atLeast)
      .map((name) => `${name}: ${this.counts.get(name)}`)
  }

  merge(other: ReadonlyMap<string, number>): void {
    for (const [name, count] of other) this.add(name, count)
  }

  private countFields(value: unknown): void {
    if (typeof value !== 'object' || value === null) return
    for (const [key, inner] of Object.entries(value)) {
      if (key in options && (typeof inner === 'string' || typeof inner === 'boolean')) {
        if (options[key]?.includes(inner)) this.add(`${key}=${inner}`)
      } else if (key !== 'proof') this.countFields(inner)
    }
  }

  add(name: string, count = 1): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + count)
  }
}

function* expectedNames(): Generator<string> {
  for (const type of commandTypes) yield `command ${type}`
  for (const [field, values] of Object.entries(options)) {
    for (const value of values) yield `${field}=${value}`
  }
  for (const [type, fields] of Object.entries(optional)) {
    for (const field of fields) {
      yield `${type}.${field} given`
      yield `${type}.${field} null`
    }
  }
  for (const type of Object.keys(actionTypes)) yield `action ${type}`
  for (const form of ['given', 'null', 'absent']) yield `Batch.proof ${form}`
  yield 'SetPositionTpsl.takeProfit absent'
  yield 'SetPositionTpsl.stopLoss absent'
  for (const name of Object.keys(rejections)) yield `rejection ${name}`
  for (const type of Object.keys(eventFields)) yield `event ${type}`
  yield* expectedWords()
  yield* wantedCircumstances()
  yield* wantedOfAlgos()
  yield* wantedOfReleases
}

/** Words that must be met in events: those that stand for a rule of their own. */
function* expectedWords(): Generator<string> {
  const lists = [
    ['OrderCancelled', 'reason'],
    ['OrderPlaced', 'origin'],
    ['AlgoPlaced', 'kind'],
    ['AlgoEnded', 'reason'],
    ['AgentUnbound', 'reason'],
    ['FeedHealthChanged', 'health'],
    ['MarketModeSet', 'mode'],
    ['ExchangeModeSet', 'mode'],
  ] as const
  for (const [type, field] of lists) {
    const kind = (eventFields[type] as Readonly<Record<string, string>>)[field] ?? ''
    for (const word of words[kind] ?? []) yield `${type}.${field}=${word}`
  }
  for (const type of orderTypeNames)
    if (orderTypes[type].trigger !== null) yield `StopPlaced.orderType=${type}`
  for (const kind of fillKinds) yield `fill ${kind}`
  for (const cause of causes) yield `fill ${cause}`
  yield 'OrderPlaced.waiting=true'
  yield 'ConnectionEnded.cancels=true'
  yield 'ConnectionEnded.cancels=false'
  yield 'MarkUpdated.catchingUp=true'
  yield 'tiers kept'
  yield 'WithdrawalRequested.held=true'
}
