// Writes one value over and over: the leverage of a market, or the take-profit of a position. What
// the exchange shows must be the last value that was acknowledged, or one that is in doubt since.

import type { Key } from '../../../src/client/key.ts'
import { Connection, dataOf } from '../../support/running/connection.ts'
import { type Action, afterRevert, Client, isReplayed, type Mark, type Ticker } from './action.ts'
import type { Trader } from './trader.ts'

type Write = { readonly value: number; readonly action: Action }

abstract class RegisterTrader implements Trader {
  abstract readonly name: string
  protected readonly client: Client
  private writes: Write[] = []
  private next = 0
  private doubted = 0

  constructor(key: Key, ticker: Ticker) {
    this.client = new Client(key, ticker)
  }

  protected abstract sign(n: number): Promise<Write>
  protected abstract read(api: Connection): Promise<number>

  connect(port: number): void {
    this.client.connection = new Connection(port)
  }

  disconnect(): void {
    this.client.connection?.close()
  }

  async open(api: Connection): Promise<void> {
    const account = this.client.key.address
    dataOf(await api.post('/api/v1/sandbox/faucet', { account, amount: '1000000' }))
  }

  counts() {
    return { known: this.writes.length, doubted: this.doubted }
  }

  async step(): Promise<boolean> {
    this.next += 1
    const write = await this.sign(this.next)
    this.writes.push(write)
    return this.client.send(write.action)
  }

  reverted(mark: Mark): void {
    this.writes = this.writes.filter(({ action }) => afterRevert(action, mark) !== null)
    for (const { action } of this.writes) action.known = afterRevert(action, mark)!
  }

  async verify(api: Connection): Promise<readonly string[]> {
    const wrong: string[] = []
    let shown = await this.read(api)
    if (!this.possible().has(shown))
      wrong.push(`${this.name}: ${shown} stands, of ${[...this.possible()].join(', ')}`)
    for (const { value, action } of this.writes.filter(({ action }) => action.known === 'doubt')) {
      this.doubted += 1
      await this.client.send(action)
      const now = await this.read(api)
      if (action.known === 'ok' && now !== value)
        wrong.push(`${this.name}: ${value} was taken, and ${now} stands`)
      if (action.known !== 'ok' && now !== shown)
        wrong.push(`${this.name}: ${value} was refused, and ${now} stands instead of ${shown}`)
      if (isReplayed(action) && now === value) action.known = 'ok'
      shown = now
    }
    return wrong
  }

  /** 0: never written. */
  private possible(): ReadonlySet<number> {
    let values = new Set([0])
    for (const { value, action } of this.writes)
      if (action.known === 'ok') values = new Set([value])
      else if (action.known === 'doubt') values.add(value)
    return values
  }
}

export class LeverageTrader extends RegisterTrader {
  readonly name = 'leverage'

  protected async sign(n: number): Promise<Write> {
    // The market's own 20 would not be shown.
    const value = 1 + (n % 19)
    const fields = { symbol: 'SOL', leverage: value }
    return { value, action: await this.client.sign('/account/leverage', 'update_leverage', fields) }
  }

  protected async read(api: Connection): Promise<number> {
    const reply = await api.get(`/api/v1/account/settings?account=${this.client.key.address}`)
    const settings = dataOf<{ symbol: string; leverage: number }[]>(reply)
    return settings.find(({ symbol }) => symbol === 'SOL')?.leverage ?? 0
  }
}

export class TpslTrader extends RegisterTrader {
  readonly name = 'tpsl'

  override async open(api: Connection): Promise<void> {
    await super.open(api)
    const order = { symbol: 'BTC', side: 'bid', amount: '0.01', slippage_percent: '5' }
    const fields = { ...order, reduce_only: false }
    const path = `/api/v1/positions?account=${this.client.key.address}`
    // The bots need a moment to fill the book, and the order waits behind the speed bump.
    for (let tries = 0; tries < 100; tries++) {
      if (tries % 10 === 0)
        await this.client.send(
          await this.client.sign('/orders/create_market', 'create_market_order', fields),
        )
      await new Promise((later) => setTimeout(later, 100))
      const { body } = await api.get(path)
      if ((body as readonly unknown[]).length > 0) return
    }
    throw new Error('no position came about')
  }

  protected async sign(n: number): Promise<Write> {
    const value = 200_000 + n
    const take_profit = { stop_price: `${value}` }
    const fields = { symbol: 'BTC', side: 'ask', take_profit }
    return { value, action: await this.client.sign('/positions/tpsl', 'set_position_tpsl', fields) }
  }

  protected async read(api: Connection): Promise<number> {
    const reply = await api.get(`/api/v1/orders?account=${this.client.key.address}`)
    const levels = dataOf<{ stop_price: string | null }[]>(reply)
    if (levels.length > 1) throw new Error(`${levels.length} levels of one kind`)
    return Number(levels[0]?.stop_price ?? 0)
  }
}
