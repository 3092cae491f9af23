// Streams under random trading, in a short form; `npm run x soak/streams` has the long one.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { LiveExchange } from '../support/streams/live-exchange.ts'
import { bookSoak } from './book-soak.ts'
import { malformedSoak } from './malformed-soak.ts'
import { privateSoak } from './private-soak.ts'

let exchange: LiveExchange

before(async () => {
  exchange = await LiveExchange.start()
  await exchange.client().sandboxSetClock({ freeze: true })
  await exchange.client().sandboxSetOracle({ symbol: 'SOL', price: '150' })
})
after(() => exchange.close())

test('rebuilt from its changes the book is the book, over orders and reconnects', async () => {
  const { frames, reconnects } = await bookSoak(exchange, 2_000, 1)
  assert.ok(frames > 30 && reconnects > 2, `${frames} frames, ${reconnects} reconnects`)
})

test('a client that resumes with resume_from misses nothing and gets nothing twice', async () => {
  const { fills, resumed } = await privateSoak(exchange, 20, 2)
  assert.ok(fills > 100 && resumed >= 80, `${fills} fills, ${resumed} resumed`)
})

test('whatever is sent is answered with an error or a close that says why', async () => {
  const { answered, closed, sent } = await malformedSoak(exchange, 2_000, 3)
  assert.ok(answered + closed === sent && closed > 5, `${answered} + ${closed} of ${sent}`)
})
