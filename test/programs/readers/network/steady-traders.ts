// Clients that trade at one node of a cluster and remember every reply. While a wire is struck they
// trade slowly: each of them may be refused again and again for want of a leader, and every
// doubtful order has to be resolved by itself.

import { setTimeout as wait } from 'node:timers/promises'
import type { Key } from '../../../../src/client/key.ts'
import { Connection } from '../../../support/running/connection.ts'
import { Random } from '../../differential/random.ts'
import { drawnKey, Ticker } from '../../torture/action.ts'
import { OrderTrader } from '../../torture/order-trader.ts'
import { LeverageTrader } from '../../torture/register-trader.ts'
import type { Trader } from '../../torture/trader.ts'
import { TransferTrader } from '../../torture/transfer-trader.ts'

const calmMs = 2
const struckMs = 100
const struckSteps = 6

export class SteadyTraders {
  readonly accounts: readonly string[]
  private readonly traders: readonly Trader[]
  private loops: Promise<unknown> = Promise.resolve()
  private isTrading = false
  private port: number | null = null
  /** Whether a wire is struck. */
  struck = false

  constructor(name: string, seed: number) {
    const random = new Random(seed)
    const ticker = new Ticker()
    const keys = Array.from({ length: 5 }, () => drawnKey(random)) as [Key, Key, Key, Key, Key]
    const orderTrader = (n: 0 | 1) =>
      new OrderTrader(`${name} ${n}`, keys[n], { random: new Random(seed + n), ticker })
    this.accounts = keys.map(({ address }) => address)
    this.traders = [
      orderTrader(0),
      orderTrader(1),
      new TransferTrader(keys[2], keys[3], ticker),
      new LeverageTrader(keys[4], ticker),
    ]
  }

  get counts(): Readonly<{ known: number; doubted: number }> {
    const all = this.traders.map((trader) => trader.counts())
    const sum = (pick: 'known' | 'doubted') => all.reduce((total, each) => total + each[pick], 0)
    return { known: sum('known'), doubted: sum('doubted') }
  }

  /** Null: pending replies are given up. */
  serve(port: number | null): void {
    if (port === this.port) return
    this.port = port
    for (const trader of this.traders) {
      trader.disconnect()
      if (port !== null) trader.connect(port)
    }
  }

  async open(): Promise<void> {
    await this.asking(async (api) => {
      for (const trader of this.traders) {
        await trader.open(api)
        await trader.verify(api, false)
      }
    })
  }

  trade(): void {
    this.isTrading = true
    this.loops = Promise.all(this.traders.map((trader) => this.loop(trader)))
  }

  /** Resolves when no request is pending. */
  async rest(): Promise<void> {
    this.isTrading = false
    await this.loops
  }

  /** What is wrong, by the node that they trade at. */
  async verify(all: boolean): Promise<readonly string[]> {
    const wrong: string[] = []
    await this.asking(async (api) => {
      for (const trader of this.traders) wrong.push(...(await trader.verify(api, all)))
    })
    return wrong
  }

  private async asking(work: (api: Connection) => Promise<void>): Promise<void> {
    const api = new Connection(this.port!)
    try {
      await work(api)
    } finally {
      api.close()
    }
  }

  private async loop(trader: Trader): Promise<void> {
    let steps = 0
    while (this.isTrading) {
      if (!this.struck) steps = 0
      if (steps < struckSteps && !(await trader.step())) return
      steps += 1
      await wait(this.struck ? struckMs : calmMs)
    }
  }
}
