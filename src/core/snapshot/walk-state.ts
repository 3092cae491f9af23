// Writes or reads the whole state in one order. Derived data is not written: book levels, indexes,
// sums, counters of orders, the due queue.

import { broken } from '../../units/invariant.ts'
import type { Ppm } from '../../units/units.ts'
import type { FeeTier } from '../commands/commands.ts'
import { NO_END, WAITING } from '../pools/order-pool.ts'
import { DUE_CHANGE, DUE_RELEASE, DUE_SCHEDULE, DUE_STEP } from '../queues/due-queue.ts'
import { rulesOf } from '../rules/versions.ts'
import { indexAccount } from '../solvency/update-index.ts'
import type { KeptBatch, State } from '../state/state.ts'
import { TriggerHeap } from '../state/trigger-heap.ts'
import { flag, list, optionalNumber, optionalText, type Stream, walkIds } from './stream.ts'
import { walkAccounts, walkPositions } from './walk-accounts.ts'
import { walkAction } from './walk-action.ts'
import { hasResting, walkResting, walkTwaps } from './walk-algos.ts'
import {
  hasApprovals,
  hasBrake,
  hasBrakeFund,
  walkApprovals,
  walkBrake,
  walkBrakeFund,
} from './walk-approvals.ts'
import { walkMarkets, walkReopened, wasReopened } from './walk-markets.ts'
import { walkExpiries, walkLegs, walkOrders, walkTriggers } from './walk-orders.ts'
import {
  setByAgents,
  setByGoneKeys,
  walkAgents,
  walkLastSlippage,
  walkPolicies,
} from './walk-policies.ts'
import { deriveProtected, walkProtections } from './walk-protections.ts'

/** Must change when the meaning of the bytes changes. */
export const snapshotVersion = 5

export function walkState(stream: Stream, state: State): void {
  if (!stream.tradingOnly) {
    state.seq = stream.number(state.seq)
    state.atMs = stream.number(state.atMs)
    state.day = stream.number(state.day)
    state.stampMs = stream.number(state.stampMs)
  }
  state.rulesVersion = stream.number(state.rulesVersion)
  if (stream.reading) state.rules = rulesOf(state.rulesVersion)
  state.mode = stream.number(state.mode)
  state.clockFrozen = flag(stream, state.clockFrozen)
  state.pricesMayStand = flag(stream, state.pricesMayStand)
  state.nextOrderId = stream.number(state.nextOrderId)
  state.nextHistoryId = stream.number(state.nextHistoryId)
  state.nextWithdrawalId = stream.number(state.nextWithdrawalId)
  state.deposits = stream.number(state.deposits)
  state.withdrawn = stream.number(state.withdrawn)
  state.feeTiers = walkFeeTiers(stream, state.feeTiers)
  state.insuranceSharePpm = stream.number(state.insuranceSharePpm)
  state.feesShared = stream.number(state.feesShared)
  state.feesHour = stream.number(state.feesHour)
  state.fundDailyMax = stream.number(state.fundDailyMax)
  state.fundDay = stream.number(state.fundDay)
  state.fundDayStart = stream.number(state.fundDayStart)
  state.fundDayPaid = stream.number(state.fundDayPaid)
  state.approvalAbove = orNone(stream, state.approvalAbove)
  state.payableDailyMax = orNone(stream, state.payableDailyMax)
  state.payableDay = stream.number(state.payableDay)
  state.payableToday = stream.number(state.payableToday)
  list(stream, [...state.references], (entry) => {
    const reference = stream.text(entry?.[0] ?? '')
    const account = stream.number(entry?.[1].account ?? 0)
    const amount = stream.number(entry?.[1].amount ?? 0)
    if (stream.reading) state.references.set(reference, { account, amount })
  })
  if (!stream.tradingOnly) walkNotes(stream, state)
  walkMarkets(stream, state)
  walkAccounts(stream, state)
  walkPositions(stream, state)
  walkWithdrawals(stream, state)
  walkOrders(stream, state)
  walkTriggers(stream, state)
  walkTwaps(stream, state)
  walkDeferred(stream, state)
  const reached = new TriggerHeap()
  list(stream, state.triggerQueue.all(), (trigger) => {
    const id = stream.number(trigger?.id ?? 0)
    if (stream.reading) reached.append(reached.size, id, state.triggers.get(id)!)
  })
  if (stream.reading) state.triggerQueue.add(reached)
  const { liquidationQueue, takeoverQueue, deleverageQueue, sweepQueue } = state
  for (const queue of [liquidationQueue, takeoverQueue, deleverageQueue, sweepQueue])
    list(stream, queue.all(), (element) => {
      const value = stream.number(element ?? 0)
      if (stream.reading) queue.add(value)
    })
  walkSections(stream, state)
  if (stream.reading) derive(state)
}

