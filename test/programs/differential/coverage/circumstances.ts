// What counts only together with where it happened: a refusal in a market that is stale, a takeover
// at a price that is not known, each parameter that was changed. The state is the core's after the
// command.

import type { BatchAction, Command } from '../../../../src/core/commands/commands.ts'
import { type RejectionName, rejections } from '../../../../src/core/commands/rejections.ts'
import type { Event } from '../../../../src/core/events/event-fields.ts'
import { modeOf } from '../../../../src/core/prices/trading.ts'
import { firstRules } from '../../../../src/core/rules/first-rules.ts'
import { fundTodayOf } from '../../../../src/core/solvency/insurance.ts'
import { LIVE, type Market, STALE } from '../../../../src/core/state/market.ts'
import type { State } from '../../../../src/core/state/state.ts'
import { changeableNames } from '../../../../src/words/market-parameters.ts'
import { modes } from '../../../../src/words/order-words.ts'
import { levelCircumstances, wantedOfLevels } from './brought-levels.ts'
import { forcedCircumstances, wantedOfForced } from './forced.ts'

/** What is to be met in a market of this state. */
const wanted: Readonly<Record<string, readonly string[]>> = {
  stale: [
    'refused ORACLE_NOT_AVAILABLE',
    'released into ORACLE_NOT_AVAILABLE',
    'sliced into ORACLE_NOT_AVAILABLE',
    'OrderRested',
    'StopPlaced',
    'BackstopTookOver',
  ],
  reduce_only: [
    'refused TRADING_DISABLED',
    'released into TRADING_DISABLED',
    'Traded',
    'StopTriggered',
    'LiquidationStepped',
    'BackstopTookOver',
  ],
  post_only: [
    'refused ORACLE_NOT_AVAILABLE',
    'released into ORACLE_NOT_AVAILABLE',
    'sliced into ORACLE_NOT_AVAILABLE',
    'OrderRested',
    'StopPlaced',
  ],
  cancel_only: ['refused TRADING_DISABLED', 'OrderCancelled'],
  halted: ['refused TRADING_DISABLED', 'OrderCancelled'],
  catching_up: [
    'refused INSUFFICIENT_BALANCE',
    'refused IMMEDIATE_LIQUIDATION',
    'SetLeverage refused INSUFFICIENT_BALANCE',
    'MoveIsolatedMargin refused INSUFFICIENT_BALANCE',
    'released into INSUFFICIENT_BALANCE',
    'Traded',
    'StopTriggered',
    'LiquidationStepped',
    'BackstopTookOver',
  ],
  // MARGIN-3: the book does not confirm the mark.
  left_behind: [
    'refused INSUFFICIENT_BALANCE',
    'refused IMMEDIATE_LIQUIDATION',
    'SetLeverage refused INSUFFICIENT_BALANCE',
    'MoveIsolatedMargin refused INSUFFICIENT_BALANCE',
    'released into INSUFFICIENT_BALANCE',
    'Traded',
    'LiquidationStepped',
    'BackstopTookOver',
    'Deleveraged',
  ],
}
const atRelease: readonly RejectionName[] = [
  'OPEN_INTEREST_LIMIT_EXCEEDED',
  'POSITION_LIMIT_EXCEEDED',
  'INSUFFICIENT_BALANCE',
  'IMMEDIATE_LIQUIDATION',
]
const policyRules = 7
/** What a key with a policy left to be done, and was refused when its time came. */
const inItsName = [
  'released into AGENT_LIMIT',
  'released into AGENT_NOT_ALLOWED',
  'sliced into AGENT_LIMIT',
  'sliced into AGENT_NOT_ALLOWED',
]
const tiersMet = 2
const reserves = ['fees', 'insurance', 'backstop', 'trader'] as const
const leftOver = [
  'expiries',
  'releases',
  'steps',
  'triggers',
  'risk',
  'deleveragings',
  'funding',
] as const

const nameOfCode = new Map<number, string>(
  Object.entries(rejections).map(([name, { code }]) => [code, name]),
)

