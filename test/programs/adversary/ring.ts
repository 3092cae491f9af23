// A ring: two to five accounts of one attacker that carry out its script, move after move, round
// and round. A move whose time does not come is skipped after a while.

import type { OrderPlan } from '../../support/venue/commands.ts'
import { DOLLAR, UNIT_VALUE } from '../../support/venue/edition.ts'
import type { Feed } from '../../support/venue/feed.ts'
import type { Venue } from '../../support/venue/venue.ts'
import { batchOf } from './batches.ts'
import { halfMost, Props } from './calm/props.ts'
import { offerOf } from './outside/astray.ts'
import { awayOf, type Move, type Script, type When } from './script.ts'
import { withTool } from './tools.ts'

const PPM = 1_000_000
const hourMs = 3_600_000
const minuteMs = 60_000
const sampleMs = 5_000
/** Before and after a sample. */
const nearMs = 500
const lagPpm = 10_000
const leapPpm = 50_000
const awayPpm = 8_000
export const memberDollars = 200_000

/** What goes on around a turn. */
export type Moment = Readonly<{
  phase: 'before-tick' | 'after-tick' | 'between'
  isNearChange(market: number): boolean
}>

export class Ring {
  readonly members: number[] = []
  private readonly script: Script
  private readonly venue: Venue
  private readonly props: Props
  /** What its scripts call the first market, the second and the third. */
  private readonly markets: readonly number[]
  private at = 0
  private waited = 0
  private madeAt = 0

  constructor(
    venue: Venue,
    script: Script,
    { number, markets }: Readonly<{ number: number; markets: readonly number[] }>,
  ) {
    this.venue = venue
    this.script = script
    this.props = new Props(venue)
    this.markets = markets
    for (let member = 0; member < script.members; member++) {
      const address = `ring-${number}-${member}`
      const isSub = member > 0 && member <= script.subaccounts
      if (isSub) {
        venue.run({ type: 'CreateSubaccount', account: this.members[0]!, proof: null, address })
        this.members.push(venue.view.accounts.idOf(address))
      } else this.members.push(venue.deposit(address, memberDollars))
    }
  }

  /** One or two moves, if their time has come. */
  turn(moment: Moment): void {
    if (moment.phase === 'after-tick') this.props.keep()
    for (let made = 0; made < 2; made++) {
      const move = this.script.moves[this.at % this.script.moves.length]!
      if (this.isTime(move, moment)) {
        this.make(move)
        this.madeAt = this.venue.now
      } else if (move.when === 'later' || this.waited < (move.patience * move.patience) / 8) {
        this.waited += 1
        return
      }
      this.waited = 0
      this.at += 1
    }
  }

  private feed(market: number): Feed {
    const { feeds } = this.venue
    return feeds[this.markets[market % this.markets.length]! - 1]!
  }

  private member(number: number): number {
    return this.members[number % this.members.length]!
  }

  private isTime(move: Move, moment: Moment): boolean {
    const feed = this.feed(move.market)
    const mark = this.venue.markOf(feed.market)
    const held = () => this.venue.view.positions.lotsOf(this.member(move.who), feed.market)
    const rich = () => this.venue.view.accounts.crossEquityOf(this.member(move.who))
    const intoHour = this.venue.now % hourMs
    const times: Readonly<Record<When, () => boolean>> = {
      always: () => true,
      'lag-down': () => (mark - feed.sent) * PPM > lagPpm * mark,
      'lag-up': () => (feed.sent - mark) * PPM > lagPpm * mark,
      'news-down': () => (feed.sent - feed.raw) * PPM > lagPpm * mark,
      'news-up': () => (feed.raw - feed.sent) * PPM > lagPpm * mark,
      'leap-down': () => (feed.sent - feed.raw) * PPM > leapPpm * mark,
      'leap-up': () => (feed.raw - feed.sent) * PPM > leapPpm * mark,
      'before-tick': () => moment.phase === 'before-tick',
      'after-tick': () => moment.phase === 'after-tick',
      stale: () => feed.isStale,
      'before-hour': () => intoHour > hourMs - 60_000,
      'after-hour': () => intoHour < 60_000,
      flat: () => held() === 0,
      holding: () => held() !== 0,
      losing: () => rich() < (memberDollars * DOLLAR) / 2,
      winning: () => rich() > memberDollars * DOLLAR * 1.3,
      hurt: () => rich() <= (memberDollars * DOLLAR) / 10,
      // The view of the first edition does not have it.
      restricted: () => (this.venue.view.markets.get(feed.market)!.mode ?? 'open') !== 'open',
      changing: () => moment.isNearChange(feed.market),
      taken: () => {
        const { markets, positions } = this.venue.view
        return positions.lotsOf(markets.get(feed.market)!.backstop, feed.market) !== 0
      },
      'before-sample': () => sampleMs - (this.venue.now % sampleMs) <= nearMs,
      'after-sample': () => this.venue.now % sampleMs <= nearMs,
      later: () => this.venue.now - this.madeAt > (move.size + 1) * minuteMs,
      'off-grid': () => feed.raw > this.venue.view.markets.get(feed.market)!.params.tickMax * 0.98,
      'book-away': () => feed.away !== 0 && offerOf(this.venue, feed.market).part * PPM > awayPpm,
      restarted: () => this.venue.now - this.venue.startedAt <= 10 * nearMs,
    }
    return times[move.when]()
  }

