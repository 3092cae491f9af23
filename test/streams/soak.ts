import { number } from '../support/program/options.ts'
import { programOptions } from '../support/program/program.ts'
import { LiveExchange } from '../support/streams/live-exchange.ts'
import { bookSoak } from './book-soak.ts'
import { malformedSoak } from './malformed-soak.ts'
import { pingSoak } from './ping-soak.ts'
import { privateSoak } from './private-soak.ts'

const { commands, disconnects, frames, pings, seed } = programOptions({
  name: 'soak/streams',
  about:
    'The streams under random trading: books that clients rebuild, private streams that are ' +
    'resumed after disconnects, malformed frames, and pings of clients that do not read.',
  options: {
    commands: number(10_000, 'commands while books are rebuilt'),
    disconnects: number(200, 'disconnects of private streams'),
    frames: number(50_000, 'malformed frames'),
    pings: number(150_000_000, 'bytes of pings'),
    seed: number(1, 'of what is drawn at random'),
  },
})
const exchange = await LiveExchange.start()
await exchange.client().sandboxSetClock({ freeze: true })
await exchange.client().sandboxSetOracle({ symbol: 'SOL', price: '150' })
console.log('book     ', await bookSoak(exchange, commands, seed))
console.log('private  ', await privateSoak(exchange, disconnects, seed))
console.log('malformed', await malformedSoak(exchange, frames, seed))
console.log('pings    ', await pingSoak(exchange, pings))
await exchange.close()
