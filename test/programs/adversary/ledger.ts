// The money and the lots of the exchange, rebuilt from events alone: every event moves the same
// amount on both sides, or this ledger and the exchange part. It knows nothing of the rules but how
// a fill changes a position (UNITS-2), and is compared with the state at the end of a world.

import type { Event, EventOf } from '../../../src/core/index.ts'
import { movedReserve } from '../../support/venue/edition.ts'
import type { Venue } from '../../support/venue/venue.ts'

const FEES = 1
const INSURANCE = 2
const DEFICIT = 3

export class Ledger {
  /** Balance, wallets and what waits to leave, together. */
  readonly cash: number[] = []
  /** Signed, by market and account. */
  readonly lots: number[][] = []
  readonly cost: number[][] = []
  readonly backstops: number[] = []
  readonly unitValue: number[] = []
  private readonly pools: number[] = []
  private deposits = 0
  private withdrawn = 0

  /** By the commands of everyone, in order. */
  hear(event: Event): void {
    switch (event.type) {
      case 'AccountOpened':
        this.cash[event.account] = 0
        for (const market of this.lots.keys()) this.openRow(market, event.account)
        break
      case 'MarketListed':
        this.openMarket(event)
        break
      case 'Deposited':
        this.deposits += event.amount
        if (event.account === INSURANCE) this.income(event.amount)
        else this.add(event.account, event.amount)
        break
      case 'WithdrawalCompleted':
        this.withdrawn += event.amount
        this.add(event.account, -event.amount)
        break
      case 'Transferred':
        this.add(event.from, -event.amount)
        this.add(event.to, event.amount)
        break
      case 'Traded':
        this.trade(event)
        break
      case 'Filled':
        this.fill(event.market, event.account, signOf(event.kind) * event.lots, event.value)
        break
      default:
        this.hearReserves(event)
    }
  }

  private hearReserves(event: Event): void {
    switch (event.type) {
      case 'FundingPaid':
        this.add(event.account, event.payment)
        this.pools[event.market]! -= event.payment
        break
      case 'FundingClosed':
        this.pools[event.market]! -= event.remainder
        this.income(event.remainder)
        break
      case 'LiquidationFeePaid':
        this.income(event.amount)
        break
      case 'Deleveraged':
        this.add(event.account, -event.margin)
        this.income(event.margin)
        break
      case 'BackstopTookOver':
        this.add(event.account, -event.margin)
        this.add(event.backstop, event.margin)
        break
      case 'InsurancePaid':
        this.add(INSURANCE, -event.amount)
        this.add(event.account, event.amount)
        break
      case 'DeficitBooked':
        this.add(DEFICIT, -event.amount)
        this.add(event.account, event.amount)
        break
      default:
        this.moveReserve(event)
    }
  }

  private moveReserve(event: Event): void {
    const moved = movedReserve(event, (market) => this.backstops[market]!)
    if (moved === null) return
    this.add(moved.from, -moved.amount)
    if (moved.isIncome) this.income(moved.amount)
    else this.add(moved.to, moved.amount)
  }

  private openMarket({ market, backstop, unitValue }: EventOf<'MarketListed'>): void {
    this.lots[market] = []
    this.cost[market] = []
    this.pools[market] = 0
    this.backstops[market] = backstop
    this.unitValue[market] = unitValue
    for (const account of this.cash.keys()) this.openRow(market, account)
  }

  private openRow(market: number, account: number): void {
    if (this.lots[market] === undefined) return
    this.lots[market]![account] = 0
    this.cost[market]![account] = 0
  }

  private add(account: number, amount: number): void {
    this.cash[account] = (this.cash[account] ?? 0) + amount
  }

  /** What the fund is given fills the deficit first (LIQ-5). */
  private income(amount: number): void {
    const filled = Math.min(amount, -(this.cash[DEFICIT] ?? 0))
    this.add(DEFICIT, filled)
    this.add(INSURANCE, amount - filled)
  }

  private trade(event: EventOf<'Traded'>): void {
    const { market, taker, maker, takerFee, makerFee } = event
    const sign = event.side === 'bid' ? 1 : -1
    this.fill(market, taker, sign * event.lots, event.value)
    this.fill(market, maker, -sign * event.lots, event.value)
    this.add(taker, -takerFee)
    this.add(maker, -makerFee)
    // The fee of a liquidated side goes to the fund, by an event of its own.
    this.add(FEES, makerFee + (event.cause === 'market_liquidation' ? 0 : takerFee))
  }

  private fill(market: number, account: number, signed: number, value: number): void {
    const lots = this.lots[market]!
    const cost = this.cost[market]!
    const held = lots[account]!
    const sign = Math.sign(signed)
    const size = Math.abs(signed)
    const closed = held * signed < 0 ? Math.min(size, Math.abs(held)) : 0
    if (closed > 0) {
      // Exact: a forced transfer at a price per lot that is not whole never flips a position.
      const part = closed === size ? value : (value / size) * closed
      const share =
        closed === Math.abs(held) ? cost[account]! : shareOf(cost[account]!, closed, held)
      this.add(account, -sign * part - share)
      cost[account]! -= share
    }
    const opened = size - closed
    if (opened > 0) cost[account]! += sign * (closed === 0 ? value : (value / size) * opened)
    lots[account] = held + signed
  }

  /** Where the state of the exchange is not what its events say; nothing, unless it is wrong. */
  differences({ view }: Venue): string[] {
    const found: string[] = []
    const differ = (what: string, reported: number, kept: number) => {
      if (reported !== kept) found.push(`${what}: events say ${reported}, the exchange ${kept}`)
    }
    let total = -this.deposits + this.withdrawn
    for (const [account, cash] of this.cash.entries()) {
      if (account === 0) continue
      let kept = view.accounts.balanceOf(account) + view.accounts.pendingOf(account)
      for (const market of this.unitValue.keys()) {
        if (market === 0) continue
        const holding = view.positions.holdingOf(account, market)
        kept += holding?.wallet ?? 0
        differ(`lots of ${account} in ${market}`, this.lots[market]![account]!, holding?.lots ?? 0)
        differ(`cost of ${account} in ${market}`, this.cost[market]![account]!, holding?.cost ?? 0)
        total -= this.cost[market]![account]!
      }
      differ(`money of ${account}`, cash ?? 0, kept)
      total += cash ?? 0
    }
    for (const pool of this.pools) total += pool ?? 0
    if (total !== 0) found.push(`${total} micro-dollars were made from nothing`)
    return found
  }
}

/** trunc(cost × closed ÷ |held|), exactly. */
function shareOf(cost: number, closed: number, held: number): number {
  return Number((BigInt(cost) * BigInt(closed)) / BigInt(Math.abs(held)))
}

/** Buys or sells. */
export function signOf(kind: EventOf<'Filled'>['kind']): 1 | -1 {
  return kind.endsWith('open_long') || kind.endsWith('close_short') ? 1 : -1
}
