// A market maker through ccxt, on a sandbox (`npm start`): joins the best prices of BTC for some
// rounds, then leaves without a position.
//   node examples/ccxt-bot.mjs [http://127.0.0.1:8080] [rounds]

import { generateKeyPairSync } from 'node:crypto'
import ccxt from 'ccxt'

const [url = 'http://127.0.0.1:8080', rounds = '20'] = process.argv.slice(2)
const [symbol, size, most] = ['BTC/USDC:USDC', 0.01, 0.03]
const rest = `${url}/ccxt`
const exchange = new ccxt.pro.pacifica({
  urls: { api: { public: rest, private: rest, ws: { public: `${url.replace('http', 'ws')}/ws` } } },
  enableRateLimit: false, // a sandbox has no limits
  options: { expiryWindow: 30_000 },
})
await exchange.loadHttpProxyAgent() // only for plain ws://

// A new key with test money. At a venue these lines are the key you have.
const { d, x } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
const [seed, address] = [d, x].map((part) => Buffer.from(part, 'base64url'))
exchange.walletAddress = exchange.binaryToBase58(address)
exchange.privateKey = exchange.binaryToBase58(Buffer.concat([seed, address]))
await fetch(`${url}/api/v1/sandbox/faucet`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ account: exchange.walletAddress, amount: '10000' }),
})

/** BTC held, negative when short. */
async function held() {
  const { contracts = 0, side } = await exchange.fetchPosition(symbol)
  return side === 'short' ? -contracts : contracts
}
const params = { timeInForce: 'PO' }
const quote = (side, [price]) => ({ symbol, type: 'limit', side, amount: size, price, params })

for (let round = 1; round <= Number(rounds); round++) {
  const { bids, asks } = await exchange.watchOrderBook(symbol)
  await exchange.cancelAllOrders(symbol)
  const position = await held()
  const quotes = []
  if (bids.length > 0 && position < most) quotes.push(quote('buy', bids[0]))
  if (asks.length > 0 && position > -most) quotes.push(quote('sell', asks[0]))
  if (quotes.length > 0) await exchange.createOrders(quotes)
  console.log(`round ${round}: ${bids[0]?.[0]} | ${asks[0]?.[0]}, holding ${position} BTC`)
}

await exchange.cancelAllOrders(symbol)
for (let left = await held(); left !== 0; left = await held()) {
  const closing = [left > 0 ? 'sell' : 'buy', Math.abs(left), undefined, { reduceOnly: true }]
  await exchange.createOrder(symbol, 'market', ...closing)
  await exchange.sleep(500) // orders that take wait at the speed bump
}
const { USDC } = await exchange.fetchBalance()
console.log(`flat again, with ${USDC.total} of 10000 USDC`)
await exchange.close()
