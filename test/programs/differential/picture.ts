// What the generator knows of the exchange, folded from events: enough to name live orders, price
// near the book and size by balance. Nothing of it is compared, so fees and funding may be missing.

import type { Command } from '../../../src/core/commands/commands.ts'
import type { MarketParams } from '../../../src/core/commands/market-params.ts'
import type { Event } from '../../../src/core/events/event-fields.ts'
import { type FillPart, fillsOf } from '../../../src/core/events/fills-of.ts'
import {
  type KnownAccount,
  type KnownMarket,
  type KnownOrder,
  type Mode,
  pickAlgo,
} from './known.ts'
import { HeldCredits } from './pictures/held-credits.ts'
import { Positions } from './pictures/positions.ts'
import { remove } from './pictures/remove.ts'
import { Protections } from './trading/protections.ts'

export class Picture {
  atMs = 0
  mode: Mode = 'open'
  clockFrozen = false
  /** Traders with their subaccounts; neither reserved accounts nor backstops. */
  readonly traders: KnownAccount[] = []
  readonly accounts = new Map<number, KnownAccount>()
  readonly markets = new Map<number, KnownMarket>()
  readonly orders = new Map<number, KnownOrder>()
  readonly twaps = new Map<number, KnownOrder>()
  /** Those whose orders rest. */
  readonly algos = new Map<number, KnownOrder>()
  readonly protections = new Protections()
  readonly withdrawals: number[] = []
  /** Of these, those that want an approval. */
  unapproved: number[] = []
  readonly credits = new HeldCredits()
  readonly positions = new Positions()
  private sent: Command | null = null
  private listing: { params: MarketParams; oracle: number } | null = null
  private readonly reserved: readonly string[]

  constructor(reserved: readonly string[]) {
    this.reserved = reserved
  }

  /** A market's parameters are not in its event; the generator says them before it lists one. */
  expectListing(params: MarketParams, oracle: number): void {
    this.listing = { params, oracle }
  }

  /** Nor are a price before the clamp and a parameter that was changed. */
  expect(command: Command, atMs: number): void {
    this.sent = command
    // The next may be drawn before its events are known.
    const ticked = command.type === 'OracleTick' ? this.markets.get(command.market) : undefined
    if (ticked !== undefined) ticked.lastTickMs = atMs
  }

  lotsOf(account: number, market: number): number {
    return this.positions.lotsOf(account, market)
  }

  holders(market: number): KnownAccount[] {
    return this.traders.filter(({ id }) => this.lotsOf(id, market) !== 0)
  }

  /** The lots of the largest position there. */
  mostHeld(market: number): number {
    return Math.max(0, ...this.traders.map(({ id }) => Math.abs(this.lotsOf(id, market))))
  }

  /** Orders or stops of one account, of one market, or all. */
  ordersOf(wanted: { account?: number; market?: number; stop?: boolean }): KnownOrder[] {
    const found: KnownOrder[] = []
    for (const order of this.orders.values()) {
      if (wanted.account !== undefined && order.account !== wanted.account) continue
      if (wanted.market !== undefined && order.market !== wanted.market) continue
      if (wanted.stop !== undefined && order.stop !== wanted.stop) continue
      found.push(order)
    }
    return found
  }

  best(market: number, side: 'bid' | 'ask'): number | undefined {
    let best: number | undefined
    for (const order of this.orders.values()) {
      if (order.market !== market || order.side !== side || !order.resting) continue
      const better = side === 'bid' ? order.price > (best ?? 0) : order.price < (best ?? Infinity)
      if (better) best = order.price
    }
    return best
  }

  /** Micro-dollars that rest on a side. */
  depth({ id, unit }: KnownMarket, side: 'bid' | 'ask'): number {
    return this.ordersOf({ market: id, stop: false })
      .filter((order) => order.side === side && order.resting)
      .reduce((sum, { price, remaining }) => sum + price * remaining * unit, 0)
  }

