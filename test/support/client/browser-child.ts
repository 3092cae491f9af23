// A process that has what a browser has and nothing of Node's own, in which the client trades.
// Prints what it loaded and what it did, as JSON.

import { register } from 'node:module'
import { MessageChannel } from 'node:worker_threads'
import { WebSocket } from 'ws'

const [, , url] = process.argv
const loaded: unknown[] = []
const { port1, port2 } = new MessageChannel()
port1.on('message', (each) => loaded.push(each))
port1.unref()
register('./browser-hooks.js', import.meta.url, { data: { port: port2 }, transferList: [port2] })

const globals = globalThis as Record<string, unknown>
globals.WebSocket = WebSocket

const { Client, newKey } = await import('../../../src/client/index.ts')
const key = newKey()
const visitor = new Client({ url: url!, signer: key })
await visitor.sandboxFaucet({ amount: '1000' })
const { data: made } = await visitor.createApiKey()
const client = new Client({ url: url!, signer: key, apiKey: made.api_key })
const stream = client.stream()
const fills: string[] = []
const { ready } = stream.subscribe('account_trades', {}, ({ data }) => {
  fills.push(...data.map(({ s, a }) => `${s} ${a}`))
})
await ready
const order = { symbol: 'BTC', side: 'bid', amount: '0.001', reduce_only: false } as const
await stream.call('create_market_order', { ...order, slippage_percent: '5' })
const refused = await client.withdraw({ amount: '1000000' }).catch((error: Error) => error.name)
while (fills.length === 0) await new Promise((done) => setTimeout(done, 5))
stream.close()
console.log(JSON.stringify({ loaded, fills, refused }))
process.exit(0)
