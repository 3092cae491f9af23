// What accounts hold, and what it has cost them, as fills add it up.

import type { FillPart } from '../../../../src/core/events/fills-of.ts'
import type { KnownMarket } from '../known.ts'

type Held = Readonly<{ lots: number; cost: number }>

const nothing: Held = { lots: 0, cost: 0 }

export class Positions {
  /** By `account:market`. */
  private readonly held = new Map<string, Held>()

  fold({ account, market, kind, lots, entryCost }: FillPart): void {
    const key = `${account}:${market}`
    const before = this.held.get(key) ?? nothing
    const opens = kind.startsWith('open')
    const buys = kind === 'open_long' || kind.endsWith('close_short')
    const after = before.lots + (buys ? lots : -lots)
    const cost = opens ? entryCost : before.cost - entryCost
    this.held.set(key, { lots: after, cost: after === 0 ? 0 : cost })
  }

  lotsOf(account: number, market: number): number {
    return (this.held.get(`${account}:${market}`) ?? nothing).lots
  }

  /** Profit at the mark that is not realised. */
  profitOf(account: number, { id, mark, unit }: KnownMarket): number {
    const { lots, cost } = this.held.get(`${account}:${id}`) ?? nothing
    return lots * mark * unit - cost
  }
}
