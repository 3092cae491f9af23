// People who trade in every way that leaves something to read: orders that rest, take and are
// cancelled, stops, levels of positions, TWAP orders, leverage, money that comes and goes. What
// becomes of a single request does not matter here.

import { Client } from '../../../src/client/client.ts'
import { type Key, keyOfSeed } from '../../../src/client/key.ts'
import type { Random } from '../differential/random.ts'

/** Markets, with a size worth some hundred dollars and the digits of a price. */
const grounds = [
  { symbol: 'BTC', amount: '0.005', places: 0 },
  { symbol: 'ETH', amount: '0.1', places: 1 },
  { symbol: 'SOL', amount: '2', places: 2 },
] as const

export const symbols: readonly string[] = grounds.map(({ symbol }) => symbol)

type Ground = (typeof grounds)[number]
type Deed = (trader: Client, ground: Ground, random: Random) => Promise<unknown>

const standard = { tif: 'GTC', reduce_only: false } as const

export class BusyTraders {
  readonly keys: readonly Key[]
  /** Requests that were carried out. */
  done = 0
  private readonly clients: readonly Client[]
  private readonly random: Random
  private marks = new Map<string, number>()

  /** Each at the next one of the ports. */
  constructor(random: Random, ports: readonly number[], count = 6) {
    this.random = random
    this.keys = Array.from({ length: count }, () =>
      keyOfSeed(Uint8Array.from({ length: 32 }, () => random.below(256))),
    )
    this.clients = this.keys.map((signer, n) => {
      const url = `http://127.0.0.1:${ports[n % ports.length]}`
      return new Client({ url, signer, expiryWindow: 300_000 })
    })
  }

  get accounts(): readonly string[] {
    return this.keys.map(({ address }) => address)
  }

  async open(): Promise<void> {
    for (const client of this.clients) await client.sandboxFaucet({ amount: '1000000' })
    await this.readMarks()
  }

  async readMarks(): Promise<void> {
    const prices = await this.clients[0]!.getPrices()
    this.marks = new Map(prices.map(({ symbol, mark }) => [symbol, Number(mark)]))
  }

  /** All of them together, this many requests each. */
  async trade(requests: number): Promise<void> {
    await Promise.all(this.clients.map((client) => this.steps(client, requests)))
  }

  private async steps(client: Client, requests: number): Promise<void> {
    const { random } = this
    for (let n = 0; n < requests; n++) {
      const deed = this.deeds[random.weighted(weights)]
      try {
        await deed(client, random.pick(grounds), random)
        this.done += 1
      } catch (error) {
        // Refused by a rule, or there is no leader: other clients go on trading.
        if ((error as Error).name === 'TypeError') throw error
      }
    }
  }

  private price({ symbol, places }: Ground, off: number): string {
    const price = (this.marks.get(symbol)! * (10_000 + off)) / 10_000
    return String(Number(price.toFixed(places)))
  }

  private readonly deeds = {
    rest: (trader, ground, random) => {
      const { symbol, amount } = ground
      const side = random.pick(['bid', 'ask'] as const)
      const away = random.between(5, 150)
      const price = this.price(ground, side === 'bid' ? -away : away)
      return trader.createOrder({ ...standard, symbol, amount, side, price })
    },
    take: (trader, ground, random) => {
      const { symbol, amount } = ground
      const side = random.pick(['bid', 'ask'] as const)
      const fields = { symbol, amount, side, slippage_percent: '3', reduce_only: false }
      return trader.createMarketOrder(fields)
    },
    cancelAll: (trader) =>
      trader.cancelAllOrders({ all_symbols: true, exclude_reduce_only: false }),
    stop: (trader, ground, random) => {
      const { symbol, amount } = ground
      const side = random.pick(['bid', 'ask'] as const)
      const stop_price = this.price(ground, side === 'bid' ? 300 : -300)
      const stop_order = { stop_price, amount }
      return trader.createStopOrder({ symbol, side, reduce_only: false, stop_order })
    },
    levels: (trader, ground) => {
      const stop_loss = { stop_price: this.price(ground, -800) }
      return trader.setPositionTpsl({ symbol: ground.symbol, side: 'ask', stop_loss })
    },
    twap: (trader, ground, random) => {
      const { symbol } = ground
      const amount = String(Number(ground.amount) * 40)
      const side = random.pick(['bid', 'ask'] as const)
      const how = { slippage_percent: '2', duration_in_seconds: 300, reduce_only: false }
      return trader.createTwapOrder({ symbol, side, amount, ...how })
    },
    leverage: (trader, { symbol }, random) =>
      trader.updateLeverage({ symbol, leverage: random.between(2, 10) }),
    faucet: (trader) => trader.sandboxFaucet({ amount: '1000' }),
    withdraw: (trader) => trader.withdraw({ amount: '10' }),
  } as const satisfies Record<string, Deed>
}

const weights = {
  rest: 50,
  take: 20,
  cancelAll: 4,
  stop: 6,
  levels: 4,
  twap: 2,
  leverage: 3,
  faucet: 2,
  withdraw: 2,
} as const
