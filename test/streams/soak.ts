// `npm run soak:streams`: the streams under random trading for as long as wanted.
//   --commands 10000 --disconnects 200 --frames 50000 --pings 150000000 (bytes) --seed 1

import { parseArgs } from 'node:util'
import { LiveExchange } from '../support/streams/live-exchange.ts'
import { bookSoak } from './book-soak.ts'
import { malformedSoak } from './malformed-soak.ts'
import { pingSoak } from './ping-soak.ts'
import { privateSoak } from './private-soak.ts'

const option = (value: string) => ({ type: 'string', default: value }) as const
const { values } = parseArgs({
  options: {
    commands: option('10000'),
    disconnects: option('200'),
    frames: option('50000'),
    pings: option('150000000'),
    seed: option('1'),
  },
})
const seed = Number(values.seed)
const exchange = await LiveExchange.start()
await exchange.client().sandboxSetClock({ freeze: true })
await exchange.client().sandboxSetOracle({ symbol: 'SOL', price: '150' })
console.log('book     ', await bookSoak(exchange, Number(values.commands), seed))
console.log('private  ', await privateSoak(exchange, Number(values.disconnects), seed))
console.log('malformed', await malformedSoak(exchange, Number(values.frames), seed))
console.log('pings    ', await pingSoak(exchange, Number(values.pings)))
await exchange.close()
