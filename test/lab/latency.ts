// How close achieved delays are to the requested ones, over sockets and by the machine's clock.

import { Client } from '../../src/client/client.ts'
import { keyOfSecret } from '../../src/client/key.ts'
import { flag, number } from '../support/program/options.ts'
import { programOptions } from '../support/program/program.ts'
import { Fixture } from '../support/running/fixture.ts'

const limitsUs = { p50: 1_000, p99: 5_000 } as const

const { requests, check } = programOptions({
  name: 'lab/latency',
  about:
    'Orders and reads over HTTP with constant delays and with jitter: requested and achieved ' +
    'delays of each leg, and what the client measured beyond a request without delays.',
  options: {
    requests: number(400, 'requests for each plan'),
    check: flag('exit with code 1 if p50 is off by more than 1 ms, or p99 by more than 5 ms'),
  },
})

const fixture = new Fixture(['--clock', 'wall', '--accounts', 'alice:1000000'])
const { url, accounts } = await fixture.line
const alice = new Client({ url, signer: keyOfSecret(accounts.alice!.secret) })
const order = { symbol: 'BTC', side: 'bid', price: '50000', amount: '0.001', tif: 'IOC' } as const

const sorted = (values: number[]) => values.sort((a, b) => a - b)
const at = (values: number[], share: number) => values[Math.floor(values.length * share)]!

async function roundTripsMs(): Promise<number[]> {
  const found: number[] = []
  for (let count = 0; count < requests; count++) {
    const begun = performance.now()
    await alice.createOrder({ ...order, reduce_only: false })
    found.push(performance.now() - begun)
  }
  return sorted(found)
}

let missed = 0
function row(name: string, requested: readonly number[], achieved: readonly number[]) {
  const late = achieved.map((us, index) => us - requested[index]!)
  const isMissed = Math.abs(late[0]!) > limitsUs.p50 || Math.abs(late[1]!) > limitsUs.p99
  if (isMissed) missed += 1
  const cells = [...requested, ...achieved, ...late].map((us) => `${Math.round(us)}`.padStart(9))
  console.log(`${name.padEnd(24)}${cells.join('')}${isMissed ? '  missed' : ''}`)
}

const plans = {
  'constant 1 + 2 ms': { order: { const_us: 1_000 }, reply: { const_us: 2_000 } },
  'constant 5 + 4 ms': { order: { const_us: 5_000 }, reply: { const_us: 4_000 } },
  lognormal: {
    order: { base_us: 2_000, jitter: 'lognormal', p50_us: 5_000, p99_us: 20_000 },
    reply: { base_us: 500, jitter: 'gamma', p99_us: 9_000 },
  },
} as const

await roundTripsMs()
const bare = await roundTripsMs()
console.log(`microseconds              requested p50, p99   achieved p50, p99      late p50, p99`)
for (const [name, line] of Object.entries(plans)) {
  await alice.sandboxLatency({ seed: 7, lines: [line] })
  const trips = await roundTripsMs()
  const { legs } = await alice.sandboxGetLatency()
  for (const { leg, requested_us: wanted, achieved_us: found } of legs)
    row(`${name}, ${leg}`, [wanted.p50, wanted.p99], [found.p50, found.p99])
  if ('const_us' in line.order && 'const_us' in line.reply) {
    const total = line.order.const_us + line.reply.const_us
    const beyond = (share: number) => (at(trips, share) - at(bare, share)) * 1_000
    row(`${name}, client`, [total, total], [beyond(0.5), beyond(0.99)])
  }
}
await fixture.end()
console.log(missed === 0 ? 'within 1 ms at p50 and 5 ms at p99' : `${missed} rows missed`)
if (check && missed > 0) process.exitCode = 1
