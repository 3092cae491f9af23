// A book with one order at every other price of each side, and the commands of another account
// against it: they go through `apply` with all checks of the exchange.

import type { Command, PlaceOrder } from '../../src/core/commands/commands.ts'
import type { AccountId, MarketId, OrderId } from '../../src/core/commands/ids.ts'
import type { MarketParams } from '../../src/core/commands/market-params.ts'
import { apply, createState } from '../../src/core/engine.ts'
import { kindAt, kindOfEvent } from '../../src/core/events/event-columns.ts'
import { EventLog } from '../../src/core/events/event-log.ts'
import { previewOrder } from '../../src/core/previews/preview-order.ts'
import { firstRules } from '../../src/core/rules/first-rules.ts'
import { viewOf } from '../../src/core/view/exchange-view.ts'
import type { Lots, MicroTicks, Ppm, Quote, Ticks, TimeMs } from '../../src/units/units.ts'
import type { Tif } from '../../src/words/order-words.ts'
import { params } from '../market.ts'

const MARKET = 1 as MarketId
const START_MS = 1_750_003_200_000 as TimeMs
/** Prices on either side of it are used in steps of two, so that there is a free one between any
 *  two. */
const MIDDLE = 500_000
const STEP = 2
/** On each side. */
const ordersEach = firstRules.limits.ordersPerAccount / 2
const sweptLevels = 10
const COMMAND_REJECTED = kindOfEvent('CommandRejected')

const wide: MarketParams = { ...params, tickMax: 1_000_000 as Ticks }

export class LevelsRun {
  readonly levels: number
  readonly state = createState({
    pricesMayStand: true,
    feesAddress: 'fees',
    insuranceAddress: 'insurance',
    deficitAddress: 'deficit',
    feeTiers: [{ volumeDollars: 0, makerPpm: 0 as Ppm, takerPpm: 0 as Ppm }],
  })
  private readonly log = new EventLog()
  private readonly stranger: AccountId
  private readonly seller: AccountId
  private readonly penniless: AccountId
  private seq = 0
  private draws = 1

  constructor(levels: number) {
    this.levels = levels
    const oracle = (MIDDLE * 1_000_000) as MicroTicks
    this.submit({ type: 'ListMarket', params: wide, oracle })
    this.stranger = this.account('stranger')
    this.seller = this.account('seller')
    this.penniless = this.account('penniless', 1_000_000)
    let maker = this.account('maker-0')
    for (let at = 0; at < levels; at++) {
      // From all over the book, so that neighbours are apart in memory, as in a real one.
      const level = (at * 7_919) % levels
      if (at % ordersEach === ordersEach - 1) maker = this.account(`maker-${at}`)
      this.place(maker, 'bid', this.bidAt(level))
      this.place(maker, 'ask', this.askAt(level))
    }
  }

  /** Behind the last level. */
  far(): void {
    this.placeAndCancel(this.bidAt(this.levels))
  }

  /** In front of the first. */
  near(): void {
    this.placeAndCancel(MIDDLE)
  }

  /** A new price somewhere among the others. */
  middle(): void {
    this.placeAndCancel(this.bidAt(this.draw()) - 1)
  }

  /** The end of an existing level. */
  join(): void {
    this.placeAndCancel(this.bidAt(this.draw()))
  }

  /** Fills the best levels, which are then placed again. */
  sweep(): void {
    const limit = this.askAt(sweptLevels - 1)
    this.place(this.stranger, 'bid', limit, sweptLevels, 'IOC')
    for (let at = sweptLevels - 1; at >= 0; at--) this.place(this.seller, 'ask', this.askAt(at))
  }

  /** The best levels of the book, as a reader requests them. */
  read(): void {
    const { bids, asks } = this.state.markets[MARKET]!
    const { bids: depth } = viewOf(this.state).books.depth(MARKET, 10, 1)
    if (bids.bestPrice >= asks.bestPrice || depth.length !== 10) throw new Error('unexpected book')
  }

  /** The whole book is within the limit of this order and smaller than it. In a deep book the order
   *  is rejected, because too many orders would have to be checked. */
  thin(): void {
    this.isAccepted(
      this.wish(this.stranger, 'bid', this.askAt(this.levels), this.levels + 1, 'FOK'),
    )
  }

  /** As large as the book, from an account with a dollar. */
  poor(): void {
    if (
      this.isAccepted(this.wish(this.penniless, 'bid', this.askAt(this.levels), this.levels, 'IOC'))
    )
      throw new Error('accepted without funds')
  }

  /** A preview of the same order. */
  preview(): void {
    const wish = this.wish(this.penniless, 'bid', this.askAt(this.levels), this.levels, 'IOC')
    if (previewOrder(this.state, wish).refusal === null) throw new Error('accepted without funds')
  }

  private bidAt(level: number): number {
    return MIDDLE - 1 - level * STEP
  }

  private askAt(level: number): number {
    return MIDDLE + 1 + level * STEP
  }

  /** A level except the first and the last few, chosen by a small multiplier. */
  private draw(): number {
    this.draws = (Math.imul(this.draws, 1_664_525) + 1_013_904_223) >>> 0
    return 20 + (this.draws % (this.levels - 40))
  }

  private placeAndCancel(price: number): void {
    const order = this.place(this.stranger, 'bid', price) as OrderId
    const account = this.stranger
    const proof = null
    this.submit({
      type: 'CancelOrder',
      account,
      proof,
      market: MARKET,
      order,
      clientOrderId: null,
    })
  }

  private account(address: string, amount = 10_000_000_000_000): AccountId {
    this.submit({ type: 'Deposit', address, amount: amount as Quote, reference: address })
    return this.state.accounts.count as AccountId
  }

  private place(
    account: AccountId,
    side: 'bid' | 'ask',
    price: number,
    size = 1,
    tif: Tif = 'GTC',
  ): number {
    this.submit(this.wish(account, side, price, size, tif))
    return this.state.nextOrderId - 1
  }

  private wish(
    account: AccountId,
    side: 'bid' | 'ask',
    price: number,
    size: number,
    tif: Tif,
  ): PlaceOrder {
    return {
      type: 'PlaceOrder',
      account,
      proof: null,
      market: MARKET,
      side,
      price: price as Ticks,
      size: size as Lots,
      tif,
      reduceOnly: false,
      clientOrderId: null,
      takeProfit: null,
      stopLoss: null,
    }
  }

  private submit(command: Command): void {
    if (this.isAccepted(command)) return
    throw new Error(`${command.type} was rejected: ${JSON.stringify(this.log.readAll())}`)
  }

  private isAccepted(command: Command): boolean {
    const { log } = this
    log.clear()
    apply(this.state, { seq: ++this.seq, atMs: START_MS, command }, log)
    return kindAt(log.rows, 0) !== COMMAND_REJECTED
  }
}