export function* wantedCircumstances(): Generator<string> {
  for (const [state, things] of Object.entries(wanted))
    for (const thing of things) yield `in ${state}: ${thing}`
  for (const name of atRelease) yield `released into ${name}`
  for (const param of changeableNames) yield `changed ${param}`
  for (const kind of reserves) {
    yield `reserve from ${kind}`
    yield `reserve to ${kind}`
  }
  for (const kind of leftOver) yield `left over: ${kind}`
  for (let tier = 1; tier <= tiersMet; tier++) yield `traded in tier ${tier}`
  for (let rule = 1; rule <= policyRules; rule++) yield `rule ${rule} of a policy`
  yield* inItsName
  yield* wantedOfLevels
  yield 'a key that has expired'
  yield 'a key whose policy does not allow it'
  yield 'a stop that went with its key'
  yield 'a TWAP that went with its key'
  yield 'swept'
  yield 'a tripped quote met'
  yield 'fund of the day paid out'
  yield 'stops at their limit'
  yield 'limit of an owner met'
  yield 'limit of a market for owners met'
  yield 'a wider grid refused for an account'
  yield 'a change that overrides another not cancelled'
  yield 'settled off the grid'
  yield 'a price outside the grid'
  yield 'withdrawal refused while a market is not live'
  yield 'withdrawal refused while a market catches up'
  yield* wantedOfForced
}

export function* circumstancesOf(
  command: Command,
  events: readonly Event[],
  state: State,
): Generator<string> {
  let action: Command | BatchAction = command
  const closers = new Set<number>()
  let matches = false
  for (const event of events) {
    if (event.type === 'BatchActionStarted' && command.type === 'Batch')
      action = command.actions[event.index] ?? command
    if (event.type === 'Traded') yield* ofTrade(event, state, closers)
    if (event.type === 'CommandRejected') yield* ofRefusal(action, event, state)
    if (event.type === 'MarketChanged' && command.type === 'ChangeMarket')
      for (const param of Object.keys(command.change)) yield `changed ${param}`
    if (event.type === 'ReserveMoved') {
      yield `reserve from ${reserveOf(state, event.from)}`
      yield `reserve to ${reserveOf(state, event.to)}`
    }
    if (event.type === 'InsurancePaid' && event.fund > 0 && isPaidOut(state))
      yield 'fund of the day paid out'
    if (event.type === 'MarketSettled' && isOffGrid(state, event)) yield 'settled off the grid'
    if (event.type === 'OrderCancelled' && event.reason === 'margin' && closers.has(event.account))
      yield 'swept'
    if (command.type === 'RevokeAgent') {
      if (event.type === 'OrderCancelled') yield 'a stop that went with its key'
      if (event.type === 'AlgoEnded') yield 'a TWAP that went with its key'
    }
    // No event marks a turn between an order and its trades or its end.
    if (event.type === 'OrderPlaced') matches = true
    else if (event.type === 'OrderRested' || event.type === 'BatchActionStarted') matches = false
    if (event.type === 'OrderCancelled' && event.reason === 'mmp' && matches)
      yield 'a tripped quote met'
    yield* forcedCircumstances(event)
    yield* inItsMarket(event, state)
  }
  yield* left(state)
  yield* levelCircumstances(command, events, state)
}

function* inItsMarket(event: Event, state: State): Generator<string> {
  const market = 'market' in event ? state.markets[event.market] : undefined
  if (market === undefined) return
  const into = intoOf(event)
  if (into !== undefined) yield into
  for (const word of statesOf(state, market)) {
    yield `in ${word}: ${event.type}`
    if (into !== undefined) yield `in ${word}: ${into}`
  }
}

/** An order that was refused when its wait was over, or a slice. */
function intoOf(event: Event): string | undefined {
  if (event.type === 'OrderCancelled' && event.reason === 'refused')
    return `released into ${nameOfCode.get(event.rejection)}`
  if (event.type === 'AlgoStepped' && event.rejection !== 0)
    return `sliced into ${nameOfCode.get(event.rejection)}`
  return undefined
}

function statesOf(state: State, market: Market): string[] {
  const mode = modeOf(state, market)
  return [
    ...(market.health === STALE ? ['stale'] : []),
    ...(market.catchingUp ? ['catching_up'] : []),
    ...(isLeftBehind(market) ? ['left_behind'] : []),
    ...(mode === 0 ? [] : [modes[mode]!]),
  ]
}

