// Due work (CORE-3): what time brings about, in order of due time, kind and id.

import { rejections } from '../../../src/core/commands/rejections.ts'
import { passTo } from '../accounts/brake.ts'
import { overRefusal } from '../accounts/policies.ts'
import { follow } from '../algos/chase.ts'
import { showPart } from '../algos/iceberg.ts'
import { nextSliceAt, runSlice } from '../algos/twap.ts'
import { runEpoch } from '../funding/funding.ts'
import { runChange } from '../markets/markets.ts'
import { shareFees } from '../markets/reserves.ts'
import { runAction } from '../orders/batch.ts'
import { runScheduledCancel } from '../orders/cancels.ts'
import { endAll, stopAlgo } from '../orders/endings.ts'
import { awaitTick } from '../orders/orders.ts'
import { cancels, emitUnplaced } from '../orders/unplaced.ts'
import { healthDueAt, runHealth } from '../prices/prices.ts'
import { bookOf } from '../rule-books.ts'
import type { Deferred, Market, Naive, Order, Stop } from '../state.ts'
import { accountOf, emitRejected, isFresh, marketOf } from './lookup.ts'
import { readyAccount } from './reactions.ts'
import { endBump, endWait, isReady, mayRelease, releaseDue, releaseNext } from './releases.ts'

type Due = { at: number; kind: number; id: number; run: () => void }

function marketWork(naive: Naive, market: Market): Due[] {
  const work: Due[] = []
  const { id } = market
  for (const change of market.changes) {
    work.push({ at: change.at, kind: 5, id, run: () => runChange(naive, market, change) })
  }
  if (market.settled) return work
  const healthAt = healthDueAt(market)
  if (healthAt !== null) {
    work.push({ at: healthAt, kind: 0, id, run: () => runHealth(naive, market) })
  }
  work.push({ at: market.nextEpochAt, kind: 1, id, run: () => runEpoch(naive, market) })
  return work
}

export function runDeferred(naive: Naive, deferred: Deferred): void {
  naive.deferred = naive.deferred.filter((one) => one !== deferred)
  const account = accountOf(naive, deferred.account)
  readyAccount(naive, account)
  const { action } = deferred
  const over = cancels(action) ? null : overRefusal(naive, account, action.proof?.agent)
  const refused = over ?? runAction(naive, action, account)
  if (!refused) return
  const rejection = rejections[refused.name].code
  emitUnplaced(naive, account, action, { reason: 'refused', rejection })
  emitRejected(naive, refused)
}

const EXPIRY = 4
const RELEASE = 6
const STEP = 7

/** By kind of algo. */
const steps = { twap: runSlice, iceberg: showPart, chase: follow }

/** Orders, waiting orders and stops that have an expireTime. */
function timed(naive: Naive): (Order | Stop)[] {
  const orders = naive.markets.flatMap(({ book }) => book)
  return [...orders, ...naive.waiting, ...naive.stops].filter((one) => one.expireTime !== null)
}

/** ORDER-3, ORDER-10: what ends a wait, by time or because a tick had no room for it. */
function releases(naive: Naive): Due[] {
  const work: Due[] = []
  const add = (at: number, { id }: { id: number }, run: () => void) => {
    work.push({ at, kind: RELEASE, id, run })
  }
  const counted = (run: () => void) => () => {
    naive.released += 1
    run()
  }
  for (const order of naive.waiting) {
    const { releaseAt, awaitsTick, waitEndsAt, tickDueAt, runsNext } = order
    // CORE-5: before all that is left, in order of id.
    if (runsNext)
      add(
        0,
        order,
        counted(() => releaseNext(naive, order)),
      )
    else if (!awaitsTick)
      add(
        releaseAt,
        order,
        counted(() => endBump(naive, order)),
      )
    if (tickDueAt !== null) add(tickDueAt, order, () => releaseDue(naive, order))
    if (waitEndsAt !== null)
      add(
        waitEndsAt,
        order,
        counted(() => endWait(naive, order)),
      )
  }
  for (const kept of naive.deferred.filter((one) => isReady(naive, one)))
    add(
      kept.releaseAt,
      kept,
      counted(() => runDeferred(naive, kept)),
    )
  return work
}