  private priceOf(move: Move, market: number): number {
    return Math.max(1, Math.round(this.venue.markOf(market) * (1 + awayOf(move))))
  }

  private aim(move: Move, account: number, market: number): OrderPlan {
    const lots = this.lotsOf(move, account, market)
    return { market, lots, price: this.priceOf(move, market), tif: 'ALO' }
  }

  /** Lots by the move's size, of what the account can carry. */
  private lotsOf(move: Move, account: number, market: number): number {
    const { view } = this.venue
    const { spendable } = view.accounts.numbersOf(account)
    const { params, lotValue } = view.markets.get(market)!
    const most = (spendable * params.leverageMax * 0.93) / lotValue
    const least = Math.ceil((12 * DOLLAR) / lotValue)
    const capped = Math.min(most, (4_500_000 * DOLLAR) / lotValue)
    return Math.max(least, Math.floor((capped * (move.size + 1)) / 100))
  }

  private make(move: Move): void {
    const account = this.member(move.who)
    const other = this.member(move.other)
    const { market } = this.feed(move.market)
    const { venue } = this
    const price = this.priceOf(move, market)
    switch (move.act) {
      case 'pair-buy':
      case 'pair-sell': {
        const sign = move.act === 'pair-buy' ? 1 : -1
        const lots = sign * this.lotsOf(move, account, market)
        return this.pair(account, other, { market, lots, price })
      }
      case 'hand-over':
        return this.pair(account, other, { market, lots: -this.heldBy(account, market), price })
      case 'pair-buy-outside':
      case 'pair-sell-outside': {
        const { raw } = this.feed(move.market)
        const sign = move.act === 'pair-buy-outside' ? 1 : -1
        const lots = sign * this.lotsOf(move, account, market)
        return this.pair(account, other, { market, lots, price: raw })
      }
      case 'bid':
      case 'ask': {
        const aim = this.aim(move, account, market)
        return venue.place(account, move.act === 'bid' ? aim : { ...aim, lots: -aim.lots })
      }
      case 'squeeze-mark':
        return this.squeeze(account, market, price)
      case 'buy':
        return venue.take(account, market, this.lotsOf(move, account, market))
      case 'sell':
        return venue.take(account, market, -this.lotsOf(move, account, market))
      case 'close':
        return venue.take(account, market, -this.heldBy(account, market), true)
      case 'cancel':
        return this.props.stop(account, market)
      case 'prop': {
        const half = (halfMost * (move.size + 1)) / 100
        return this.props.start({ account, market, away: awayOf(move), half })
      }
      default:
        return this.makeOther(move, account, market)
    }
  }

  private heldBy(account: number, market: number): number {
    return this.venue.view.positions.lotsOf(account, market)
  }

  private pair(
    account: number,
    other: number,
    { market, lots, price }: Readonly<{ market: number; lots: number; price: number }>,
  ): void {
    if (lots === 0) return
    const at = this.inside(market, lots, price)
    this.venue.place(other, { market, lots: -lots, price: at, tif: 'ALO' })
    this.venue.place(account, { market, lots, price: at, tif: 'IOC' })
  }

  /** The nearest price at which the other side of the pair can rest. */
  private inside(market: number, lots: number, price: number): number {
    const { books } = this.venue.view
    if (lots > 0) return Math.max(price, books.bestPrice(market, 'bid') + 1)
    const ask = books.bestPrice(market, 'ask')
    return ask === 0 ? price : Math.min(price, ask - 1)
  }

  /** As little as has a voice: the impact value on both sides. */
  private squeeze(account: number, market: number, price: number): void {
    const { params } = this.venue.view.markets.get(market)!
    const lots = Math.ceil(params.impactValue / (price * UNIT_VALUE)) + 1
    this.venue.place(account, { market, lots, price: price - 1, tif: 'TOB' })
    this.venue.place(account, { market, lots: -lots, price: price + 1, tif: 'TOB' })
  }