  fold(events: readonly Event[], atMs: number): void {
    this.atMs = atMs
    for (const event of events) {
      this.protections.fold(event)
      if (this.foldOrder(event) || this.foldAccount(event)) continue
      this.foldMarket(event)
    }
    this.listing = null
  }

  private foldOrder(event: Event): boolean {
    switch (event.type) {
      case 'OrderPlaced':
        this.orders.set(event.order, {
          ...pickOrder(event),
          price: event.price,
          remaining: event.size,
          stop: false,
        })
        return true
      case 'StopPlaced':
        this.orders.set(event.order, {
          ...pickOrder(event),
          price: event.stopPrice,
          remaining: event.size,
          stop: true,
        })
        return true
      case 'OrderRested':
      case 'OrderReduced': {
        const order = this.orders.get(event.order)
        if (order === undefined) return true
        order.remaining = event.remaining
        if (event.type === 'OrderReduced') return true
        order.resting = true
        order.price = event.price
        return true
      }
      case 'StopTriggered':
      case 'OrderCancelled':
        this.orders.delete(event.order)
        return true
      case 'Traded':
        this.afterTrade(event.makerOrder, event.makerRemaining)
        this.afterTrade(event.takerOrder, event.takerRemaining)
        for (const fill of fillsOf(event)) this.foldFill(fill)
        return true
      case 'Filled':
        for (const fill of fillsOf(event)) this.foldFill(fill)
        return true
      case 'AlgoPlaced':
        if (event.kind === 'twap') this.twaps.set(event.order, pickAlgo(event))
        else this.algos.set(event.order, pickAlgo(event))
        return true
      case 'AlgoEnded':
        this.twaps.delete(event.algo)
        this.algos.delete(event.algo)
        return true
      default:
        return false
    }
  }

  private afterTrade(id: number, remaining: number): void {
    const order = this.orders.get(id)
    if (order !== undefined) order.remaining = remaining
    if (remaining === 0) this.orders.delete(id)
  }

  private foldFill(fill: FillPart): void {
    this.positions.fold(fill)
    const known = this.accounts.get(fill.account)
    if (known !== undefined) known.money += fill.pnl
  }

  private foldAccount(event: Event): boolean {
    if (this.credits.fold(event)) return true
    switch (event.type) {
      case 'AccountOpened':
        this.openAccount(event.account, event.main, event.address ?? '')
        return true
      case 'Deposited':
      case 'WithdrawalFailed':
        this.setMoney(event.account, event.balance)
        if (event.type === 'WithdrawalFailed') this.endWithdrawal(event.withdrawal)
        return true
      case 'WithdrawalRequested':
        this.setMoney(event.account, event.balance)
        this.withdrawals.push(event.withdrawal)
        if (event.needed > 0) this.unapproved.push(event.withdrawal)
        return true
      case 'WithdrawalApproved':
        if (event.approvals === event.needed) this.endApproval(event.withdrawal)
        return true
      case 'WithdrawalCompleted':
        this.endWithdrawal(event.withdrawal)
        return true
      case 'Transferred':
        this.setMoney(event.from, event.fromBalance)
        this.setMoney(event.to, event.toBalance)
        return true
      case 'AgentBound':
        this.accounts.get(event.account)?.agents.push(event.agent ?? '')
        return true
      case 'AgentRevoked':
      case 'AgentUnbound':
        remove(this.accounts.get(event.account)?.agents, event.agent)
        remove(this.accounts.get(event.account)?.limited, event.agent)
        return true
      case 'AgentPolicySet':
        remove(this.accounts.get(event.account)?.limited, event.agent)
        if (!event.removed) this.accounts.get(event.account)?.limited.push(event.agent ?? '')
        return true
      case 'ConnectionArmed':
        this.accounts.get(event.account)?.armed.push(event.connection ?? '')
        return true
      case 'ConnectionDisarmed':
      case 'ConnectionEnded':
        remove(this.accounts.get(event.account)?.armed, event.connection)
        return true
      case 'ApiKeyCreated':
        this.accounts.get(event.account)?.keys.push(event.prefix ?? '')
        return true
      case 'ApiKeyRevoked':
        remove(this.accounts.get(event.account)?.keys, event.prefix)
        return true
      case 'AccountFrozen': {
        const account = this.accounts.get(event.account)
        if (account !== undefined) account.frozen = event.frozen
        return true
      }
      default:
        return false
    }
  }

