// Premium samples, the hourly rate, and payments (docs/rules/funding.md).

import { modes, type Side } from '../../../src/words/order-words.ts'
import {
  accountOf,
  emit,
  holdingOf,
  isIsolated,
  isLively,
  isSettledDown,
  marketOf,
  modeOf,
} from '../core/lookup.ts'
import { income } from '../liquidation/insurance.ts'
import { largestLeverage, maintenanceAt, premiumPpm } from '../margin/margin.ts'
import { bookOf } from '../rule-books.ts'
import { type Account, DEFICIT, INSURANCE, type Market, type Naive, type Order } from '../state.ts'
import { abs, BILLION, ceilDiv, clamp, floorDiv, MILLION, max, min, num } from '../units/numbers.ts'

const HALTED = modes.indexOf('halted')

/** PRICE-8: how long an order must have had its place. */
function countingAge(market: Market): number {
  const { countingBumps, countingAgeMsMin } = bookOf(market).prices
  return Math.max(countingBumps * market.rules.speedBumpMs, countingAgeMsMin)
}

export function countingAgeOf(naive: Naive, market: number): number {
  return countingAge(marketOf(naive, market))
}

/** By price, then the oldest. */
function bestFirst(market: Market, side: Side): Order[] {
  const queue = market.book.filter((order) => order.side === side)
  return queue.sort((a, b) => Number(side === 'bid' ? b.price - a.price : a.price - b.price))
}

/** PRICE-8: whether an order is old enough. */
function ageTest(naive: Naive, market: Market): (order: Order) => boolean {
  const age = countingAge(market)
  const seenAt = market.observedAt ?? naive.now
  return (order) =>
    isLively(naive, market) && seenAt - Math.max(order.standsSince, market.livelySince) >= age
}

/** ALGO-2: the orders of a side that count, best price first, then the oldest, among this many. */
export function countingOrders(naive: Naive, market: Market, side: Side, most: number): Order[] {
  const isOld = ageTest(naive, market)
  const seen: Order[] = []
  let shut = 0n
  for (const order of bestFirst(market, side)) {
    if (order.price === shut) continue
    seen.push(order)
    if (!isOld(order)) shut = order.price
  }
  return seen.slice(0, most).filter((order) => isOld(order) && !order.reduceOnly)
}

/** FUND-1: average price of trading impactValue into a side, in micro-ticks; 0: not that deep. */
export function impactPrice(naive: Naive, market: Market, side: Side): bigint {
  return impactOver(market, side, ageTest(naive, market))
}

/** MARGIN-3: the same over orders of any age. */
export function impactOfAll(naive: Naive, market: Market, side: Side): bigint {
  return impactOver(market, side, () => isLively(naive, market))
}

/** PRICE-8: price by price, in a bounded number of steps. */
function impactOver(market: Market, side: Side, counts: (order: Order) => boolean): bigint {
  const queue = bestFirst(market, side)
  let steps = bookOf(market).prices.impactSteps
  const counting: Order[] = []
  for (const price of new Set(queue.map((order) => order.price))) {
    const level = queue.filter((order) => order.price === price)
    const old = level.filter(counts)
    steps -= 1 + Math.min(old.length, level.length - old.length)
    if (steps < 0) break
    counting.push(...old.filter((order) => !order.reduceOnly))
  }
  return averagePrice(market, counting)
}

function averagePrice(market: Market, counting: readonly Order[]): bigint {
  const I = market.rules.impactValue
  let rest = I
  let lots = 0n
  for (const price of new Set(counting.map((order) => order.price))) {
    const level = counting.filter((order) => order.price === price)
    const here = level.reduce((sum, order) => sum + order.remaining, 0n)
    const value = here * price * market.K
    if (rest <= value) return floorDiv(I * MILLION * price, lots * price * market.K + rest)
    rest -= value
    lots += here
  }
  return 0n
}

/** FUND-1: by the first tick at or after each multiple. */
export function samplePremium(naive: Naive, market: Market): void {
  const { samplePeriodMs } = bookOf(market).funding
  const multiple = Math.floor(naive.now / samplePeriodMs) * samplePeriodMs
  if (multiple <= market.lastSampleAt) return
  market.lastSampleAt = multiple
  if (!isSettledDown(naive, market)) return
  const { oracle } = market
  const bid = impactPrice(naive, market, 'bid')
  const ask = impactPrice(naive, market, 'ask')
  const above = bid === 0n ? 0n : max(bid - oracle, 0n)
  const below = ask === 0n ? 0n : max(oracle - ask, 0n)
  const bound = 1_000n * premiumPpm(market)
  const premium = clamp(((above - below) * BILLION) / oracle, -bound, bound)
  market.premiumSum += premium
  market.premiumCount += 1
  emit(naive, {
    type: 'PremiumSampled',
    market: market.id,
    premium: num(premium),
    impactBid: num(bid),
    impactAsk: num(ask),
  })
}

