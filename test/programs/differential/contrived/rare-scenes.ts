// Scenes for what would otherwise be too rare to be compared: credits that wait and are dropped,
// winners held by the withdrawal brake, takeovers and steps in markets that are closed to others,
// quotes met between a trip and their end, fired stops that a settlement ends, and sales of a
// backstop before which old and young quotes are.

import { firstRules } from '../../../../src/core/rules/first-rules.ts'
import type { KnownAccount, KnownMarket } from '../known.ts'
import {
  drawAccount,
  freshName,
  jumpTo,
  type Made,
  type Maker,
  type Making,
  other,
  type Side,
} from '../making.ts'
import { isOpen, order, richest, smallest } from './plain.ts'

/** A credit that waits for a second operator, the same again, and its end. */
function heldCredit(making: Making): Made {
  const { random, picture, planned } = making
  const address = random.any(picture.traders)?.address ?? 'trader-0'
  const reference = freshName(making, 'by hand')
  const credit: Maker = () => ({
    type: 'CreditDeposit',
    address,
    amount: random.pick([1, 1_000_000]),
    reference,
    by: random.pick(['ann', 'bob']),
  })
  const drop: Maker = () => {
    const credits = picture.credits.all
    const held = credits.find((one) => one.reference === reference)
    return { type: 'DropCredit', credit: held?.credit ?? 5_000 }
  }
  planned.push(credit, credit, drop)
  const limits = { approvalAbove: null, dailyMax: null, creditApprovalAbove: 0 }
  return { type: 'SetWithdrawalLimits', ...limits }
}

type Loser = Readonly<{ account: KnownAccount; market: KnownMarket; lots: number }>

/** A cross account with a position in a live market, and in another if there has to be one. */
function drawLoser(making: Making, several: boolean): Loser | undefined {
  const { random, picture } = making
  const markets = crossMarkets(making).filter(isLive)
  const losers = picture.traders.flatMap((account) => {
    const held = markets.filter(({ id }) => picture.lotsOf(account.id, id) !== 0)
    return held.length > (several ? 1 : 0) ? held.map((market) => ({ account, market })) : []
  })
  const found = random.any(losers)
  if (found === undefined) return undefined
  return { ...found, lots: picture.lotsOf(found.account.id, found.market.id) }
}

const isLive = ({ health }: KnownMarket) => health === 'live'

function crossMarkets({ picture }: Making): readonly KnownMarket[] {
  return [...picture.markets.values()].filter(({ settled, params }) => {
    return !settled && !params.isolatedOnly
  })
}

/** Of the cross account, at marks. */
function healthOf(making: Making, { id, money }: KnownAccount) {
  const { positions } = making.picture
  let equity = money
  let maintenance = 0
  for (const market of crossMarkets(making)) {
    equity += positions.profitOf(id, market)
    const value = Math.abs(positions.lotsOf(id, market.id)) * market.mark * market.unit
    maintenance += value / (2 * market.params.leverageMax)
  }
  return { equity, maintenance }
}

/** Brings the cross equity of the account to this part of its maintenance, or nearly so. */
function bringTo(making: Making, { account, market, lots }: Loser, part: number): Made {
  const { equity, maintenance } = healthOf(making, account)
  const move = (part * maintenance - equity) / (lots * market.unit)
  const { tickMin, tickMax } = market.params
  return jumpTo(market, Math.max(tickMin, Math.min(tickMax, Math.round(market.mark + move))))
}

/** The fund pays for an account that has a position in a market without a new price, or in one that
 *  catches up. */
function unreachedTakeover(making: Making): Made | undefined {
  const loser = drawLoser(making, true)
  if (loser === undefined) return undefined
  const { random, picture, planned } = making
  const { account, market } = loser
  const others = crossMarkets(making)
    .filter(isLive)
    .filter(({ id }) => id !== market.id && picture.lotsOf(account.id, id) !== 0)
  const waitMs = Math.max(...others.map(({ staleAfterMs }) => staleAfterMs))
  const staysLive = random.chance(0.5)
  if (!staysLive && waitMs > 10_000) return undefined
  const caught = random.pick(others)
  planned.push(
    (later) => {
      const far = caught.oracle * random.pick([0.8, 1.2])
      if (staysLive) return { ...jumpTo(caught, 1), price: Math.floor(far), jump: false }
      later.atMs += waitMs + 1
      return jumpTo(market, market.mark)
    },
    (later) => bringTo(later, loser, -later.random.pick([0.02, 0.1, 0.5])),
  )
  const { maintenance } = healthOf(making, account)
  const amount = Math.ceil(4 * maintenance + making.world.wealth * random.pick([0.3, 1, 3]))
  const reference = freshName(making, 'reference')
  planned.unshift(() => ({ type: 'Deposit', address: 'insurance', amount, reference }))
  // Of a day on which it has paid already, too.
  return { type: 'SetFundDailyMax', dailyMax: 1_000_000 }
}

