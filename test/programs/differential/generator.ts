// Draws the history of a world: first what makes it (markets, money, settings), then commands in
// proportion to the weights of its profile. It sees events only, through the picture.

import type { Command, CommandType } from '../../../src/core/commands/commands.ts'
import type { Event } from '../../../src/core/events/event-fields.ts'
import { limits } from '../../../src/core/rules/limits.ts'
import { type Crisis, crisisWeights, drawCrisis } from './contrived/crises.ts'
import { fillBook, fillStops, fillTexts } from './contrived/reach-limits.ts'
import { accountMakers } from './make-accounts.ts'
import * as connections from './make-connections.ts'
import * as trading from './make-trading.ts'
import { changeImpact, refill, resume, settleSome, venueMakers } from './make-venue.ts'
import { freshName, type Made, type Maker, type Making, unsignedAgent } from './making.ts'
import { observed } from './markets/observations.ts'
import { oracleTick } from './markets/oracle-ticks.ts'
import { Picture } from './picture.ts'
import { Random } from './random.ts'
import { malformed } from './spoil.ts'
import { advance } from './time-steps.ts'
import { asAlgo, asChase, asIceberg } from './trading/make-algos.ts'
import { batch } from './trading/make-batch.ts'
import { orFrozen, resetMmp, setMmp } from './trading/make-mmp.ts'
import { orOco } from './trading/make-oco.ts'
import { listingOf, reservedAddresses, type World, worldOf } from './world.ts'

const makers: Readonly<Record<CommandType, Maker>> = {
  PlaceOrder: (making) => orFrozen(making, asAlgo(making, trading.placeOrder(making))),
  PlaceMarketOrder: (making) => trading.placeMarketOrder(making),
  PlaceStop: (making) => orOco(making, trading.placeStop(making)),
  SetPositionTpsl: (making) => trading.setPositionTpsl(making),
  EditOrder: (making) => trading.editOrder(making),
  CancelOrder: (making) => trading.cancelOrder(making),
  CancelStop: (making) => trading.cancelStop(making),
  CancelAllOrders: (making) => trading.cancelAllOrders(making),
  Batch: batch,
  ScheduleCancel: connections.scheduleCancel,
  ArmConnection: connections.armConnection,
  DisarmConnection: connections.ofConnection('DisarmConnection'),
  EndConnection: connections.ofConnection('EndConnection'),
  PlaceTwap: trading.placeTwap,
  CancelTwap: trading.cancelTwap,
  PlaceIceberg: (making) => asIceberg(making, trading.placeOrder(making)),
  PlaceChase: (making) => asChase(making, trading.placeOrder(making)),
  PlaceOco: (making) => trading.placeStop(making),
  SetMmp: setMmp,
  ResetMmp: resetMmp,
  ...accountMakers,
  ...venueMakers,
}

const weights: Readonly<Record<CommandType, number>> = {
  PlaceOrder: 30,
  PlaceMarketOrder: 7,
  PlaceStop: 3.5,
  SetPositionTpsl: 3.5,
  EditOrder: 4.5,
  CancelOrder: 4,
  CancelStop: 1.2,
  CancelAllOrders: 0.6,
  Batch: 4,
  ScheduleCancel: 0.6,
  ArmConnection: 1.6,
  DisarmConnection: 0.2,
  EndConnection: 0.9,
  PlaceTwap: 3,
  CancelTwap: 0.4,
  PlaceIceberg: 0,
  PlaceChase: 0,
  PlaceOco: 0,
  SetMmp: 1.5,
  ResetMmp: 0.6,
  Deposit: 0.8,
  CreditDeposit: 0.4,
  ApproveCredit: 0.35,
  DropCredit: 0.05,
  Withdraw: 1.2,
  ApproveWithdrawal: 0.9,
  CompleteWithdrawal: 0.3,
  FailWithdrawal: 0.3,
  CreateSubaccount: 0.3,
  Transfer: 0.9,
  SetLeverage: 1.2,
  SetMarginMode: 1,
  MoveIsolatedMargin: 1.4,
  BindAgent: 0.7,
  SetAgentPolicy: 0,
  RevokeAgent: 0.2,
  RevokeAllAgents: 0.05,
  UnbindAgent: 0.05,
  AllowAgentIp: 0.35,
  DisallowAgentIp: 0.15,
  SetAgentIpFilter: 0.8,
  CreateApiKey: 0.4,
  RevokeApiKey: 0.2,
  SetApiKeyCredits: 0.2,
  FreezeAccount: 0.12,
  ListMarket: 0.12,
  ChangeMarket: 1.1,
  CancelMarketChange: 0.4,
  SetMarketMode: 0.35,
  SettleMarket: 0.001,
  SetFeeTiers: 0.12,
  SetExchangeMode: 0.2,
  MoveReserve: 0.9,
  SetOwnerLimit: 0.2,
  SetInsuranceShare: 0.1,
  SetFundDailyMax: 0.15,
  SetWithdrawalLimits: 0.4,
  SetWithdrawalBrake: 0.1,
  Breach: 0.1,
  SetRulesVersion: 0.08,
  SetClockFrozen: 0.1,
  EngineStarted: 0.06,
  KeepNote: 0.06,
  TellPast: 0.03,
  OracleTick: 14,
  Tick: 2,
}

/** `stampMs` of a signed command (CORE-6); not always larger than the one before. */
export type Step = Readonly<{ atMs: number; stampMs?: number; command: Command }>

const stampNoiseMs = 6_001

/** Near engine time. Not drawn, so that a seed gives the same commands with stamps as without. */
function stampOf({ atMs, index }: Making, command: Command): number {
  if (!('proof' in command) && command.type !== 'Batch') return 0
  return Math.max(0, atMs + ((index * 7_919) % stampNoiseMs) - (stampNoiseMs - 1) / 2)
}

