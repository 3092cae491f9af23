// Sessions over HTTP, each in a new fixture, and one in process: all have the same trading hash.
// Then the requests of a session are sent from Python.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '../../src/client/client.ts'
import { keyOfSecret } from '../../src/client/key.ts'
import { methodName } from '../../src/client/methods.ts'
import { routeNames } from '../../src/protocol/routes.ts'
import { runPython } from '../support/lab/python.ts'
import { embeddedSession, playSession } from '../support/lab/session.ts'
import { number } from '../support/program/options.ts'
import { programOptions } from '../support/program/program.ts'
import { Fixture } from '../support/running/fixture.ts'

const { runs, python, steps, seed } = programOptions({
  name: 'lab/repeat',
  about:
    'The same requests in new fixtures, over HTTP from JavaScript and from Python, and in an ' +
    'embedded exchange, with bots. Exits with code 1 if two trading hashes differ.',
  options: {
    runs: number(10, 'fixtures'),
    python: number(10, 'fixtures that get their requests from Python; 0: none', { min: 0 }),
    steps: number(200, 'requests of a session'),
    seed: number(7, 'seed of the exchange and of the requests'),
  },
})

type Sent = readonly [trader: string, operation: string, fields: object]
const operations = new Map(routeNames.map((name) => [methodName(name) as string, name]))

/** The same client, which adds each request to `sent`. */
function recorded(client: Client, trader: string, sent: Sent[]): Client {
  return new Proxy(client, {
    get(target, method: string) {
      const run = target[method as keyof Client] as unknown
      const name = operations.get(method)
      if (name === undefined || typeof run !== 'function') return run
      return (fields: object = {}) => {
        sent.push([trader, name, fields])
        return run.call(target, fields)
      }
    },
  })
}

let sent: Sent[] = []

async function overHttp(): Promise<string> {
  const fixture = new Fixture(['--seed', `${seed}`, '--accounts', 'alice:50000,bob:50000'])
  const { url, accounts } = await fixture.line
  sent = []
  const client = (name: string) => {
    const signer = keyOfSecret(accounts[name]!.secret)
    return recorded(new Client({ url, signer, timeoutMs: 60_000 }), name, sent)
  }
  try {
    return await playSession({ alice: client('alice'), bob: client('bob') }, `${seed}`, steps)
  } finally {
    await fixture.end()
  }
}

const expected = await embeddedSession(`${seed}`, steps, seed)
console.log(`embedded    ${expected}`)
const found: string[] = []
for (let run = 1; run <= runs; run++) {
  found.push(await overHttp())
  console.log(`http ${`${run}`.padStart(4)}   ${found.at(-1)}`)
}
if (python > 0) {
  const folder = mkdtempSync(join(tmpdir(), 'openperp-repeat-'))
  const file = join(folder, 'requests.json')
  writeFileSync(file, JSON.stringify(sent))
  const failed = await runPython('play', [`${seed}`, `${python}`, file], (text) => {
    for (const hash of text.trim().split('\n')) {
      found.push(hash)
      console.log(`python ${`${found.length - runs}`.padStart(2)}   ${hash}`)
    }
  })
  rmSync(folder, { recursive: true })
  if (failed) found.push('failed')
}
const equal = found.filter((hash) => hash === expected).length
console.log(`${equal} of ${found.length} equal on Node ${process.version}`)
process.exitCode = equal === found.length ? 0 : 1
