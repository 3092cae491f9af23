// A maker on quotes, one signature and protection, for ten minutes with a crash, in process:
//   node examples/quote-bot.mjs [seed]
// Six quotes move with the index every three seconds under one signature, and takers who see each
// price first hit what stands wrong. With protection one fill too many takes the others away.

import { createExchange } from 'openperp/embed'

const seed = process.argv[2] ?? 'examples'
const [symbol, amount, spread] = ['BTC', '0.2', 0.0005]
const limits = { symbol, window_ms: 10_000, frozen_ms: 30_000, max_net_amount: amount }

async function tenMinutes(mmp) {
  const exchange = createExchange({ markets: [symbol], seed, funds: '1000000' })
  const [maker, taker] = [await exchange.client('maker'), exchange.trader('taker')]
  const index = () => exchange.market(symbol).oracle / 1_000_000
  if (mmp) await maker.setMmp(limits)
  await maker.scheduleCancel({ time: exchange.now + 600_000 }) // cancels all quotes at that time
  let [trips, back, fills, frozen] = [0, 0, 0, false]
  for (let second = 0; second < 600; second += 3) {
    if (second === 120) await maker.sandboxScenario({ symbol, name: 'crash' })
    const wasFrozen = frozen
    frozen = (await maker.getMmp()).some(({ frozen_until }) => frozen_until !== null)
    if (frozen && !wasFrozen) trips += 1
    if (wasFrozen && !frozen) back += 1
    if (!frozen) await maker.batchOrders({ actions: quotes(index(), mmp), together: true })
    exchange.advance('3s')
    fills += takeStale(taker, index())
  }
  const [position] = await maker.getPositions()
  const { account_equity } = await maker.getAccount()
  return { trips, back, fills, holds: position?.amount ?? '0', equity: account_equity }
}

function quotes(middle, mmp) {
  return ['bid', 'ask'].flatMap((side) =>
    [1, 2, 3].map((level) => {
      const sign = side === 'bid' ? -1 : 1
      const price = String(Math.round(middle * (1 + sign * spread * level)))
      // The same id in every round: the quote is moved.
      const client_order_id = `00000000-0000-4000-8000-00000000000${level + (sign + 1) * 3}`
      return { type: 'Quote', data: { symbol, side, price, amount, client_order_id, mmp } }
    }),
  )
}

/** Three orders a side, one after the other, as far as quotes stand on the wrong side. */
function takeStale(taker, index) {
  const sell = { symbol, side: 'ask', price: String(Math.ceil(index)), amount, tif: 'IOC' }
  const buy = { ...sell, side: 'bid', price: String(Math.floor(index)) }
  const orders = [sell, sell, sell, buy, buy, buy]
  return orders.map((order) => taker.place(order)).filter(({ status }) => status === 'filled')
    .length
}

for (const mmp of [false, true]) {
  const { trips, back, fills, holds, equity } = await tenMinutes(mmp)
  console.log(`${mmp ? 'protected' : 'unprotected'}: ${fills} fills, holds ${holds} ${symbol},`)
  console.log(`  tripped ${trips} times and back ${back}, equity ${equity} of 1000000`)
}
