// One session of two traders, drawn from a seed: orders that trade and rest, stops, a TWAP, prices,
// jumps, time, bots. The clients decide where it happens; equal exchanges end in equal states.

import type { Client } from '../../../src/client/client.ts'
import { ApiRefusal } from '../../../src/client/errors.ts'
import { createExchange } from '../../../src/embed/embed.ts'
import { RandomStream } from '../../../src/sources/random.ts'

type Traders = Readonly<{ alice: Client; bob: Client }>

const symbols = ['BTC', 'ETH', 'SOL'] as const
const start = { BTC: 105_000, ETH: 3_500, SOL: 170 } as const
const sizes = { BTC: '0.05', ETH: '0.5', SOL: '5' } as const

export async function playSession({ alice, bob }: Traders, seed: string, steps: number) {
  const random = new RandomStream(seed)
  const pick = <T>(from: readonly T[]): T => from[random.below(from.length)]!
  const side = () => pick(['bid', 'ask'] as const)
  await alice.sandboxBots({ running: true })
  for (let step = 0; step < steps; step++) {
    const client = pick([alice, bob])
    const symbol = pick(symbols)
    const amount = sizes[symbol]
    const near = Math.round(start[symbol] * (0.98 + random.below(41) / 1_000))
    const common = { symbol, amount, reduce_only: false }
    // Rules may refuse a request, in every run alike.
    const requests = [
      () => client.createOrder({ ...common, price: `${near}`, side: side(), tif: 'GTC' }),
      () => client.createOrder({ ...common, price: `${near}`, side: side(), tif: 'IOC' }),
      () => client.createMarketOrder({ ...common, side: side(), slippage_percent: '2' }),
      () => client.updateLeverage({ symbol, leverage: 1 + random.below(20) }),
      () => client.cancelAllOrders({ all_symbols: true, exclude_reduce_only: false }),
      () => client.sandboxSetOracle({ symbol, price: `${near}` }),
      () => client.sandboxSetOracle({ symbol, resume: true }),
      () => client.sandboxSetClock({ advance_ms: 1 + random.below(20_000) }),
      () => client.sandboxScenario({ name: 'crash', symbol }),
    ]
    await pick(requests)().catch((error: Error) => {
      if (!(error instanceof ApiRefusal)) throw error
    })
  }
  await alice.sandboxSetClock({ advance_ms: 61_000 })
  return (await alice.sandboxGetHash()).trading_hash
}

/** The same session in process, with the accounts of `--accounts alice:50000,bob:50000`. */
export async function embeddedSession(seed: string, steps: number, exchangeSeed: number) {
  const exchange = createExchange({ seed: exchangeSeed })
  try {
    for (const name of ['alice', 'bob']) exchange.fund(name, '50000')
    const alice = await exchange.client('alice')
    const bob = await exchange.client('bob')
    return await playSession({ alice, bob }, seed, steps)
  } finally {
    await exchange.close()
  }
}