  private foldMarket(event: Event): void {
    if (event.type === 'MarketListed') this.list(event.market, event.backstop)
    else if (event.type === 'ExchangeModeSet') this.mode = event.mode
    else if (event.type === 'ClockFrozenSet') this.clockFrozen = event.frozen
    if (!('market' in event)) return
    const market = this.markets.get(event.market)
    if (market === undefined) return
    switch (event.type) {
      case 'MarkUpdated':
        market.mark = event.mark
        market.oracle = event.oracle
        market.catchingUp = event.catchingUp
        market.raw = this.sentPrice(market.id) ?? event.oracle
        market.lastTickMs = this.atMs
        return
      case 'MarketChanged':
        market.staleAfterMs = this.sentStaleAfter(market.id) ?? market.staleAfterMs
        if (event.effectiveAt > this.atMs) market.announced.push(event.change)
        else market.announced = market.announced.filter((id) => id !== event.change)
        return
      case 'MarketChangeCancelled':
        market.announced = market.announced.filter((id) => id !== event.change)
        return
      case 'FeedHealthChanged':
        market.health = event.health
        return
      case 'MarketModeSet':
        market.mode = event.mode
        return
      case 'MarketSettled':
        market.settled = true
        return
    }
  }

  private sentPrice(market: number): number | undefined {
    const { sent } = this
    return sent?.type === 'OracleTick' && sent.market === market ? sent.price : undefined
  }

  private sentStaleAfter(market: number): number | undefined {
    const { sent } = this
    const changes = sent?.type === 'ChangeMarket' && sent.market === market
    return changes ? sent.change.staleAfterMs : undefined
  }

  private openAccount(id: number, main: number, address: string): void {
    const known: KnownAccount = {
      id,
      main,
      address,
      money: 0,
      frozen: false,
      agents: [],
      limited: [],
      keys: [],
      armed: [],
      bias: ((id * 7) % 5) - 2,
    }
    this.accounts.set(id, known)
    const backstop = this.listing?.params.backstopAddress
    if (address !== backstop && !this.reserved.includes(address)) this.traders.push(known)
  }

  private list(id: number, backstop: number): void {
    if (this.listing === null) return
    const { params, oracle } = this.listing
    const { tickSize, lotSize } = params
    this.markets.set(id, {
      id,
      backstop,
      params,
      unit: tickSize.value * lotSize.value * 10 ** (6 - tickSize.scale - lotSize.scale),
      home: oracle,
      oracle,
      mark: Math.round(oracle / 1_000_000),
      raw: oracle,
      catchingUp: false,
      lastTickMs: this.atMs,
      staleAfterMs: params.staleAfterMs,
      announced: [],
      health: 'live',
      mode: 'open',
      settled: false,
    })
  }

  private setMoney(account: number, money: number): void {
    const known = this.accounts.get(account)
    if (known !== undefined) known.money = money
  }

  private endWithdrawal(id: number): void {
    const at = this.withdrawals.indexOf(id)
    if (at >= 0) this.withdrawals.splice(at, 1)
    this.endApproval(id)
  }

  private endApproval(id: number): void {
    this.unapproved = this.unapproved.filter((one) => one !== id)
  }
}

type Placed = Readonly<{
  order: number
  account: number
  market: number
  side: 'bid' | 'ask'
  clientOrderId: string | null
}>

function pickOrder({ order, account, market, side, clientOrderId }: Placed) {
  return { id: order, account, market, side, clientOrderId, resting: false }
}
