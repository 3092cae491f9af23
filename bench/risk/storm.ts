// A storm in one market: leveraged accounts that one price makes unhealthy, and stops that the same
// price triggers, without any other trading. The book is empty, so that every account needs the
// backstop, and no stop can fill.

import type { Command } from '../../src/core/commands/commands.ts'
import type { AccountId, MarketId } from '../../src/core/commands/ids.ts'
import type { MicroTicks } from '../../src/units/units.ts'
import { LoadRun, tickCommand } from '../load-run.ts'
import { params } from '../market.ts'

export type StormPlan = Readonly<{
  /** Accounts that the fall makes unhealthy. */
  scopes: number
  /** Stops that it triggers, by accounts with the maximum number of stops. */
  stops: number
  /** Dollars in the insurance fund. */
  fund: number
  /** Equity of the accounts after the fall, in ppm of their position value. */
  leftPpm: number
  speedBumpMs: number
}>

const BTC = 1 as MarketId
const MICRO = 1_000_000
const MIDDLE = 50_000
const FALLEN = 48_000
const FALL_PPM = ((MIDDLE - FALLEN) * MICRO) / MIDDLE
const LOTS = 6_000
const LOT_VALUE = MIDDLE * 10

export class Storm {
  readonly run = new LoadRun()
  readonly scopes: readonly number[]
  private readonly plan: StormPlan

  constructor(plan: StormPlan) {
    this.plan = plan
    const { run } = this
    const own = { symbol: 'BTC-USD', backstopAddress: 'backstop' }
    const listed = { ...params, ...own, speedBumpMs: 0 }
    const oracle = (MIDDLE * MICRO) as MicroTicks
    run.submit({ type: 'ListMarket', params: listed, oracle })
    if (plan.fund > 0) run.deposit('insurance', plan.fund * MICRO)
    this.scopes = this.leveraged()
    this.placeStops()
    if (plan.speedBumpMs > 0) {
      const change = { speedBumpMs: plan.speedBumpMs }
      run.submit({ type: 'ChangeMarket', market: BTC, change })
    }
  }

  /** The price that makes all accounts unhealthy, or the present one if it does already. */
  fall(): Command {
    return tickCommand(BTC, FALLEN, true)
  }

  private leveraged(): number[] {
    const { run } = this
    const maker = run.deposit('maker', 2_000_000_000 * MICRO)
    const worth = LOTS * LOT_VALUE
    const order = { market: BTC, price: MIDDLE, size: LOTS }
    return Array.from({ length: this.plan.scopes }, (_, n) => {
      // All of them differ.
      const ppm = FALL_PPM + 400 + this.plan.leftPpm - (n % 500)
      const account = run.deposit(`leveraged ${n}`, Math.ceil((worth * ppm) / MICRO))
      run.place({ ...order, account: maker, side: 'ask', tif: 'GTC' })
      run.place({ ...order, account, side: 'bid', tif: 'IOC' })
      return account
    })
  }

  private placeStops(): void {
    const { run } = this
    const { stopsPerAccount } = run.state.rules.limits
    let account = 0
    for (let n = 0; n < this.plan.stops; n++) {
      if (n % stopsPerAccount === 0)
        account = run.deposit(`stops ${n / stopsPerAccount}`, 1_000 * MICRO)
      run.submit(stopOf(account, FALLEN + 1 + ((n * 7_919) % 1_000)))
    }
  }
}

export function stopOf(account: number, stopPrice: number): Command {
  const level = { stopPrice, limitPrice: null, size: 10, triggerBy: 'mark', clientOrderId: null }
  return {
    type: 'PlaceStop',
    account: account as AccountId,
    proof: null,
    market: BTC,
    side: 'ask',
    level,
    reduceOnly: false,
  } as unknown as Command
}