function isLeftBehind({ longGap, shortGap }: Market): boolean {
  return longGap.ticks > 0 || shortGap.ticks > 0
}

type Refused = Extract<Event, { type: 'CommandRejected' }>

function* ofRefusal(
  action: Command | BatchAction,
  refused: Refused,
  state: State,
): Generator<string> {
  const { rejection, first, second } = refused
  const market = 'market' in action ? state.markets[action.market ?? 0] : undefined
  for (const word of market === undefined ? [] : statesOf(state, market)) {
    yield `in ${word}: refused ${rejection}`
    yield `in ${word}: ${action.type} refused ${rejection}`
  }
  if (rejection === 'INVALID_PRICE' && first > 0) yield 'a price outside the grid'
  if (rejection === 'AGENT_LIMIT') yield `rule ${first} of a policy`
  if (rejection === 'AGENT_NOT_ALLOWED' && first === 6) yield 'a key that has expired'
  if (rejection === 'AGENT_NOT_ALLOWED' && first === 7) yield 'a key whose policy does not allow it'
  if (rejection === 'OPEN_ORDER_LIMIT_REACHED' && second === firstRules.limits.stopsPerAccount)
    yield 'stops at their limit'
  if (rejection === 'POSITION_LIMIT_EXCEEDED' && market !== undefined)
    yield second === market.params.ownerInterestMax
      ? 'limit of a market for owners met'
      : 'limit of an owner met'
  if (rejection === 'INVALID_PARAMETER' && action.type === 'ChangeMarket' && first > 0)
    yield 'a wider grid refused for an account'
  if (rejection === 'INVALID_PARAMETER' && action.type === 'CancelMarketChange')
    yield 'a change that overrides another not cancelled'
  if (rejection === 'OVER_WITHDRAWAL') {
    const known = state.markets.filter((each) => each !== undefined)
    if (known.some(({ health }) => health !== LIVE))
      yield 'withdrawal refused while a market is not live'
    if (known.some(({ catchingUp }) => catchingUp))
      yield 'withdrawal refused while a market catches up'
  }
}

type Trade = Extract<Event, { type: 'Traded' }>

/** Accounts that closed something by it join `closers`: their orders may be swept. */
function* ofTrade(trade: Trade, state: State, closers: Set<number>): Generator<string> {
  if (trade.cause === 'normal' && trade.takerClosed > 0) closers.add(trade.taker)
  if (trade.makerClosed > 0) closers.add(trade.maker)
  const { lotValue, params } = state.markets[trade.market]!
  const value = Math.abs(trade.takerLots) * lotValue
  const tier = params.riskTiers.filter(({ fromValue }) => value > fromValue).length
  if (tier > 0) yield `traded in tier ${tier}`
}

function reserveOf({ accounts }: State, account: number): (typeof reserves)[number] {
  if (account === 1) return 'fees'
  if (account === 2) return 'insurance'
  return accounts.reserved[account] === 1 ? 'backstop' : 'trader'
}

type Settled = Extract<Event, { type: 'MarketSettled' }>

function isOffGrid(state: State, { market, price }: Settled): boolean {
  const { tickMin, tickMax } = state.markets[market]!.params
  return price < tickMin || price > tickMax
}

function isPaidOut(state: State): boolean {
  const { max, paid } = fundTodayOf(state)
  return paid >= max
}

/** What one command could not do all of; releases only by the bound of a real exchange. */
function* left(state: State): Generator<string> {
  const { takeoverQueue, liquidationQueue, sweepQueue } = state
  const release = state.rules === firstRules ? state.releases.first() : undefined
  if (release !== undefined && release.at <= state.atMs) yield 'left over: releases'
  const step = state.steps.first()
  if (step !== undefined && step.at < state.atMs) yield 'left over: steps'
  const expiry = state.expiries.first()
  if (expiry !== undefined && expiry.at <= state.atMs) yield 'left over: expiries'
  if (state.triggerQueue.size > 0) yield 'left over: triggers'
  if (takeoverQueue.size + liquidationQueue.size + sweepQueue.size > 0) yield 'left over: risk'
  if (state.deleverageQueue.size > 0) yield 'left over: deleveragings'
  if (state.openPools > 0) yield 'left over: funding'
}
