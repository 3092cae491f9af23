// Clients of a cluster: they trade with the leader and remember every reply. A client that got no
// reply pauses, with that one doubt, until it has checked that everything is there.

import { setTimeout as wait } from 'node:timers/promises'
import { Connection } from '../../../support/running/connection.ts'
import { Random } from '../../differential/random.ts'
import { drawnKey, Ticker } from '../action.ts'
import { OrderTrader } from '../order-trader.ts'
import { LeverageTrader } from '../register-trader.ts'
import type { Trader } from '../trader.ts'
import { TransferTrader } from '../transfer-trader.ts'

const opensMsMax = 180_000
const againMs = 200

export class NodeTraders {
  private readonly traders: readonly Trader[]
  private loops: Promise<unknown> = Promise.resolve()
  private isTrading = false
  private port: number | null = null
  /** Why they could not look the last time. */
  notAnswered: Error | null = null

  constructor(seed: number, orderTraders: number) {
    const random = new Random(seed)
    const ticker = new Ticker()
    const key = () => drawnKey(random)
    const drawn = (n: number) => new Random(seed * 1_000 + n)
    this.traders = [
      ...Array.from({ length: orderTraders }, (_, n) => {
        return new OrderTrader(`trader ${n}`, key(), { random: drawn(n), ticker })
      }),
      new TransferTrader(key(), key(), ticker),
      new LeverageTrader(key(), ticker),
    ]
  }

  get counts(): Readonly<{ known: number; doubted: number }> {
    const all = this.traders.map((trader) => trader.counts())
    const known = all.reduce((sum, each) => sum + each.known, 0)
    return { known, doubted: all.reduce((sum, each) => sum + each.doubted, 0) }
  }

  /** The port of the leader; null: none leads, and pending replies are given up. */
  serve(port: number | null): void {
    this.port = port
    for (const trader of this.traders) {
      trader.disconnect()
      if (port !== null) trader.connect(port)
    }
  }

  /** The leader may end on the way; then the next one gets what is left. */
  async open(): Promise<void> {
    const deadline = performance.now() + opensMsMax
    for (const trader of this.traders) await this.openOne(trader, deadline)
  }

  private async openOne(trader: Trader, deadline: number): Promise<void> {
    for (;;) {
      try {
        return await this.asking(async (api) => {
          await trader.open(api)
          await trader.verify(api, false)
        })
      } catch (error) {
        const isUnreachable =
          this.port === null || (error as NodeJS.ErrnoException).code !== undefined
        if (!isUnreachable || performance.now() > deadline) throw error
        await wait(againMs)
      }
    }
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

  /** What is wrong, according to the leader; null: it did not answer every read, or no longer
   *  leads. */
  async verify(all: boolean): Promise<readonly string[] | null> {
    const { port } = this
    if (port === null) return null
    const wrong: string[] = []
    try {
      await this.asking(async (api) => {
        for (const trader of this.traders) wrong.push(...(await trader.verify(api, all)))
      })
    } catch (error) {
      this.notAnswered = error as Error
      return null
    }
    return this.port === port ? wrong : null
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
    while (this.isTrading) if (!(await trader.step())) return
  }
}
