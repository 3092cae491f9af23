// What a falling price does to a long at twenty times, and what a stop would have saved:
//   node examples/liquidation-drill.mjs
// The same fall is played twice, from the same snapshot, through the typed client.

import { createExchange } from 'openperp/embed'

const exchange = createExchange({ markets: ['BTC'], prices: 'held', funds: '10000' })
exchange.fund('market maker', '5000000')
const maker = exchange.trader('market maker')
const alice = await exchange.client('alice')

/** Someone to trade with, a little away from the index price. */
function offer(price) {
  maker.cancelAll()
  const order = { symbol: 'BTC', amount: '20' }
  maker.place({ ...order, side: 'bid', price: String(price - 10) })
  maker.place({ ...order, side: 'ask', price: String(price + 10) })
}

async function fall() {
  let held = ''
  for (let price = 100_000; price > 85_000 && held !== '0'; price -= price > 93_500 ? 250 : 6_000) {
    offer(price)
    exchange.setOracle('BTC', String(price))
    exchange.advance('3s')
    const { account_equity, cross_mmr } = await alice.getAccount()
    const [{ amount } = { amount: '0' }] = await alice.getPositions()
    if (amount !== held || price % 2_000 === 0)
      console.log(`${price}  equity ${account_equity}, needs ${cross_mmr}, holds ${amount} BTC`)
    held = amount
  }
  for await (const fill of alice.rows('get_trade_history', {}))
    console.log(
      `  ${fill.cause.padEnd(10)} ${fill.side} ${fill.amount} at ${fill.price}, pnl ${fill.pnl}`,
    )
}

exchange.setOracle('BTC', '100000')
offer(100_000)
await alice.updateLeverage({ symbol: 'BTC', leverage: 20 })
const market = { symbol: 'BTC', slippage_percent: '1', reduce_only: false }
await alice.createMarketOrder({ ...market, side: 'bid', amount: '1.5' })
exchange.snapshot()

console.log('without a stop')
await fall()

exchange.revert()
console.log('with a stop at 97500')
await alice.setPositionTpsl({ symbol: 'BTC', side: 'ask', stop_loss: { stop_price: '97500' } })
await fall()
await exchange.close()
