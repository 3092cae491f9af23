// Writes and reads data about approvals: held credits, amounts that operators approved alone today,
// and the withdrawal brake (ACCT-8, ACCT-10, ACCT-11). Position rows are renumbered when a snapshot
// is read, so they are written as account and market.

import { rowOf } from '../margin/position-row.ts'
import type { BrakeSetting } from '../state/brake-memory.ts'
import type { State, WaitingCredit } from '../state/state.ts'
import { flag, list, optionalNumber, type Stream } from './stream.ts'

export const hasApprovals = ({ creditApprovalAbove, nextCreditId, aloneToday }: State): boolean =>
  creditApprovalAbove !== null || nextCreditId > 1 || !aloneToday.isEmpty

export function walkApprovals(stream: Stream, state: State): void {
  state.creditApprovalAbove = optionalNumber(stream, state.creditApprovalAbove)
  state.nextCreditId = stream.number(state.nextCreditId)
  list(stream, [...state.credits], (entry) => {
    const id = stream.number(entry?.[0] ?? 0)
    const credit = walkCredit(stream, entry?.[1])
    if (stream.reading) state.credits.set(id, credit)
  })
  const { aloneToday } = state
  aloneToday.day = stream.number(aloneToday.day)
  walkSums(stream, aloneToday.approved, (name) => stream.text(name ?? ''))
  walkSums(stream, aloneToday.credited, (name) => stream.text(name ?? ''))
  walkSums(stream, aloneToday.owners, (owner) => stream.number(owner ?? 0))
}

function walkCredit(stream: Stream, known: WaitingCredit | undefined): WaitingCredit {
  return {
    source: stream.number(known?.source ?? 0),
    withdrawal: stream.number(known?.withdrawal ?? 0),
    address: stream.text(known?.address ?? ''),
    amount: stream.number(known?.amount ?? 0) as WaitingCredit['amount'],
    reference: stream.text(known?.reference ?? ''),
    by: stream.text(known?.by ?? ''),
    at: stream.number(known?.at ?? 0),
  }
}

/** Written by rising key, so that equal sums give equal bytes. */
function walkSums<Key extends string | number>(
  stream: Stream,
  sums: Map<Key, number>,
  walkKey: (key: Key | undefined) => Key,
): void {
  const sorted = [...sums].sort(([a], [b]) => (a < b ? -1 : 1))
  list(stream, sorted, (entry) => {
    const key = walkKey(entry?.[0])
    const sum = stream.number(entry?.[1] ?? 0)
    if (stream.reading) sums.set(key, sum)
  })
}

const heldWithdrawals = ({ withdrawals }: State): number[] =>
  [...withdrawals].flatMap(([id, { held }]) => (held ? [id] : []))

export const hasBrake = (state: State): boolean =>
  state.brake.setting !== null || heldWithdrawals(state).length > 0

/** Must come after the withdrawals. */
export function walkBrake(stream: Stream, state: State): void {
  const { brake, withdrawals } = state
  list(stream, heldWithdrawals(state), (known) => {
    const id = stream.number(known ?? 0)
    if (stream.reading) withdrawals.set(id, { ...withdrawals.get(id)!, held: true })
  })
  if (!flag(stream, brake.setting !== null)) return
  brake.setting = walkSetting(stream, brake.setting)
  brake.minute = stream.number(brake.minute)
  brake.since = stream.number(brake.since)
  brake.pulledAt = stream.number(brake.pulledAt)
  brake.until = stream.number(brake.until)
  for (const profits of [brake.profits, brake.earlier]) walkProfits(stream, state, profits)
  brake.lost = stream.number(brake.lost)
  list(stream, brake.losses, (known) => {
    const loss = { at: stream.number(known?.at ?? 0), amount: stream.number(known?.amount ?? 0) }
    if (stream.reading) brake.losses.push(loss)
  })
  const walkId = (id: number | undefined) => stream.number(id ?? 0)
  walkSums(stream, brake.lastLosses, walkId)
  list(stream, [...brake.watched].sort(byKey), (entry) => {
    const market = walkId(entry?.[0])
    const watch = entry?.[1] ?? { until: 0, won: new Map<number, number>() }
    const until = stream.number(watch.until)
    walkSums(stream, watch.won, walkId)
    if (stream.reading) brake.watched.set(market, { ...watch, until })
  })
  list(stream, [...brake.held].sort(byKey), (entry) => {
    const owner = walkId(entry?.[0])
    const until = stream.number(entry?.[1].until ?? 0)
    const won = stream.number(entry?.[1].won ?? 0)
    if (stream.reading) brake.held.set(owner, { until, won })
  })
}

export const hasBrakeFund = ({ brake: { opened, openedBefore } }: State): boolean =>
  opened !== 0 || openedBefore !== 0

export function walkBrakeFund(stream: Stream, { brake }: State): void {
  brake.opened = stream.number(brake.opened)
  brake.openedBefore = stream.number(brake.openedBefore)
}

const byKey = ([a]: readonly [number, unknown], [b]: readonly [number, unknown]): number => a - b

function walkSetting(stream: Stream, known: BrakeSetting | null): BrakeSetting {
  return {
    fundPpm: stream.number(known?.fundPpm ?? 0),
    profitAbove: stream.number(known?.profitAbove ?? 0),
    holdMs: stream.number(known?.holdMs ?? 0),
  }
}

function walkProfits(stream: Stream, state: State, profits: Map<number, number>): void {
  const { positions } = state
  const byPlace = [...profits].sort(
    ([a], [b]) =>
      positions.account[a]! - positions.account[b]! || positions.market[a]! - positions.market[b]!,
  )
  list(stream, byPlace, (entry) => {
    const [row, sum] = entry ?? [0, 0]
    const account = stream.number(positions.account[row] ?? 0)
    const market = stream.number(positions.market[row] ?? 0)
    const gained = stream.number(sum)
    if (stream.reading) profits.set(rowOf(state, state.markets[market]!, account), gained)
  })
}