/** FUND-2: the rate of an average premium, in ppb an hour. */
export function rateOf(
  premium: bigint,
  leverageMax: bigint,
  book = bookOf({ rulesVersion: 1 }),
): bigint {
  const { interestPpb, interestClampPpb, epochParts, ratePpbMax } = book.funding
  const reach = BigInt(interestClampPpb)
  const interest = clamp(BigInt(interestPpb) - premium, -reach, reach)
  const half = floorDiv(maintenanceAt(leverageMax, book) * 1_000n, 2n)
  const bound = min(BigInt(ratePpbMax), half)
  return clamp((premium + interest) / BigInt(epochParts), -bound, bound)
}

/** FUND-3: due work at a full hour. */
export function runEpoch(naive: Naive, market: Market): void {
  settlePool(naive, market)
  const hour = market.nextEpochAt
  const idle =
    market.premiumCount < market.rules.fundingSamplesMin ||
    modeOf(naive, market) === HALTED ||
    market.lastLiveTickAt < hour - bookOf(market).funding.liveTickBeforeEpochMs
  const premium = market.premiumSum / BigInt(bookOf(market).funding.samplesPerEpoch)
  const rate = idle ? 0n : rateOf(premium, largestLeverage(market), bookOf(market))
  const epoch = hour / bookOf(market).funding.epochMs
  emit(naive, {
    type: 'FundingFixed',
    market: market.id,
    epoch,
    rate: num(rate),
    oracle: num(market.oracle),
    samples: market.premiumCount,
  })
  market.premiumSum = 0n
  market.premiumCount = 0
  market.nextEpochAt += bookOf(market).funding.epochMs
  if (rate === 0n) return
  const owing = naive.accounts
    .map((account) => ({ account: account.id, lots: account.holdings[market.id]?.lots ?? 0n }))
    .filter(({ lots }) => lots !== 0n)
  market.pool = { epoch, rate, oracle: market.oracle, amount: 0n, owing }
}

/** FUND-4: one position of the open pool, if it still owes or is owed. */
function payOne(naive: Naive, market: Market, account: Account): void {
  const { pool } = market
  const owed = pool?.owing.find((one) => one.account === account.id)
  if (!pool || !owed) return
  pool.owing = pool.owing.filter((one) => one.account !== account.id)
  const exact = abs(owed.lots) * pool.oracle * market.K * abs(pool.rate)
  const unit = MILLION * BILLION
  const pays = owed.lots > 0n === pool.rate > 0n
  const payment = pays ? -ceilDiv(exact, unit) : floorDiv(exact, unit)
  const holding = holdingOf(account, market)
  holding.fundingPaid -= payment
  if (isIsolated(account, market)) holding.wallet += payment
  else account.balance += payment
  pool.amount -= payment
  emit(naive, {
    type: 'FundingPaid',
    account: account.id,
    market: market.id,
    epoch: pool.epoch,
    lots: num(owed.lots),
    payment: num(payment),
    cost: num(holding.cost),
    balance: num(account.balance),
    wallet: num(holding.wallet),
    fundingPaid: num(holding.fundingPaid),
  })
}

/** FUND-4: settles an account in every market, in order of market id. */
export function settleFunding(naive: Naive, account: Account): void {
  for (const market of naive.markets) payOne(naive, market, account)
}

function closePool(naive: Naive, market: Market): void {
  const { pool } = market
  if (!pool) return
  market.pool = null
  income(naive, pool.amount)
  emit(naive, {
    type: 'FundingClosed',
    market: market.id,
    epoch: pool.epoch,
    remainder: num(pool.amount),
    fund: num(accountOf(naive, INSURANCE).balance),
    deficit: num(accountOf(naive, DEFICIT).balance),
  })
}

/** All that is left of an open pool, in one step. */
export function settlePool(naive: Naive, market: Market): void {
  for (const account of naive.accounts) payOne(naive, market, account)
  closePool(naive, market)
}

/** CORE-5: the next payment, closing for free what has none left; false: there is none at all. */
export function payNext(naive: Naive): boolean {
  for (const market of naive.markets) {
    if (!market.pool) continue
    const next = market.pool.owing[0]
    if (next) {
      payOne(naive, market, accountOf(naive, next.account))
      return true
    }
    closePool(naive, market)
  }
  return false
}