/** An account that needs a step while its market may only be left. */
function restrictedStep(making: Making): Made | undefined {
  const loser = drawLoser(making, false)
  if (loser === undefined) return undefined
  making.planned.push(
    (later) => bringTo(later, loser, 0.85),
    (later) => bringTo(later, loser, 0.75),
  )
  return { type: 'SetMarketMode', market: loser.market.id, mode: 'reduce_only' }
}

/** The backstop has room for a part of a position. */
function partTakeover(making: Making): Made | undefined {
  const loser = drawLoser(making, false)
  if (loser === undefined) return undefined
  const { market, lots } = loser
  const own = making.picture.lotsOf(market.backstop, market.id) * Math.sign(lots)
  const room = Math.max(0, own) + Math.abs(lots) * making.random.next()
  making.planned.push((later) => bringTo(later, loser, 0.3))
  const backstopValueMax = Math.ceil(room * market.mark * market.unit)
  const change = { backstopValueMax, backstopDailyLossMax: 2 ** 52 }
  return { type: 'ChangeMarket', market: market.id, change, immediate: true }
}

/** What the fund has to pay before the brake is pulled. */
const lossMin = firstRules.limits.brakeLossMin

/** The fund pays for one account; others win by that, and want their money. */
function brakedWinners(making: Making): Made | undefined {
  const loser = drawLoser(making, false)
  if (loser === undefined) return undefined
  const { picture, planned } = making
  const { market, lots } = loser
  const side: Side = lots > 0 ? 'bid' : 'ask'
  const winners = picture
    .holders(market.id)
    .filter(({ id }) => picture.lotsOf(id, market.id) * lots < 0)
    .slice(0, 3)
  if (winners.length === 0) return undefined
  planned.push((later) => {
    const { maintenance } = healthOf(later, loser.account)
    return bringTo(later, loser, -2 - 2 * Math.ceil(lossMin / Math.max(1, maintenance)))
  })
  for (const { id } of winners) {
    const size = () => Math.max(1, Math.abs(picture.lotsOf(id, market.id)))
    planned.push(
      () => order(richest(making), market, other(side), market.mark, size()),
      () => ({ ...order(id, market, side, market.mark, size()), tif: 'IOC', reduceOnly: true }),
    )
  }
  planned.push((later) => {
    later.atMs += market.params.speedBumpMs + 1
    return jumpTo(market, market.mark)
  })
  for (const { id } of winners)
    planned.push(() => ({ type: 'Withdraw', account: id, proof: null, amount: 1_000_000 }))
  return { type: 'SetWithdrawalBrake', fundPpm: 0, profitAbove: 0, holdMs: 3_600_000 }
}

/** A position that is opened at the mark, while a price is known at which it is lost. */
function doomedEntry(making: Making): Made | undefined {
  const { random, picture, planned } = making
  const market = random.any([...picture.markets.values()].filter(isOpen))
  if (market === undefined) return undefined
  const flat = picture.traders.filter(
    ({ id, money }) => money > 0 && picture.lotsOf(id, market.id) === 0,
  )
  const account = random.any(flat)
  if (account === undefined) return undefined
  const side: Side = random.pick(['bid', 'ask'])
  const away = side === 'bid' ? 1 : -1
  const { leverageMax } = market.params
  const price = () => market.mark + away
  const size = () => smallest(market)
  const of = { account: account.id, proof: null, market: market.id }
  planned.push(
    () => ({ type: 'SetMarginMode', ...of, isolated: true }),
    () => ({ type: 'SetLeverage', ...of, leverage: leverageMax }),
    (later) => order(drawAccount(later), market, other(side), price(), 2 * size()),
    () => {
      const far = market.oracle * (side === 'bid' ? 0.8 : 1.2)
      return { ...jumpTo(market, 1), price: Math.floor(far), jump: false }
    },
    () => ({ ...order(account.id, market, side, price() + 5 * away, size()), tif: 'IOC' }),
  )
  return { type: 'CancelAllOrders', ...of, excludeReduceOnly: false }
}

/** A maker is filled beyond its limit, and the same command meets what it still shows. */
function trippedQuotes(making: Making): Made | undefined {
  const { random, picture, planned } = making
  const market = random.any([...picture.markets.values()].filter(isOpen))
  if (market === undefined) return undefined
  const maker = drawAccount(making)
  const taker = drawAccount(making)
  const side: Side = random.pick(['bid', 'ask'])
  const of = { account: maker, proof: null, market: market.id }
  const size = () => smallest(market)
  const best = () => picture.best(market.id, side) ?? market.mark
  const quote: Maker = () => ({
    ...order(maker, market, side, best(), 2 * size()),
    tif: 'ALO',
    mmp: true,
  })
  planned.push(quote, quote, () => {
    const take = { ...order(taker, market, other(side), best(), size()), tif: 'IOC' }
    const actions = [take, { ...take, size: 4 * size() }]
    return { type: 'Batch', account: taker, actions }
  })
  const limits = { windowMs: 60_000, frozenMs: 1, maxLots: 1, maxNet: null }
  return { type: 'SetMmp', ...of, limits }
}

