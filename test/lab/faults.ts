// Every kind of fault of requests with two clients, and ledgers of many runs with accounts in
// parallel.

import { createExchange } from '../../src/embed/embed.ts'
import { requestFaults } from '../../src/protocol/schemas/lab/faults.ts'
import { faultySession, kinds } from '../support/lab/faulty-client.ts'
import { number } from '../support/program/options.ts'
import { programOptions } from '../support/program/program.ts'

const { runs, orders, accounts } = programOptions({
  name: 'lab/faults',
  about:
    'Each kind of fault of requests with our client and with ccxt: what the client believes, and ' +
    'what the report says that it believes. Then the ledgers of runs with accounts in parallel. ' +
    'Exits with code 1 if two answers differ.',
  options: {
    runs: number(100, 'runs whose ledgers have to be equal'),
    orders: number(40, 'orders of each client'),
    accounts: number(5, 'accounts that trade in parallel'),
  },
})

let wrongCount = 0
const quick = ['timeout_lost', 'timeout_done'] as readonly string[]
for (const client of kinds)
  for (const fault of requestFaults) {
    if (client === 'ccxt' && fault === 'duplicate') continue
    const ms = quick.includes(fault) ? { ms: 20 } : {}
    const { faults, wrong, named, unanswered, left } = await faultySession(
      client,
      { fault, p: 0.3, ...ms },
      orders,
    )
    const isRight =
      `${wrong}` === `${named}` && unanswered[0] === unanswered[1] && left.length === 0
    if (!isRight) wrongCount += 1
    console.log(
      `${client.padEnd(5)} ${fault.padEnd(13)} ${`${faults.length}`.padStart(3)} faults, ` +
        `${wrong.length} orders believed wrongly, ${named.length} named, ` +
        `${unanswered[0]} requests without answer, ${unanswered[1]} named, ` +
        `${left.length} left${isRight ? '' : '  WRONG'}`,
    )
  }

async function digestOf(): Promise<string> {
  const exchange = createExchange({ markets: ['BTC'], prices: 'held', verify: false })
  const names = Array.from({ length: accounts }, (_, at) => `trader ${at}`)
  const clients = await Promise.all(names.map((name) => exchange.client(name)))
  // A slow answer needs a clock that moves, and a skewed clock needs signatures.
  const rules = requestFaults
    .filter((fault) => fault !== 'slow' && fault !== 'skew')
    .map((fault) => ({ fault, p: 0.05, ...(quick.includes(fault) && { ms: 5 }) }))
  exchange.faults({ seed: 42, rules })
  await Promise.all(
    clients.map(async (client) => {
      for (let count = 0; count < orders; count++) {
        const price = `${90_000 + count}`
        const fields = { symbol: 'BTC', side: 'bid', price, amount: '0.01', tif: 'GTC' } as const
        await client.createOrder({ ...fields, reduce_only: false }).catch(() => undefined)
      }
    }),
  )
  const { digest } = exchange.faultReport()
  await exchange.close()
  return digest
}

const digests = new Set<string>()
for (let run = 0; run < runs; run++) digests.add(await digestOf())
console.log(`${runs} runs, ${digests.size} ledgers: ${[...digests].join(' ')}`)
process.exitCode = wrongCount === 0 && digests.size === 1 ? 0 : 1
