// Exchanges on one chain: a follower has the state of the leader, a successor continues where the
// leader ended, and a returning node is restored from the store.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { NodeReport } from '../../src/sequencer/cluster/node-report.ts'
import { inexactField } from '../../src/sequencer/exact.ts'
import { Generator } from '../programs/differential/generator.ts'
import { openperp } from '../support/cli/run-openperp.ts'
import { until } from '../support/http/held-sockets.ts'
import { beginning, frameOf, leadOn, openStore, textsOf } from '../support/postgres/chain.ts'
import { ClusterNode } from '../support/postgres/cluster-node.ts'
import { sharedDatabases, sharedFolder, test } from '../support/postgres/database-tests.ts'

const databases = sharedDatabases()
const root = sharedFolder('followers')

test('a node that takes over has every acknowledged command, and the same state', async () => {
  const url = await databases.empty()
  const generator = new Generator(3, 2_000)
  const { genesis } = generator.world
  let time = 0
  const start = (name: string) =>
    ClusterNode.start({ folder: join(root, name), url, genesis, now: () => time })
  const run = async (node: ClusterNode, commands: number) => {
    for (let left = commands; left > 0; ) {
      const { atMs, command } = generator.next()
      time = Math.max(time, atMs)
      if (inexactField(command, '') !== null) continue
      left -= 1
      // Some commands are queued while others are in flight.
      if (left % 4 === 0) await node.submit(command)
      else void node.submit(command)
    }
  }
  const one = await start('one')
  const other = await start('other')
  await one.lead('one')
  await run(one, 200)
  await other.follow()
  assert.deepEqual([other.seq, other.hash], [one.seq, one.hash])
  await run(one, 200)
  const ended = [one.seq, one.hash]
  one.die()
  // The lease has the old leader’s name; only the old leader may release it, and it is known to
  // have exited.
  await other.lead('one')
  assert.deepEqual([other.seq, other.hash], ended)
  await run(other, 100)
  const again = await start('one')
  await again.follow()
  assert.deepEqual([again.seq, again.hash], [other.seq, other.hash])
  // From the store alone.
  const stranger = await start('stranger')
  await stranger.follow()
  assert.equal(stranger.hash, other.hash)
  for (const node of [other, again, stranger]) await node.close()
  assert.deepEqual([...other.fatal], [])
})

test('data that is on one machine only is shown to no client', async () => {
  const url = await databases.empty()
  const store = await openStore(url)
  const leadership = await leadOn(store)
  const { primary, standbys } = databases
  for (const standby of standbys) standby.pause()
  const lost = leadership.append(frameOf(beginning, 'a'))
  lost.catch(() => undefined)
  await until(async () => {
    const waiting = await primary.query(`SELECT pg_cancel_backend(pid) FROM pg_stat_activity
      WHERE wait_event = 'SyncRep' AND query LIKE '%INSERT INTO openperp_frame%'`)
    return waiting.length === 1
  })
  await assert.rejects(lost, { code: 'FATE_UNKNOWN' })
  // The primary shows the rows to every query. Our reader returns them once a standby has them.
  const reader = await openStore(url)
  assert.equal((await reader.newest()).seq, 1)
  let shown = false
  const read = reader.read(beginning, 1).then((frames) => {
    shown = true
    return frames
  })
  await until(async () => {
    const waiting = await primary.query(`SELECT 1 FROM pg_stat_activity
      WHERE query LIKE '%flush_lsn >= $1%' AND pid <> pg_backend_pid()`)
    return waiting.length > 0
  })
  assert.equal(shown, false)
  for (const standby of standbys) standby.wake()
  assert.deepEqual((await read).flatMap(textsOf), ['a'])
  reader.close()
})

test('a node with another state than the leader is removed, and the status says so', async () => {
  const url = await databases.empty()
  const [leading, following] = [await openStore(url), await openStore(url)]
  const wallMs = Date.now()
  const position = { role: 'trade', version: '1.2.3', link: '', wallMs, seq: 7, hashSeq: 7 }
  await leadOn(leading, undefined, 'one/a')
  await leading.exchangeNews({ ...position, name: 'one', holder: 'one/a', hash: 'aaaa' })
  const reportOf = (hash: string) =>
    new NodeReport({
      name: 'two',
      holder: 'two/b',
      role: 'trade',
      version: '1.2.3',
      link: '',
      wallNow: Date.now,
      seq: () => position.seq,
      hash: async () => hash,
    })
  assert.equal(await following.lead('two/b', 0), null)
  // At the second report nothing has changed since the first, so the hash is compared.
  const same = reportOf('aaaa')
  for (let word = 0; word < 3; word++) await same.publish(following)
  const status = ['cluster', 'status', '--cluster', url]
  assert.match((await openperp(status)).out, /node {2}two .* state same after seq 7 \(aaaa\)/)
  const other = reportOf('bbbb')
  for (let word = 0; word < 2; word++) await other.publish(following)
  await assert.rejects(other.publish(following), {
    code: 'STATE_OTHER',
    message: /after seq 7 \(bbbb\) is not the state of one, which leads \(aaaa\).*an empty folder/,
  })
  const { code, out } = await openperp(status)
  assert.equal(code, 4)
  assert.match(out, /node {2}two {2}trade {2}follows {2}seq 7 .* state differs/)
  for (const store of [leading, following]) store.close()
})