// Numbers of the sections.
const EXPIRIES = 1
const REOPENED = 2
const AGENTS = 3
const POLICIES = 4
const PROTECTIONS = 5
const ALGOS = 6
const LEGS = 7
const LAST_SLIPPAGE = 8
const GOING_ON = 9
const LEFT_RELEASES = 10
const APPROVALS = 11
const BRAKE = 12
const BRAKE_FUND = 13

/** Optional parts, each written under its number and only if it is not empty, so that an exchange
 *  without it keeps its old bytes. */
function walkSections(stream: Stream, state: State): void {
  const present: number[] = []
  // Before the sections that look up an algo.
  if (hasResting(state)) present.push(ALGOS)
  if (state.expiries.size > 0) present.push(EXPIRIES)
  if (state.markets.some(wasReopened)) present.push(REOPENED)
  if (setByAgents(state).length > 0) present.push(AGENTS)
  if (state.accounts.limitedKeys > 0) present.push(POLICIES)
  if (state.protections.size > 0) present.push(PROTECTIONS)
  if (state.oco.size > 0) present.push(LEGS)
  if (setByGoneKeys(state).length > 0) present.push(LAST_SLIPPAGE)
  if (state.goingOn.size > 0) present.push(GOING_ON)
  if (state.leftReleases.size > 0) present.push(LEFT_RELEASES)
  if (hasApprovals(state)) present.push(APPROVALS)
  if (hasBrake(state)) present.push(BRAKE)
  if (hasBrakeFund(state)) present.push(BRAKE_FUND)
  for (let at = 0; stream.hasMore(at < present.length); at++) {
    const section = stream.number(present[at] ?? 0)
    if (section === ALGOS) walkResting(stream, state)
    else if (section === EXPIRIES) walkExpiries(stream, state)
    else if (section === REOPENED) walkReopened(stream, state)
    else if (section === AGENTS) walkAgents(stream, state)
    else if (section === POLICIES) walkPolicies(stream, state)
    else if (section === PROTECTIONS) walkProtections(stream, state)
    else if (section === LEGS) walkLegs(stream, state)
    else if (section === LAST_SLIPPAGE) walkLastSlippage(stream, state)
    else if (section === GOING_ON) walkGoingOn(stream, state)
    else if (section === LEFT_RELEASES) walkLeftReleases(stream, state)
    else if (section === APPROVALS) walkApprovals(stream, state)
    else if (section === BRAKE) walkBrake(stream, state)
    else if (section === BRAKE_FUND) walkBrakeFund(stream, state)
    else broken('a snapshot has an unknown section', section)
  }
}

/** A number of 0 or more; −1 stands for `null`. */
function orNone(stream: Stream, value: number | null): number | null {
  const written = stream.number(value ?? -1)
  return written === -1 ? null : written
}

function walkNotes(stream: Stream, state: State): void {
  const byName = [...state.notes].sort(([one], [other]) => (one < other ? -1 : 1))
  list(stream, byName, (note) => {
    const name = stream.text(note?.[0] ?? '')
    const text = stream.text(note?.[1] ?? '')
    if (stream.reading) state.notes.set(name, text)
  })
}

function walkFeeTiers(stream: Stream, tiers: readonly FeeTier[]): readonly FeeTier[] {
  const walked: FeeTier[] = []
  list(stream, tiers, (tier) =>
    walked.push({
      volumeDollars: stream.number(tier?.volumeDollars ?? 0),
      makerPpm: stream.number(tier?.makerPpm ?? 0) as Ppm,
      takerPpm: stream.number(tier?.takerPpm ?? 0) as Ppm,
    }),
  )
  return walked
}

