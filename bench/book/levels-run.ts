// A book with one order at every other price of each side, and what a stranger does in it: the
// commands go through `apply` with all checks of the exchange.

import type { Command } from '../../src/core/commands.ts'
import { apply, createState } from '../../src/core/engine.ts'
import { EventLog, kindOfEvent } from '../../src/core/events/event-log.ts'
import type { AccountId, MarketId, OrderId } from '../../src/core/ids.ts'
import type { MarketParams } from '../../src/core/markets/market-params.ts'
import { limits } from '../../src/core/rules/limits.ts'
import { bookDepth } from '../../src/projections/current/book-depth.ts'
import type { Lots, MicroTicks, Ppm, Quote, Ticks, TimeMs } from '../../src/units/units.ts'
import { params } from '../market.ts'

const MARKET = 1 as MarketId
const START_MS = 1_750_003_200_000 as TimeMs
/** Prices on either side of it are taken in steps of two, so that there is one between any two. */
const MIDDLE = 500_000
const STEP = 2
/** On each side. */
const ordersEach = limits.ordersPerAccount / 2
const sweptLevels = 10
const COMMAND_REJECTED = kindOfEvent('CommandRejected')

const wide: MarketParams = { ...params, tickMax: 1_000_000 as Ticks }

export class LevelsRun {
  readonly levels: number
  readonly state = createState({
    feesAddress: 'fees',
    insuranceAddress: 'insurance',
    deficitAddress: 'deficit',
    feeTiers: [{ volumeDollars: 0, makerPpm: 0 as Ppm, takerPpm: 0 as Ppm }],
  })
  private readonly log = new EventLog()
  private readonly stranger: AccountId
  private readonly seller: AccountId
  private seq = 0
  private draws = 1

  constructor(levels: number) {
    this.levels = levels
    const oracle = (MIDDLE * 1_000_000) as MicroTicks
    this.submit({ type: 'ListMarket', params: wide, oracle })
    this.stranger = this.account('stranger')
    this.seller = this.account('seller')
    let maker = this.account('maker-0')
    for (let at = 0; at < levels; at++) {
      // From all over the book, so that neighbours lie apart in memory as they do in life.
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

  /** A price of its own somewhere among the others. */
  middle(): void {
    this.placeAndCancel(this.bidAt(this.draw()) - 1)
  }

  /** The end of a level that is there. */
  join(): void {
    this.placeAndCancel(this.bidAt(this.draw()))
  }

  /** Takes the best levels, which are then made again. */
  sweep(): void {
    const limit = this.askAt(sweptLevels - 1)
    this.place(this.stranger, 'bid', limit, sweptLevels, 'IOC')
    for (let at = sweptLevels - 1; at >= 0; at--) this.place(this.seller, 'ask', this.askAt(at))
  }

  /** What a reader of the top of the book asks for. */
  read(): void {
    const { bids, asks } = this.state.markets[MARKET]!
    const { bids: depth } = bookDepth(this.state, MARKET, 10, 1)
    if (bids.bestPrice >= asks.bestPrice || depth.length !== 10) throw new Error('a wrong book')
  }

  private bidAt(level: number): number {
    return MIDDLE - 1 - level * STEP
  }

  private askAt(level: number): number {
    return MIDDLE + 1 + level * STEP
  }

  /** One of the levels but the first and the last few, by a small multiplier. */
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

  private account(address: string): AccountId {
    const amount = 10_000_000_000_000 as Quote
    this.submit({ type: 'Deposit', address, amount, reference: address })
    return this.state.accounts.count as AccountId
  }

  private place(
    account: AccountId,
    side: 'bid' | 'ask',
    price: number,
    size = 1,
    tif: 'GTC' | 'IOC' = 'GTC',
  ): number {
    this.submit({
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
    })
    return this.state.nextOrderId - 1
  }

  private submit(command: Command): void {
    const { log } = this
    log.clear()
    apply(this.state, { seq: ++this.seq, atMs: START_MS, command }, log)
    if (log.rows[0] === COMMAND_REJECTED)
      throw new Error(`${command.type} was refused: ${JSON.stringify(log.readAll())}`)
  }
}
