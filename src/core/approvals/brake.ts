// The withdrawal brake (ACCT-11): when the insurance fund pays much within a minute, withdrawals of
// owners who won in those markets and minutes need an approval for a while. It remembers two
// minutes of profit by position row, a minute of losses, and nothing at all while it is off.

import { mulPpmFloor } from '../../units/rounding.ts'
import { PPM } from '../../units/units.ts'
import type { CommandOf } from '../commands/commands.ts'
import { type Rejection, refuse } from '../commands/rejections.ts'
import type { EventLog } from '../events/event-log.ts'
import { limits } from '../rules/limits.ts'
import { dayMs, type State } from '../state/state.ts'
import { minuteMs } from './brake-memory.ts'

/** Whether a withdrawal that is requested now needs an approval for it. */
export function isHeld({ brake, accounts, atMs }: State, account: number): boolean {
  return atMs < brake.until && brake.held.has(accounts.main[account]!)
}

/** A position of this row was closed in part, and brought this. */
export function noteProfit(state: State, row: number, gained: number): void {
  const { brake, positions, accounts } = state
  const account = positions.account[row]!
  brake.reach(state.atMs)
  brake.profits.set(row, (brake.profits.get(row) ?? 0) + gained)
  if (state.atMs > brake.watchedUntil || accounts.reserved[account] === 1) return
  if (brake.watched.has(positions.market[row]!)) win(state, accounts.main[account]!, gained)
}

function win({ brake }: State, owner: number, gained: number): void {
  const won = (brake.won.get(owner) ?? 0) + gained
  brake.won.set(owner, won)
  if (won > brake.setting!.profitAbove) brake.held.add(owner)
}

/** The fund has paid into the scope of this account, or the deficit was booked. `fund`: what the
 *  fund had before its first payment of the day. */
export function noteLoss(
  state: State,
  log: EventLog,
  loss: Readonly<{ account: number; market: number; amount: number; fund: number }>,
): void {
  const { brake, atMs } = state
  if (brake.setting === null) return
  brake.reach(atMs)
  brake.lose(atMs, loss.amount)
  for (const market of marketsOf(state, loss)) brake.lastLosses.set(market, atMs)
  if (brake.lost > mulPpmFloor(loss.fund, brake.setting.fundPpm)) pull(state, log, loss.fund)
}

function marketsOf(
  { brake, accounts, positions }: State,
  { account, market }: Readonly<{ account: number; market: number }>,
): number[] {
  if (market !== 0) return [market]
  const found: number[] = []
  for (let row = accounts.rows[account]!; row !== 0; row = positions.nextOfAccount[row]!) {
    const isOpen = positions.lots[row] !== 0 && positions.isolated[row] === 0
    if (isOpen || brake.profits.has(row) || brake.earlier.has(row))
      found.push(positions.market[row]!)
  }
  return found
}

function pull(state: State, log: EventLog, start: number): void {
  const { brake, atMs } = state
  const { lost } = brake
  if (atMs >= brake.until) {
    brake.held.clear()
    brake.since = atMs
  }
  if (atMs > brake.watchedUntil) {
    brake.watched.clear()
    brake.won.clear()
  }
  const fresh = new Set<number>()
  for (const [market, at] of brake.lastLosses)
    if (at > atMs - minuteMs && !brake.watched.has(market)) fresh.add(market)
  brake.until = atMs + brake.setting!.holdMs
  brake.watchedUntil = atMs + minuteMs
  if (fresh.size === 0) return
  for (const market of fresh) brake.watched.add(market)
  countSoFar(state, fresh)
  const owners = brake.held.size
  log.write({ type: 'WithdrawalBrakePulled', lost, start, until: brake.until, owners })
}

/** What owners won in these markets before they were watched. The sums of all are complete before
 *  any is compared: within one instant nobody is held for a part of what he won and lost. */
function countSoFar(state: State, fresh: ReadonlySet<number>): void {
  const { brake, positions, accounts } = state
  const sums = new Map<number, number>()
  for (const profits of [brake.earlier, brake.profits])
    for (const [row, gained] of profits) {
      const account = positions.account[row]!
      if (!fresh.has(positions.market[row]!) || accounts.reserved[account] === 1) continue
      const owner = accounts.main[account]!
      sums.set(owner, (sums.get(owner) ?? 0) + gained)
    }
  for (const [owner, gained] of sums) win(state, owner, gained)
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
  state.brake.forget()
  state.brake.setting = fundPpm === null ? null : { fundPpm, profitAbove, holdMs }
  log.write({ type: 'WithdrawalBrakeSet', fundPpm: fundPpm ?? -1, profitAbove, holdMs })
  return null
}

function outside(value: number, least: number, most: number): Rejection | null {
  if (!Number.isSafeInteger(value)) return refuse('INVALID_PARAMETER', 0)
  return value >= least && value <= most ? null : refuse('INVALID_PARAMETER', value)
}
