// Funding arbitrage on hourly prices of a CSV, in process:
//   node examples/funding-arbitrage.mjs [examples/btc-hourly.csv]
// While the perpetual trades above the index, longs pay shorts every hour. So sell it and hold the
// same amount of coins, which are bought and sold here at the index price; go home when it turns.

import { readFileSync } from 'node:fs'
import { createExchange } from 'openperp/embed'

const file = process.argv[2] ?? new URL('btc-hourly.csv', import.meta.url)
const [, ...lines] = readFileSync(file, 'utf8').trim().split('\n')
const hours = lines.map((line) => line.split(',')).map(([, index, perp]) => ({ index, perp }))

const exchange = createExchange({ markets: ['BTC'], verify: false })
const crowd = exchange.trader('crowd')
exchange.fund('crowd', '10000000')
const trader = exchange.trader('arbitrageur')
const client = await exchange.client('arbitrageur')

const amount = '0.8'
const enterAbove = 0.00002
let coins = 0
let coinCash = 0

/** The book of this hour: everyone else trades the perpetual at this price. */
function open({ index, perp }) {
  exchange.setOracle('BTC', index)
  crowd.cancelAll()
  const order = { symbol: 'BTC', amount: '5' }
  crowd.place({ ...order, side: 'bid', price: String(Number(perp) - 2) })
  crowd.place({ ...order, side: 'ask', price: String(Number(perp) + 2) })
}

function trade(side, index) {
  const done = trader.market({ symbol: 'BTC', side, amount, reduce_only: side === 'bid' })
  if (!done.ok) throw done.error
  const sign = side === 'ask' ? 1 : -1
  coins += sign * Number(amount)
  coinCash -= sign * Number(amount) * Number(index)
}

for (const [hour, prices] of hours.entries()) {
  open(prices)
  const [{ funding_rate: rate }] = await client.getInfo()
  const turns =
    coins === 0 ? Number(rate) > enterAbove : Number(rate) < 0 || hour === hours.length - 1
  if (turns) {
    trade(coins === 0 ? 'ask' : 'bid', prices.index)
    console.log(`hour ${hour}: rate ${rate}, ${coins > 0 ? 'in' : 'out'} at ${prices.perp}`)
  }
  exchange.advance('1h')
}

let funding = 0
for await (const { payout } of client.rows('get_funding_history', {})) funding += Number(payout)
const cents = (dollars) => Math.round(dollars * 100) / 100
const perp = Number(trader.account().account_equity) - 100_000
console.log(`funding ${cents(funding)}, perpetual ${cents(perp)} with funding and fees,`)
console.log(`coins ${cents(coinCash)}, together ${cents(perp + coinCash)} USD`)
