// What explains that others pay for an account: how far the price outside went against its
// positions since the observation on which liquidation could last act. Losses count from when lots
// are held. Lots whose taker arrived before the newest observation count from that observation:
// they may be a bet on the price that is under way (docs/rules/adversary.md).

import type { Ledger } from '../ledger.ts'
import { PricePath } from './price-path.ts'

const keptMs = 30_000
/** A price of several sources may be older than its observation time says. */
const settleMs = 5_000

type Snapshot = Readonly<{ at: number; losses: readonly number[] }>
type Grant = Readonly<{ amount: number; lagMs: number; at: number }>

/** What the price took since an observation on which liquidation could act; by account. */
type Window = {
  /** `losses` at that observation. */
  base: readonly number[]
  /** Lost to others by trades and funding since then. */
  lost: number[]
  used: number[]
}

/** All arrays are by account. */
type MarketGaps = {
  readonly path: PricePath
  /** What the price took since the listing. */
  readonly losses: number[]
  snapshots: Snapshot[]
  /** `losses` at the newest observation. */
  known: readonly number[]
  /** Since liquidation could last act, and since it last could at a price that was right. */
  readonly newest: Window
  readonly right: Window
  /** When the price of the newest tick was observed. */
  knownAt: number
  /** Until when the sources saw another price than the world's. */
  awayUntil: number
  /** The newest tick did not know the world's price: liquidation acts at a wrong one. */
  isAstray: boolean
  /** Signed lots that were added while the market was not live. */
  late: number[]
  readonly grants: Map<number, Grant>
}

/** An excuse that was used; `latency`: the part that the price under way explains. */
export type Use = Readonly<{ used: number; latency: number; lagMs: number }>

export class Gaps {
  private readonly markets: MarketGaps[] = []
  private readonly ledger: Ledger

  constructor(ledger: Ledger) {
    this.ledger = ledger
  }

  list(market: number, price: number, now: number): void {
    const window = () => ({ base: [], lost: [], used: [] })
    const none = { known: [], late: [], newest: window(), right: window() }
    const own = { path: new PricePath(price), losses: [], grants: new Map() }
    const known = { knownAt: now, awayUntil: Number.NEGATIVE_INFINITY, isAstray: false }
    this.markets[market] = { ...own, ...none, ...known, snapshots: [{ at: 0, losses: [] }] }
  }

  priceOf(market: number): number {
    return this.markets[market]!.path.now
  }

  priceAt(market: number, timeMs: number): number {
    return this.markets[market]!.path.at(timeMs)
  }

  /** When the price that the exchange knows was observed. */
  knownAt(market: number): number {
    return this.markets[market]!.knownAt
  }

  isAstray(market: number): boolean {
    return this.markets[market]!.isAstray
  }

  move(market: number, price: number, now: number, isAway = false): void {
    const gaps = this.markets[market]!
    if (isAway) gaps.awayUntil = Number.POSITIVE_INFINITY
    else gaps.awayUntil = Math.min(gaps.awayUntil, now)
    const moved = (price - gaps.path.now) * this.ledger.unitValue[market]!
    gaps.path.move(price, now)
    for (const [account, lots] of this.ledger.lots[market]!.entries()) {
      const held = (lots ?? 0) - (gaps.late[account] ?? 0)
      if (held !== 0) gaps.losses[account] = (gaps.losses[account] ?? 0) - held * moved
    }
    keep(gaps, now)
  }

  /** A tick says what was observed at this time. `couldAct`: liquidation could, since the one
   *  before. */
  tick(market: number, observedAt: number, couldAct: boolean): void {
    const gaps = this.markets[market]!
    if (couldAct) this.close(market)
    gaps.late = []
    gaps.isAstray = observedAt <= gaps.awayUntil + settleMs
    gaps.knownAt = Math.max(gaps.knownAt, observedAt)
    gaps.known = gaps.snapshots.findLast(({ at }) => at <= gaps.knownAt)?.losses ?? gaps.known
  }

  /** Liquidation could act until now: what was known before does not excuse what follows. */
  close(market: number): void {
    const gaps = this.markets[market]!
    closeAt(gaps.newest, gaps.known)
    if (gaps.isAstray) return
    closeAt(gaps.right, gaps.known)
    for (const [account, { at }] of gaps.grants) if (at <= gaps.knownAt) gaps.grants.delete(account)
  }

  lose(market: number, account: number, amount: number): void {
    const { newest, right } = this.markets[market]!
    for (const { lost } of [newest, right])
      lost[account] = (lost[account] ?? 0) + Math.max(0, amount)
  }

  /** Lots that are added while the market is not live have no excuse for what the next price
   *  brings. */
  addLate(market: number, account: number, lots: number): void {
    const { late } = this.markets[market]!
    late[account] = (late[account] ?? 0) + lots
  }

  /** Lots that are added now count as held since the newest observation. */
  addUnderWay(market: number, account: number, lots: number, now: number): void {
    const gaps = this.markets[market]!
    const { path, losses, knownAt } = gaps
    const amount = -lots * (path.now - path.at(knownAt)) * this.ledger.unitValue[market]!
    if (amount === 0) return
    losses[account] = (losses[account] ?? 0) + amount
    const before = gaps.grants.get(account)?.amount ?? 0
    gaps.grants.set(account, { amount: before + amount, lagMs: now - knownAt, at: now })
    keep(gaps, now)
  }

  /** Up to the world's price or to the newest observation, whichever took more: the exchange acts
   *  on the latter, and the price may have come back since. */
  windowOf(market: number, account: number): number {
    const { losses, known, newest, right } = this.markets[market]!
    const taken = Math.max(losses[account] ?? 0, known[account] ?? 0)
    const open = [newest, right].map(({ base, lost, used }) => {
      return taken - (base[account] ?? 0) + (lost[account] ?? 0) - (used[account] ?? 0)
    })
    return Math.max(0, ...open)
  }

  use(market: number, account: number, amount: number): Use {
    const gaps = this.markets[market]!
    const open = this.windowOf(market, account)
    const used = Math.min(amount, open)
    for (const window of [gaps.newest, gaps.right])
      window.used[account] = (window.used[account] ?? 0) + used
    const grant = gaps.grants.get(account)
    const granted = Math.min(open, Math.max(0, grant?.amount ?? 0))
    const latency = Math.max(0, used - (open - granted))
    return { used, latency, lagMs: grant?.lagMs ?? 0 }
  }
}

function closeAt(window: Window, known: readonly number[]): void {
  const { base, used } = window
  // The oldest losses are used first.
  for (const [account, amount] of used.entries()) {
    const closed = (known[account] ?? 0) - (base[account] ?? 0)
    if (amount !== undefined) used[account] = Math.max(0, amount - Math.max(0, closed))
  }
  window.base = known
  window.lost = []
}

function keep(gaps: MarketGaps, now: number): void {
  gaps.snapshots.push({ at: now, losses: gaps.losses.slice() })
  while (gaps.snapshots.length > 2 && gaps.snapshots[1]!.at < now - keptMs) gaps.snapshots.shift()
}
