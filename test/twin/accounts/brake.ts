// The withdrawal brake (ACCT-11), worked out from everything that was ever won and lost.

import type { CommandOf } from '../../../src/core/commands/commands.ts'
import { type Rejection, refuse } from '../../../src/core/commands/rejections.ts'
import { limits } from '../../../src/core/rules/limits.ts'
import { accountOf, dayOf, emit, holdingOf, isIsolated } from '../core/lookup.ts'
import { type Account, INSURANCE, type Naive } from '../state.ts'
import { floorDiv, given, isIntIn, MILLION, num } from '../units/numbers.ts'
import { type Brake, newBrake } from './approval-state.ts'

const MINUTE = 60_000
const DAY = 86_400_000

const minuteOf = (at: number) => Math.floor(at / MINUTE)

export function isHeld(naive: Naive, account: Account): boolean {
  const { brake, now } = naive
  return brake !== null && now < brake.until && brake.held.includes(account.main)
}

export function noteClosing(naive: Naive, account: Account, market: number, pnl: bigint): void {
  const { brake, now } = naive
  if (brake === null) return
  brake.closings.push({ at: now, account: account.id, market, pnl })
  if (now > brake.watchedUntil || account.reserved) return
  if (brake.watched.some((each) => each.market === market)) hold(naive, brake, account.main)
}

/** What an owner has won in watched markets since they count. */
function wonBy(naive: Naive, brake: Brake, owner: number): bigint {
  let won = 0n
  for (const { at, account, market, pnl } of brake.closings) {
    const from = brake.watched.find((each) => each.market === market)?.fromMinute
    if (from === undefined || minuteOf(at) < from) continue
    const { main, reserved } = accountOf(naive, account)
    if (main === owner && !reserved) won += pnl
  }
  return won
}

function hold(naive: Naive, brake: Brake, owner: number): void {
  if (brake.held.includes(owner)) return
  if (wonBy(naive, brake, owner) > brake.profitAbove) brake.held.push(owner)
}

export function noteLoss(naive: Naive, account: Account, scope: number, amount: bigint): void {
  const { brake, now } = naive
  if (brake === null) return
  const markets = scope === 0 ? marketsOf(naive, brake, account) : [scope]
  brake.losses.push({ at: now, amount, markets })
  const recent = brake.losses.filter(({ at }) => at > now - MINUTE)
  const lost = recent.reduce((sum, loss) => sum + loss.amount, 0n)
  const today = naive.fundPayments.filter(({ day }) => day === dayOf(now))
  const start = today[0]?.had ?? accountOf(naive, INSURANCE).balance
  if (lost <= floorDiv(start * brake.fundPpm, MILLION)) return
  if (now >= brake.until) brake.held = []
  if (now > brake.watchedUntil) brake.watched = []
  const lostIn = new Set(recent.flatMap((loss) => loss.markets))
  const fresh = [...lostIn].filter((id) => !brake.watched.some(({ market }) => market === id))
  brake.until = now + brake.holdMs
  brake.watchedUntil = now + MINUTE
  if (fresh.length === 0) return
  const fromMinute = minuteOf(now) - 1
  for (const market of fresh) brake.watched.push({ market, fromMinute })
  // Whoever won nothing in these did not win more by them.
  const winners = brake.closings.filter(
    ({ at, market }) => minuteOf(at) >= fromMinute && fresh.includes(market),
  )
  for (const owner of new Set(winners.map((each) => accountOf(naive, each.account).main)))
    hold(naive, brake, owner)
  emit(naive, {
    type: 'WithdrawalBrakePulled',
    lost: num(lost),
    start: num(start),
    until: brake.until,
    owners: brake.held.length,
  })
}

function marketsOf(naive: Naive, brake: Brake, account: Account): number[] {
  const fromMinute = minuteOf(naive.now) - 1
  return naive.markets
    .filter((market) => {
      const holding = holdingOf(account, market)
      const isOpen = holding.lots !== 0n && !isIsolated(account, market)
      const hasClosed = brake.closings.some(
        (each) =>
          each.account === account.id &&
          each.market === market.id &&
          minuteOf(each.at) >= fromMinute,
      )
      return isOpen || hasClosed
    })
    .map(({ id }) => id)
}

export function setWithdrawalBrake(
  naive: Naive,
  { fundPpm, profitAbove, holdMs }: CommandOf<'SetWithdrawalBrake'>,
): Rejection | null {
  if (fundPpm !== null && !isIntIn(fundPpm, 0, 1_000_000)) {
    return refuse('INVALID_PARAMETER', given(fundPpm))
  }
  if (!isIntIn(profitAbove, 0, limits.moneyMax)) {
    return refuse('INVALID_PARAMETER', given(profitAbove))
  }
  if (!isIntIn(holdMs, MINUTE, DAY)) return refuse('INVALID_PARAMETER', given(holdMs))
  naive.brake = fundPpm === null ? null : newBrake(BigInt(fundPpm), BigInt(profitAbove), holdMs)
  emit(naive, { type: 'WithdrawalBrakeSet', fundPpm: fundPpm ?? -1, profitAbove, holdMs })
  return null
}