/** ORDER-10: after the orders that a tick releases, kept actions that are due. */
export function runKept(naive: Naive): void {
  while (mayRelease(naive)) {
    const due = naive.deferred.filter((one) => one.releaseAt <= naive.now && isReady(naive, one))
    const [first] = due.sort((a, b) => a.releaseAt - b.releaseAt || a.id - b.id)
    if (!first) return
    naive.released += 1
    runDeferred(naive, first)
  }
}

function allWork(naive: Naive, atMs: number): Due[] {
  const work = naive.markets.flatMap((market) => marketWork(naive, market))
  if (naive.nextShareAt !== null) {
    work.push({ at: naive.nextShareAt, kind: 1, id: 0, run: () => shareFees(naive) })
  }
  for (const account of naive.accounts) {
    if (!account.schedule) continue
    const run = (): void => runScheduledCancel(naive, account)
    work.push({ at: account.schedule.time, kind: 3, id: account.id, run })
  }
  for (const one of timed(naive)) {
    const run = (): void => endAll(naive, [one], 'expired')
    work.push({ at: one.expireTime ?? 0, kind: EXPIRY, id: one.id, run })
  }
  for (const algo of naive.algos.filter(({ expireTime }) => expireTime !== null)) {
    const run = (): void => stopAlgo(naive, algo, 'expired')
    work.push({ at: algo.expireTime ?? 0, kind: EXPIRY, id: algo.id, run })
  }
  work.push(...releases(naive))
  for (const algo of naive.algos) {
    const at = algo.kind === 'twap' ? nextSliceAt(algo) : algo.dueAt
    const run = (): void => steps[algo.kind](naive, algo)
    if (at !== null) work.push({ at, kind: STEP, id: algo.id, run })
  }
  return work.filter((one) => one.at <= atMs)
}

function isEarlier(one: Due, other: Due): boolean {
  if (one.at !== other.at) return one.at < other.at
  return one.kind === other.kind ? one.id < other.id : one.kind < other.kind
}

/** CORE-3. What the last command left of the expiries, and then of the releases, comes before
 *  everything else, at the time of this command; after the maximum of a kind the others of that
 *  kind, and after the maximum of steps the other steps, are passed over. */
export function runDue(naive: Naive, atMs: number): void {
  const { expiriesPerCommand, stepsPerCommand } = bookOf(naive).limits
  // ORDER-3, CORE-5: what a tick had no room for, and what runs next, waits for another tick where
  // its price is old by now.
  for (const order of naive.waiting) {
    const fresh = isFresh({ ...naive, now: atMs }, marketOf(naive, order.market))
    if (fresh) continue
    order.tickDueAt = null
    if (order.runsNext) awaitTick(naive, order)
  }
  for (let expired = 0, stepped = 0; ; ) {
    const work = allWork(naive, atMs).filter(({ kind }) => {
      if (kind === EXPIRY) return expired < expiriesPerCommand
      if (kind === STEP) return stepped < stepsPerCommand
      return kind !== RELEASE || mayRelease(naive)
    })
    const leftOf = (wanted: number) => {
      return work.filter(({ kind, at }) => kind === wanted && at <= naive.lastAtMs)
    }
    const left = leftOf(EXPIRY).length > 0 ? leftOf(EXPIRY) : leftOf(RELEASE)
    const due = left.length > 0 ? left : work
    const [first] = due
    if (!first) return
    const next = due.reduce((best, one) => (isEarlier(one, best) ? one : best), first)
    passTo(naive, left.length > 0 ? atMs : Math.max(naive.now, next.at))
    if (next.kind === EXPIRY) expired += 1
    if (next.kind === STEP) stepped += 1
    next.run()
  }
}