function walkWithdrawals(stream: Stream, state: State): void {
  list(stream, [...state.withdrawals], (entry) => {
    const id = stream.number(entry?.[0] ?? 0)
    const account = stream.number(entry?.[1].account ?? 0)
    const amount = stream.number(entry?.[1].amount ?? 0)
    const at = stream.number(entry?.[1].at ?? 0)
    const needed = stream.number(entry?.[1].needed ?? 0)
    const approvers: string[] = []
    list(stream, entry?.[1].approvers ?? [], (name) => approvers.push(stream.text(name ?? '')))
    // Withdrawals held by the brake are written in its section.
    const found = { account, amount, at, needed, held: false, approvers }
    if (stream.reading) state.withdrawals.set(id, found)
  })
}

function walkDeferred(stream: Stream, state: State): void {
  const byId = [...state.deferred].sort((one, other) => one[0] - other[0])
  list(stream, byId, (entry) => {
    const id = stream.number(entry?.[0] ?? 0)
    const known = entry?.[1]
    const bumpEnd = stream.number(known?.batch.bumpEnd ?? 0)
    const dueAt = optionalNumber(stream, known?.dueAt ?? null)
    const orders = walkIds(stream, [...(known?.batch.orders ?? [])])
    const action = walkAction(stream, known?.action)
    if (!stream.reading) return
    const batch = state.keptBatches.get(orders[0] ?? 0) ?? newBatch(state, bumpEnd, orders)
    batch.actions.push(id)
    state.deferred.set(id, { action, batch, dueAt })
  })
}

/** A batch is created with the first of its actions. Once the actions are due, each is
 *  independent. */
function newBatch(state: State, bumpEnd: number, orders: readonly number[]): KeptBatch {
  const batch = { bumpEnd, orders: new Set(orders), actions: [] }
  for (const order of orders) state.keptBatches.set(order, batch)
  return batch
}

/** Orders that a tick released but a command limit left over (ORDER-3). */
function walkLeftReleases(stream: Stream, state: State): void {
  const byId = [...state.leftReleases].sort(([a], [b]) => a - b)
  list(stream, byId, (entry) => {
    const id = stream.number(entry?.[0] ?? 0)
    const at = stream.number(entry?.[1] ?? 0)
    if (stream.reading) state.leftReleases.set(id, at)
  })
}

/** Orders of fired stops that are still executing (TRIG-3). */
function walkGoingOn(stream: Stream, state: State): void {
  list(stream, state.goingOn.all(), (entry) => {
    const id = stream.number(entry?.[0] ?? 0)
    const agent = optionalText(stream, entry?.[1].agent ?? null)
    const lastSlippagePpm = optionalNumber(stream, entry?.[1].lastSlippagePpm ?? null)
    if (!stream.reading) return
    const row = state.orders.position(state.orders.slotOf(id))
    state.goingOn.add(id, { row, agent, lastSlippagePpm })
  })
}

/** Derives all data that is not written. */
function derive(state: State): void {
  const { accounts, orders, positions } = state
  for (let row = 1; row <= positions.count; row++) {
    const market = state.markets[positions.market[row]!]!
    market.openInterest += Math.max(0, positions.lots[row]!)
  }
  for (let slot = 1; slot <= orders.used; slot++)
    if (orders.stage(slot) === WAITING && orders.stageAt(slot) !== NO_END)
      state.releases.push({ at: orders.stageAt(slot), kind: DUE_RELEASE, id: orders.id(slot) })
  for (const [id, at] of state.leftReleases) state.releases.push({ at, kind: DUE_RELEASE, id })
  for (const [id, { dueAt }] of state.deferred)
    if (dueAt !== null) state.releases.push({ at: dueAt, kind: DUE_RELEASE, id })
  for (const { id, dueAt } of state.algos.values())
    if (dueAt !== 0) state.steps.push({ at: dueAt, kind: DUE_STEP, id })
  for (const market of state.markets)
    for (const { at } of market?.changes ?? [])
      state.due.push({ at, kind: DUE_CHANGE, id: market!.id })
  for (let account = 1; account <= accounts.count; account++) {
    const at = accounts.scheduleAt[account]!
    if (at !== 0) state.due.push({ at, kind: DUE_SCHEDULE, id: account })
    if (accounts.reserved[account] === 0) indexAccount(state, account)
  }
  deriveProtected(state)
  unwatchQueued(state)
  state.nextDueAt = state.atMs
}

/** Removes queued triggers from their heaps. */
function unwatchQueued(state: State): void {
  if (state.triggerQueue.size === 0) return
  for (const market of state.markets)
    for (const heap of market?.triggers.heaps() ?? []) heap.keepOnly(({ wave }) => wave === 0)
}
