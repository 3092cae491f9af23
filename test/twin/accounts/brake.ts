// The withdrawal brake (ACCT-11), worked out from everything that was ever won and lost.

import type { CommandOf } from '../../../src/core/commands/commands.ts'
import { type Rejection, refuse } from '../../../src/core/commands/rejections.ts'
import { limits } from '../../../src/core/rules/limits.ts'
import { accountOf, dayOf, emit, holdingOf, isIsolated } from '../core/lookup.ts'
import { unrealised } from '../margin/margin.ts'
import { bookOf } from '../rule-books.ts'
import { type Account, INSURANCE, type Naive } from '../state.ts'
import { floorDiv, given, isIntIn, MILLION, min, num } from '../units/numbers.ts'
import { type Brake, newBrake } from './approval-state.ts'

const MINUTE = 60_000
const DAY = 86_400_000

const minuteOf = (at: number) => Math.floor(at / MINUTE)

export function isHeld({ brake, now }: Naive, { main }: Account): boolean {
  return brake !== null && now < (brake.held.get(main) ?? 0)
}

export function noteClosing(naive: Naive, account: Account, market: number, pnl: bigint): void {
  const { brake, now } = naive
  if (brake === null) return
  brake.closings.push({ at: now, account: account.id, market, pnl })
  const isWatched = brake.watched.some((each) => each.market === market && now <= each.until)
  if (isWatched && !account.reserved && pnl > 0n) hold(naive, brake, account.main)
}

type Closing = Brake['closings'][number]

/** What these brought an owner. */
function wonOf(naive: Naive, owner: number, closings: readonly Closing[]): bigint {
  return closings.reduce((sum, { account, pnl }) => {
    const { main, reserved } = accountOf(naive, account)
    return main === owner && !reserved ? sum + pnl : sum
  }, 0n)
}

/** Profit of this owner has just counted. */
function hold(naive: Naive, brake: Brake, owner: number): void {
  const { now } = naive
  const counted = brake.closings.filter(({ at, market }) =>
    brake.watched.some(
      (each) => each.market === market && now <= each.until && minuteOf(at) >= each.fromMinute,
    ),
  )
  if (wonOf(naive, owner, counted) > brake.profitAbove) brake.held.set(owner, now + brake.holdMs)
}

/** Time moves on to this moment: days that begin by it find what the fund has. */
export function passTo(naive: Naive, at: number): void {
  const { brake } = naive
  if (brake !== null && dayOf(at) > dayOf(naive.now))
    brake.openings.push({ day: dayOf(at), had: accountOf(naive, INSURANCE).balance })
  naive.now = at
}

/** What the fund had when a day began: a day on which nothing happened began like the next one. */
const hadOn = ({ openings }: Brake, day: number): bigint =>
  openings.find((each) => each.day >= day)!.had

/** What has been in the fund since yesterday began, payments of today included. */
function startOf(naive: Naive, brake: Brake): bigint {
  const { balance } = accountOf(naive, INSURANCE)
  const today = dayOf(naive.now)
  const payments = naive.fundPayments.filter(({ day }) => day === today)
  const all = payments.reduce((sum, { amount }) => sum + amount, balance)
  return min(all, min(hadOn(brake, today - 1), hadOn(brake, today)))
}

export function noteLoss(naive: Naive, account: Account, scope: number, amount: bigint): void {
  const { brake, now } = naive
  if (brake === null) return
  const markets = scope === 0 ? marketsOf(naive, brake, account) : [scope]
  brake.losses.push({ at: now, amount, markets })
  const recent = brake.losses.filter(({ at }) => at > now - MINUTE)
  const lost = recent.reduce((sum, loss) => sum + loss.amount, 0n)
  const start = startOf(naive, brake)
  if (lost <= floorDiv(start * brake.fundPpm, MILLION)) return
  if (lost <= BigInt(bookOf(naive).limits.brakeLossMin)) return
  const known = brake.watched.filter(({ until }) => until >= now)
  const lastIn = new Map(recent.flatMap((loss) => loss.markets.map((id) => [id, loss.at])))
  const fresh = [...lastIn.keys()].filter((id) => !known.some(({ market }) => market === id))
  const fromMinute = minuteOf(now) - 1
  const all = [...known, ...fresh.map((market) => ({ market, fromMinute, until: 0 }))]
  brake.watched = all.map((each) => {
    const last = lastIn.get(each.market)
    return last === undefined ? each : { ...each, until: last + brake.holdMs }
  })
  const news = brake.closings.filter(
    ({ at, market }) => minuteOf(at) >= fromMinute && fresh.includes(market),
  )
  for (const owner of new Set(news.map((each) => accountOf(naive, each.account).main)))
    if (wonOf(naive, owner, news) > 0n) hold(naive, brake, owner)
  if (fresh.length === 0 && brake.pulledAt === now) return
  brake.pulledAt = now
  emit(naive, {
    type: 'WithdrawalBrakePulled',
    lost: num(lost),
    start: num(start),
    until: now + brake.holdMs,
    owners: [...brake.held.values()].filter((end) => now < end).length,
  })
}

/** Where a cross account has lost what is paid for it. */
function marketsOf(naive: Naive, brake: Brake, account: Account): number[] {
  const fromMinute = minuteOf(naive.now) - 1
  const results = naive.markets.flatMap((market) => {
    const holding = holdingOf(account, market)
    const isOpen = holding.lots !== 0n && !isIsolated(account, market)
    const closed = brake.closings.filter(
      (each) =>
        each.account === account.id && each.market === market.id && minuteOf(each.at) >= fromMinute,
    )
    if (!isOpen && closed.length === 0) return []
    const open = isOpen ? unrealised(market, holding) : 0n
    return [{ id: market.id, result: closed.reduce((sum, { pnl }) => sum + pnl, open) }]
  })
  const much = results.filter(({ result }) => result < -brake.profitAbove)
  const found =
    much.length > 0
      ? much
      : results.filter((each) => results.every(({ result }) => each.result <= result))
  return found.map(({ id }) => id)
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
  const { balance } = accountOf(naive, INSURANCE)
  naive.brake =
    fundPpm === null
      ? null
      : newBrake(
          { fundPpm: BigInt(fundPpm), profitAbove: BigInt(profitAbove), holdMs },
          dayOf(naive.now),
          balance,
        )
  emit(naive, { type: 'WithdrawalBrakeSet', fundPpm: fundPpm ?? -1, profitAbove, holdMs })
  return null
}
