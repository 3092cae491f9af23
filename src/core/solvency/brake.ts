// The withdrawal brake (ACCT-11). When the insurance fund pays a large amount within a minute,
// withdrawals of owners who won in the affected markets need an approval for some time. The brake
// stores two minutes of profit by position row and a minute of losses, and nothing while it is off.

import { mulPpmFloor } from '../../units/rounding.ts'
import { PPM } from '../../units/units.ts'
import type { CommandOf } from '../commands/commands.ts'
import { type Rejection, refuse } from '../commands/rejections.ts'
import type { EventLog } from '../events/event-log.ts'
import { INSURANCE } from '../pools/account-pool.ts'
import { limits } from '../rules/limits.ts'
import { minuteMs, type Watch } from '../state/brake-memory.ts'
import { dayMs, type State } from '../state/state.ts'

/** Whether a withdrawal requested now needs an approval because of the brake. */
export function isHeld({ brake, accounts, atMs }: State, account: number): boolean {
  return brake.isHeld(atMs, accounts.main[account]!)
}

/** Records the profit of a partial close in this row. */
export function noteProfit(state: State, row: number, gained: number): void {
  const { brake, positions, accounts, atMs } = state
  const account = positions.account[row]!
  brake.reach(atMs)
  brake.profits.set(row, (brake.profits.get(row) ?? 0) + gained)
  const watch = brake.watched.get(positions.market[row]!)
  if (watch === undefined || atMs > watch.until || accounts.reserved[account] === 1) return
  const owner = accounts.main[account]!
  count(watch, owner, gained)
  if (gained > 0) holdWinner(state, owner)
}

function count({ won }: Watch, owner: number, gained: number): void {
  won.set(owner, (won.get(owner) ?? 0) + gained)
}

/** Called when profit of this owner has been counted. */
function holdWinner({ brake, atMs }: State, owner: number): void {
  const { profitAbove, holdMs } = brake.setting!
  const won = brake.wonBy(atMs, owner)
  if (won <= profitAbove) return
  const until = atMs + holdMs
  brake.held.set(owner, { until, won })
  brake.until = until
}

/** The amount that a loss is compared with: money that has been in the fund since the start of the
 *  previous day. */
function startOf({ brake, accounts, fundDay, fundDayPaid, day }: State): number {
  const paid = fundDay === day ? fundDayPaid : 0
  return Math.min(brake.openedBefore, brake.opened, accounts.balance[INSURANCE]! + paid)
}

/** Records a loss: a payment by the insurance fund for this account, or a booked deficit. May
 *  trigger the brake. */
export function noteLoss(
  state: State,
  log: EventLog,
  loss: Readonly<{ account: number; market: number; amount: number }>,
): void {
  const { brake, atMs, rules } = state
  if (brake.setting === null) return
  brake.reach(atMs)
  brake.lose(atMs, loss.amount)
  for (const market of marketsOf(state, loss)) brake.lastLosses.set(market, atMs)
  const start = startOf(state)
  const part = mulPpmFloor(start, brake.setting.fundPpm)
  if (brake.lost > Math.max(part, rules.limits.brakeLossMin)) pull(state, log, start)
}

/** The markets in which the account lost the money that the fund pays. Small losses are excluded.
 *  Otherwise a bankrupt account with a small position in each market would cause all winners to be
 *  held. */
function marketsOf(
  state: State,
  { account, market }: Readonly<{ account: number; market: number }>,
): readonly number[] {
  if (market !== 0) return [market]
  const results = resultsOf(state, account)
  const most = Math.min(...results.values())
  const least = -state.brake.setting!.profitAbove
  const found: number[] = []
  for (const [id, result] of results)
    if (most < least ? result < least : result === most) found.push(id)
  return found
}

/** By market: profit of the last two minutes, plus unrealised profit of open cross positions at
 *  mark. */
function resultsOf(
  { brake, accounts, positions, markets }: State,
  account: number,
): ReadonlyMap<number, number> {
  const results = new Map<number, number>()
  for (let row = accounts.rows[account]!; row !== 0; row = positions.nextOfAccount[row]!) {
    const market = positions.market[row]!
    const lots = positions.lots[row]!
    const isOpen = lots !== 0 && positions.isolated[row] === 0
    const closed = brake.profits.get(row)
    const earlier = brake.earlier.get(row)
    if (!isOpen && closed === undefined && earlier === undefined) continue
    const open = isOpen ? lots * markets[market]!.lotValue - positions.cost[row]! : 0
    results.set(market, (closed ?? 0) + (earlier ?? 0) + open)
  }
  return results
}

function pull(state: State, log: EventLog, start: number): void {
  const { brake, atMs } = state
  const { lost } = brake
  if (atMs >= brake.until) brake.since = atMs
  brake.forgetMarkets(atMs)
  const fresh = new Map<number, Watch>()
  for (const [market, at] of brake.lastLosses) {
    if (at <= atMs - minuteMs) continue
    const watch = brake.watched.get(market) ?? { until: 0, won: new Map<number, number>() }
    watch.until = at + brake.setting!.holdMs
    if (!brake.watched.has(market)) fresh.set(market, watch)
  }
  // At most once per instant and market, not for each of a thousand liquidations.
  if (fresh.size === 0 && brake.pulledAt === atMs) return
  brake.pulledAt = atMs
  brake.forgetOwners(atMs)
  const until = atMs + brake.setting!.holdMs
  brake.until = until
  countSoFar(state, fresh)
  log.write({ type: 'WithdrawalBrakePulled', lost, start, until, owners: brake.held.size })
}

/** Counts what owners won in these markets before they were watched. All sums are completed before
 *  any is compared, so that an owner is not held for only a part of its profit and loss of the same
 *  instant. */
function countSoFar(state: State, fresh: ReadonlyMap<number, Watch>): void {
  const { brake, positions, accounts } = state
  const sums = new Map<number, number>()
  for (const profits of [brake.earlier, brake.profits])
    for (const [row, gained] of profits) {
      const account = positions.account[row]!
      const watch = fresh.get(positions.market[row]!)
      if (watch === undefined || accounts.reserved[account] === 1) continue
      const owner = accounts.main[account]!
      count(watch, owner, gained)
      sums.set(owner, (sums.get(owner) ?? 0) + gained)
    }
  for (const [market, watch] of fresh) brake.watched.set(market, watch)
  for (const [owner, gained] of sums) if (gained > 0) holdWinner(state, owner)
}

export function setWithdrawalBrake(
  state: State,
  log: EventLog,
  { fundPpm, profitAbove, holdMs }: CommandOf<'SetWithdrawalBrake'>,
): Rejection | null {
  const refusal =
    (fundPpm === null ? null : outside(fundPpm, 0, PPM)) ??
    outside(profitAbove, 0, limits.moneyMax) ??
    outside(holdMs, minuteMs, dayMs)
  if (refusal !== null) return refusal
  state.brake.forget(fundPpm === null ? 0 : state.accounts.balance[INSURANCE]!)
  state.brake.setting = fundPpm === null ? null : { fundPpm, profitAbove, holdMs }
  log.write({ type: 'WithdrawalBrakeSet', fundPpm: fundPpm ?? -1, profitAbove, holdMs })
  return null
}

function outside(value: number, least: number, most: number): Rejection | null {
  if (!Number.isSafeInteger(value)) return refuse('INVALID_PARAMETER', 0)
  return value >= least && value <= most ? null : refuse('INVALID_PARAMETER', value)
}
