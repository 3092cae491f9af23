// Sessions over HTTP, each in a new fixture, and one in process: all have the same trading hash.

import { Client } from '../../src/client/client.ts'
import { keyOfSecret } from '../../src/client/key.ts'
import { embeddedSession, playSession } from '../support/lab/session.ts'
import { number } from '../support/program/options.ts'
import { programOptions } from '../support/program/program.ts'
import { Fixture } from '../support/running/fixture.ts'

const { runs, steps, seed } = programOptions({
  name: 'lab/repeat',
  about:
    'The same requests in new fixtures, over HTTP, and in an embedded exchange, with bots. Exits ' +
    'with code 1 if two trading hashes differ.',
  options: {
    runs: number(10, 'fixtures'),
    steps: number(200, 'requests of a session'),
    seed: number(7, 'seed of the exchange and of the requests'),
  },
})

async function overHttp(): Promise<string> {
  const fixture = new Fixture(['--seed', `${seed}`, '--accounts', 'alice:50000,bob:50000'])
  const { url, accounts } = await fixture.line
  const client = (name: string) =>
    new Client({ url, signer: keyOfSecret(accounts[name]!.secret), timeoutMs: 60_000 })
  try {
    return await playSession({ alice: client('alice'), bob: client('bob') }, `${seed}`, steps)
  } finally {
    await fixture.end()
  }
}

const expected = await embeddedSession(`${seed}`, steps, seed)
console.log(`embedded  ${expected}`)
let equal = 0
for (let run = 1; run <= runs; run++) {
  const hash = await overHttp()
  if (hash === expected) equal += 1
  console.log(`run ${`${run}`.padStart(4)}  ${hash}`)
}
console.log(`${equal} of ${runs} equal`)
process.exitCode = equal === runs ? 0 : 1