/** Stops that fire where nothing trades at their price, and then their market ends. */
export function stopsSettled(making: Making, settle: (id: number) => Made): Made | undefined {
  const { random, picture, planned } = making
  const live = [...picture.markets.values()].filter(
    ({ health, settled }) => health === 'live' && !settled,
  )
  const market = random.any(live)
  const holders = market === undefined ? [] : picture.holders(market.id).slice(0, 4)
  if (market === undefined || holders.length === 0) return undefined
  const up = random.chance(0.5)
  const stopPrice = () => Math.max(1, market.mark + (up ? 1 : -1))
  for (const { id } of holders)
    planned.push(() => {
      const level = {
        ...{ stopPrice: stopPrice(), limitPrice: null, size: null, slippagePpm: 0 },
        ...{ triggerBy: 'mark', clientOrderId: null },
      }
      const side: Side = picture.lotsOf(id, market.id) > 0 ? 'ask' : 'bid'
      const place = { account: id, proof: null, market: market.id, side, reduceOnly: true }
      return { type: 'PlaceStop', ...place, level, up }
    })
  planned.push(
    () => jumpTo(market, market.mark + (up ? 2 : -2)),
    () => settle(market.id),
  )
  return planned.shift()?.(making)
}

/** A stop that opens a position, and brings levels for it. */
function openingStop(making: Making): Made | undefined {
  const { random, picture, planned } = making
  const market = random.any([...picture.markets.values()].filter(isOpen))
  if (market === undefined) return undefined
  const side: Side = random.pick(['bid', 'ask'])
  const sign = side === 'bid' ? 1 : -1
  const { mark } = market
  const size = smallest(market)
  const at = (away: number) => Math.max(1, Math.floor(mark * (1 + sign * away)))
  const plain = { limitPrice: null, size: null, triggerBy: 'mark', clientOrderId: null }
  const stop = drawAccount(making)
  planned.push(
    () => order(richest(making), market, other(side), at(0.002) + 3 * sign, 2 * size),
    () => jumpTo(market, at(0.002) + 2 * sign),
  )
  return {
    type: 'PlaceStop',
    ...{ account: stop, proof: null, market: market.id, side, reduceOnly: false },
    level: { ...plain, size, stopPrice: at(0.002) + sign, slippagePpm: 50_000 },
    takeProfit: { ...plain, stopPrice: at(0.3) },
    stopLoss: { ...plain, stopPrice: at(-0.1) },
  }
}

/** Of two announced changes the newer one cannot be taken back. */
function changeTwice(making: Making): Made | undefined {
  const { random, picture, planned } = making
  const market = random.any([...picture.markets.values()].filter(({ settled }) => !settled))
  if (market === undefined) return undefined
  const { id } = market
  const change: Maker = () => {
    return { type: 'ChangeMarket', market: id, change: { leverageMax: random.between(2, 100) } }
  }
  planned.push(change, () => {
    return { type: 'CancelMarketChange', market: id, change: market.announced.at(-1) ?? 1 }
  })
  return change(making)
}

/** A backstop is to sell to a few quotes that are older than the price, and some that are not. */
function youngQuotes(making: Making): Made | undefined {
  const { random, picture, planned } = making
  const held = [...picture.markets.values()].filter(
    ({ id, health, settled, backstop }) =>
      health === 'live' && !settled && picture.lotsOf(backstop, id) !== 0,
  )
  const market = random.any(held)
  if (market === undefined) return undefined
  const side: Side = picture.lotsOf(market.backstop, market.id) > 0 ? 'bid' : 'ask'
  const size = () => smallest(market)
  const quote: Maker = (later) =>
    order(drawAccount(later), market, side, market.mark - random.below(2), size())
  const later = (ms: number, next: Maker): Maker => {
    return (making) => {
      making.atMs += ms
      return next(making)
    }
  }
  planned.push(...Array.from({ length: random.below(3) }, () => quote))
  planned.push(later(60, quote), quote)
  planned.push(
    later(20, ({ atMs }) => ({ ...jumpTo(market, market.mark), observedAtMs: atMs - 50 })),
  )
  return quote(making)
}

export const rareScenes = {
  heldCredit,
  unreachedTakeover,
  partTakeover,
  restrictedStep,
  brakedWinners,
  doomedEntry,
  trippedQuotes,
  openingStop,
  changeTwice,
  youngQuotes,
}
export type RareScene = keyof typeof rareScenes

/** Where a world does not want them more often. */
export const rareWeights = Object.fromEntries(
  Object.keys(rareScenes).map((scene) => [scene, 0]),
) as Readonly<Record<RareScene, number>>