/** How often some commands and crises are drawn, in place of what is usual. */
export type Changed = Readonly<{
  commands?: Partial<Readonly<Record<CommandType, number>>>
  crises?: Partial<Readonly<Record<Crisis, number>>>
}>

export class Generator {
  readonly world: World
  private readonly making: Making
  private readonly opening: Maker[]
  private readonly weights: Readonly<Record<CommandType, number>>
  private readonly crises: Readonly<Record<Crisis, number>>

  constructor(seed: number, commands: number, changed: Changed = {}) {
    this.weights = { ...weights, ...changed.commands }
    this.crises = { ...crisisWeights, ...changed.crises }
    const random = new Random(seed)
    this.world = worldOf(seed, commands, random)
    const picture = new Picture(reservedAddresses)
    picture.atMs = this.world.startMs
    const atMs = this.world.startMs
    const drawn = { usedTexts: [], listed: [], planned: [] }
    this.making = { world: this.world, picture, random, atMs, index: 0, fresh: 0, ...drawn }
    this.opening = openingOf(this.world, random).reverse()
  }

  /** The next command with its time. */
  next(): Step {
    const { making } = this
    const made = this.opening.pop()?.(making) ?? making.planned.shift()?.(making) ?? this.draw()
    making.index += 1
    const command = observed(making, made) as unknown as Command
    making.picture.expect(command, making.atMs)
    return { atMs: making.atMs, stampMs: stampOf(making, command), command }
  }

  /** What came of it. */
  learn(events: readonly Event[]): void {
    this.making.picture.fold(events, this.making.atMs)
  }

  private draw(): Made {
    const { making, world } = this
    const { random } = making
    const tick = advance(making)
    if (tick !== undefined) return tick
    const resumed = resume(making)
    if (resumed !== undefined) return resumed
    const crisis = drawCrisis(making, this.crises)
    if (crisis !== undefined) return crisis
    if (world.profile === 'texts' && random.chance(0.4)) return fillTexts(making)
    if (world.profile === 'crowded' && random.chance(0.3)) {
      return random.chance(0.6) ? fillStops(making) : fillBook(making)
    }
    const deep = world.profile === 'funding' && random.chance(0.03)
    const impact = deep ? changeImpact(making) : undefined
    if (impact !== undefined) return impact
    const quoted = random.chance(0.12) ? trading.quote(making) : undefined
    if (quoted !== undefined) return quoted
    const refilled = random.chance(0.01) ? refill(making) : undefined
    if (refilled !== undefined) return refilled
    // Settling ends a market for good: only the last tenth of a world does it.
    const ending = making.index > world.commands * 0.9
    const settles = world.profile === 'crash' ? 80 : 45
    if (ending && random.chance(settles / world.commands)) return settleSome(making)
    const made = makers[random.weighted(this.weights)](making)
    return random.chance(0.03) ? malformed(made, random) : made
  }
}

/** Markets, money, subaccounts and settings, in the order a venue would come to be. */
function openingOf(world: World, random: Random): Maker[] {
  const opening: Maker[] = []
  for (let i = 1; i <= world.marketCount; i++) {
    opening.push((making) => {
      const { params, oracle } = listingOf(world, i, making.random)
      making.listed.push(params.symbol)
      making.picture.expectListing(params, oracle)
      return { type: 'ListMarket', params, oracle }
    })
  }
  const pay = (address: string, amount: number): Maker => {
    return (making) => {
      const reference = freshName(making, 'reference')
      return { type: 'Deposit', address, amount: Math.ceil(amount), reference }
    }
  }
  if (world.insurance >= 1) opening.push(pay('insurance', world.insurance))
  for (let i = 0; i < world.traderCount; i++) {
    const rich = i === 0 && (world.profile === 'texts' || world.profile === 'crowded') ? 60 : 1
    opening.push(pay(`trader-${i}`, world.wealth * rich * (0.2 + random.next() * 1.5)))
  }
  for (let i = 0; i < world.traderCount; i++) {
    if (random.chance(0.3)) opening.push(...familyOf(i))
    if (random.chance(world.profile === 'isolated' ? 0.8 : 0.25)) {
      opening.push(accountMakers.SetMarginMode)
    }
    if (random.chance(0.3)) opening.push(accountMakers.SetLeverage)
    if (random.chance(0.3)) opening.push(accountMakers.BindAgent)
    if (world.traderCount > limits.bindingsPerAgent) opening.push(bindCrowded(i))
  }
  opening.push((making) => oracleTick(making))
  return opening
}

/** A key that many bind and that never signs, so that no binding is confirmed. */
function bindCrowded(trader: number): Maker {
  return ({ picture }) => {
    const account = picture.traders.find(({ address }) => address === `trader-${trader}`)?.id ?? 0
    return { type: 'BindAgent', account, proof: null, agent: unsignedAgent, scopes: ['trade'] }
  }
}

/** A subaccount of a trader, with part of its money. */
function familyOf(trader: number): Maker[] {
  const mainOf = ({ picture }: Making) =>
    picture.traders.find(({ address }) => address === `trader-${trader}`)
  const address = `sub-of-${trader}`
  return [
    (making) => {
      const account = mainOf(making)?.id ?? 0
      return { type: 'CreateSubaccount', account, proof: null, address }
    },
    (making) => {
      const main = mainOf(making)
      const to = making.picture.traders.find((account) => account.address === address)?.id ?? 0
      const amount = Math.ceil((main?.money ?? 1) * 0.4)
      return { type: 'Transfer', account: main?.id ?? 0, proof: null, to, amount }
    },
  ]
}