  private makeOther(move: Move, account: number, market: number): void {
    const own = { account, proof: null }
    const { venue } = this
    const { withdrawable } = venue.view.accounts.numbersOf(account)
    const part = Math.floor((withdrawable * (move.size + 1)) / 100)
    switch (move.act) {
      case 'leverage': {
        const { leverageMax } = venue.view.markets.get(market)!.params
        const leverage = Math.max(1, Math.ceil((leverageMax * (move.size + 1)) / 100))
        return venue.run({ type: 'SetLeverage', ...own, market, leverage })
      }
      case 'mode':
        return venue.run({ type: 'SetMarginMode', ...own, market, isolated: move.size >= 50 })
      case 'margin': {
        const amount = move.size < 50 ? part : -Math.floor((move.size - 49) * 1_000 * DOLLAR)
        return venue.run({ type: 'MoveIsolatedMargin', ...own, market, amount })
      }
      case 'withdraw':
        return this.withdraw(account, Math.floor(withdrawable))
      case 'transfer': {
        const to = this.member(move.other)
        return venue.run({ type: 'Transfer', ...own, to, amount: part })
      }
      case 'deposit': {
        venue.deposit(venue.view.accounts.addressOf(account), (move.size + 1) * 500)
        return
      }
      case 'stops':
        return this.stops(move, account, market)
      case 'dust':
        return this.dust(move, account, market)
      case 'edit':
        return this.edit(move, account, market)
      case 'batch-quote':
      case 'batch-turn':
      case 'batch-edit':
        return venue.run(batchOf(venue, move.act, account, this.aim(move, account, market)))
      default: {
        const aim = this.aim(move, account, market)
        for (const plain of withTool(venue, move, account, aim)) venue.run(plain)
      }
    }
  }

  /** A withdrawal that has been paid cannot be returned. */
  private withdraw(account: number, amount: number): void {
    const { venue } = this
    venue.run({ type: 'Withdraw', account, proof: null, amount })
    const pending = venue.view.money.withdrawals().filter((one) => one.account === account)
    for (const { withdrawal } of pending) venue.run({ type: 'CompleteWithdrawal', withdrawal })
  }

  private stops(move: Move, account: number, market: number): void {
    const mark = this.venue.markOf(market)
    for (let at = 1; at <= 20; at++) {
      const level = {
        stopPrice: mark + at * (move.price < 50 ? -1 : 1) * (1 + (move.size % 30)),
        limitPrice: null,
        size: Math.ceil((12 * DOLLAR) / (mark * UNIT_VALUE)),
        triggerBy: move.size % 2 === 0 ? 'mark' : 'last',
        clientOrderId: null,
      }
      const side = move.price < 50 ? 'ask' : 'bid'
      const own = { account, proof: null, market }
      this.venue.run({ type: 'PlaceStop', ...own, side, reduceOnly: false, level })
    }
  }

  /** The smallest trades there are, with a friend, at one price and back. */
  private dust(move: Move, account: number, market: number): void {
    const price = this.priceOf(move, market)
    const lots = Math.ceil((10 * DOLLAR) / (price * UNIT_VALUE))
    for (const sign of [1, -1])
      this.pair(account, this.member(move.other), { market, lots: sign * lots, price })
  }

  private edit(move: Move, account: number, market: number): void {
    const [order] = this.venue.view.orders.quotationsOf(account, market, 'bid')
    if (order === undefined) return
    this.venue.run({
      type: 'EditOrder',
      account,
      proof: null,
      market,
      order: order.order,
      clientOrderId: null,
      price: this.priceOf(move, market),
      size: this.lotsOf(move, account, market),
    })
  }

  /** The end: nothing open, longs and shorts of the ring closed with each other at mark, the rest
   *  in the book as well as it can be. */
  windDown(): void {
    for (const { market } of this.venue.feeds) {
      for (const account of this.members) this.props.stop(account, market)
      this.closeWithin(market)
    }
  }

  private closeWithin(market: number): void {
    const { venue } = this
    const price = venue.markOf(market)
    const most = Math.floor((4_500_000 * DOLLAR) / (price * UNIT_VALUE))
    const left = this.members.map((account) => this.heldBy(account, market))
    for (const [at, long] of this.members.entries())
      for (const [by, short] of this.members.entries()) {
        const lots = Math.min(left[at]!, -left[by]!, most)
        if (lots <= 0) continue
        this.pair(long, short, { market, lots: -lots, price })
        left[at]! -= lots
        left[by]! += lots
      }
    for (const [at, account] of this.members.entries())
      venue.take(account, market, -left[at]!, true)
  }
}
