// A store that fails beneath a running exchange is restarted and returns the same as one that never
// failed; until then the exchange is not ready.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseSync } from '@photostructure/sqlite'
import { ChildExchange } from '../support/running/child-exchange.ts'
import { Connection, dataOf, type Reply } from '../support/running/connection.ts'

const root = mkdtempSync(join(tmpdir(), 'openperp-restarts-'))
after(() => rmSync(root, { recursive: true, force: true }))
const account = '11111111111111111111111111111112'
const waitMs = 60_000

/** The exchange, with accounts that get deposits: each is a row of history. */
class Venue {
  readonly child: ChildExchange
  deposits = 0
  private connection!: Connection

  constructor(data: string) {
    this.child = new ChildExchange(data, ['--bots', 'off'])
  }

  async start(): Promise<this> {
    this.connection = new Connection((await this.child.ready).port)
    return this
  }

  async deposit(times = 1): Promise<void> {
    for (let n = 0; n < times; n++) {
      dataOf(await this.connection.post('/api/v1/sandbox/faucet', { account, amount: '10' }))
      this.deposits += 1
    }
  }

  readiness(): Promise<Reply> {
    return this.connection.send('GET', '/ready', null)
  }

  async untilReady(wanted: 200 | 503): Promise<unknown> {
    const until = Date.now() + waitMs
    for (;;) {
      const { status, body } = await this.readiness()
      if (status === wanted) return body
      assert.ok(Date.now() < until, `/ready still returns ${JSON.stringify(body)}`)
      await sleep(50)
    }
  }

  async balances(): Promise<readonly string[]> {
    const path = `/api/v1/account/balance/history?account=${account}&limit=1000`
    const rows = dataOf<readonly { balance: string }[]>(await this.connection.get(path))
    return rows.map(({ balance }) => balance)
  }

  expected(): readonly string[] {
    return Array.from({ length: this.deposits }, (_, n) => `${10 * (this.deposits - n)}`)
  }

  async stop(): Promise<void> {
    this.connection.close()
    this.child.kill('SIGTERM')
    assert.equal((await this.child.ended).code, 0)
  }
}

test('a store that cannot be written is not ready, and recovers when it can', async () => {
  const data = join(root, 'blocked')
  const venue = await new Venue(data).start()
  await venue.untilReady(200)
  await venue.deposit(5)
  assert.deepEqual(await venue.balances(), venue.expected())
  const other = new DatabaseSync(join(data, 'history.db'))
  other.exec('PRAGMA busy_timeout = 60000; BEGIN EXCLUSIVE')
  await venue.deposit(3)
  const said = (await venue.untilReady(503)) as { reason: string }
  assert.match(said.reason, /history is being restarted: .*locked/)
  // Trading does not wait for it.
  await venue.deposit(4)
  other.exec('ROLLBACK')
  other.close()
  await venue.untilReady(200)
  assert.deepEqual(await venue.balances(), venue.expected())
  await venue.deposit(2)
  assert.deepEqual(await venue.balances(), venue.expected())
  assert.match(venue.child.errors, /the history store failed/)
  assert.match(venue.child.errors, /the history store is whole again/)
  await venue.stop()
})
