// Commands a second through direct calls, with all of the risk logic and the kept history.

import { type createExchange as Create, refusalOf } from '../../src/embed/embed.ts'
import { stateBehind } from '../../test/support/opened-state.ts'
import { timed } from '../options.ts'
import { DirectFlow } from './direct-flow.ts'

const warmUp = 100_000

/** Applies one after the other, and checks whether each was accepted. */
export function directRate(createExchange: typeof Create, commands: number) {
  const options = { markets: DirectFlow.symbols, prices: 'held', funds: '10000000' } as const
  const exchange = createExchange({ ...options, historyMax: commands + 2 * warmUp })
  const flow = new DirectFlow(exchange)
  const refused = new Map<string, number>()
  const run = (count: number) => {
    for (let at = 0; at < count; at++) {
      const refusal = refusalOf(exchange.apply(flow.next()))
      if (refusal === null) continue
      refused.set(refusal.rejection, (refused.get(refusal.rejection) ?? 0) + 1)
    }
  }
  run(warmUp)
  refused.clear()
  const state = stateBehind(exchange.state)
  const trades = state.nextHistoryId
  const checks = state.counters.marginChecks
  const { ms } = timed(() => run(commands))
  const facts = [
    `${Math.round((state.nextHistoryId - trades) / 2)} trades`,
    `${state.counters.marginChecks - checks} margin checks`,
    `${[...refused].map(([name, count]) => `${count} ${name}`).join(', ') || 'none refused'}`,
  ]
  return { rate: (commands * 1_000) / ms, facts: facts.join(', ') }
}

/** Decimal orders, as the API takes them: a quote, and its cancel or an aggressive order. */
export function traderRate(createExchange: typeof Create, commands: number): number {
  const exchange = createExchange({ markets: ['BTC'], prices: 'held', funds: '10000000' })
  const [maker, taker] = [exchange.trader('maker'), exchange.trader('taker')]
  const quote = { symbol: 'BTC', side: 'ask', price: '105001', amount: '0.01', tif: 'ALO' } as const
  const run = (rounds: number) => {
    for (let at = 0; at < rounds; at++) {
      const placed = maker.place(quote)
      if (!placed.ok) throw placed.error
      const done =
        at % 4 === 0
          ? taker.place({ ...quote, side: 'bid', tif: 'IOC' })
          : maker.cancel({ symbol: 'BTC', order_id: placed.orderId })
      if (!done.ok) throw done.error
    }
  }
  run(10_000)
  const { ms } = timed(() => run(commands / 2))
  return (commands * 1_000) / ms
}
