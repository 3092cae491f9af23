// Three ways in which a prototype lost acknowledged frames, and other changes to a database while
// it has a leader: each is noticed, and nothing is acknowledged that could be lost.

import assert from 'node:assert/strict'
import { openPrimary } from '../../src/journal/postgres/find-primary.ts'
import { hostsOf } from '../../src/journal/postgres/hosts.ts'
import { OtherPrimaries } from '../../src/journal/postgres/other-primaries.ts'
import { PostgresStore } from '../../src/journal/postgres/postgres-store.ts'
import { endOf, fateOf } from '../../src/journal/store/frame-store.ts'
import { until } from '../support/http/held-sockets.ts'
import {
  beginning,
  ended,
  frameOf,
  leadOn,
  now,
  openStore,
  textsOf,
  wanted,
  wholeChain,
} from '../support/postgres/chain.ts'
import { sharedDatabases, test } from '../support/postgres/database-tests.ts'
import { Wire } from '../support/postgres/wire.ts'

const databases = sharedDatabases()

/** Short, for the nodes that wait for its end. */
const leaseMs = 6_000
/** On a slow machine it may have expired before the append is sent. */
const overOrUnknown = { code: /^(?:FATE_UNKNOWN|LEAD_LOST)$/ }

/** No more acknowledgements: the standbys are paused. */
async function withoutStandbys(work: () => Promise<void>): Promise<void> {
  for (const standby of databases.standbys) standby.pause()
  try {
    await work()
  } finally {
    for (const standby of databases.standbys) standby.wake()
  }
}

const waiting = `SELECT pid FROM pg_stat_activity
  WHERE wait_event = 'SyncRep' AND query LIKE '%INSERT INTO openperp_frame%'`

const taking = `SELECT pid FROM pg_stat_activity
  WHERE wait_event_type = 'Lock' AND query LIKE '%UPDATE openperp_lead%'`

test('a commit cancelled while it waits for its standby is not acknowledged', async () => {
  const url = await databases.empty()
  const store = await openStore(url)
  const leadership = await leadOn(store)
  const a = frameOf(beginning, 'a')
  await leadership.append(a)
  const b = frameOf(endOf(a), 'b')
  await withoutStandbys(async () => {
    const appended = leadership.append(b)
    appended.catch(() => undefined)
    await until(async () => (await databases.primary.query(waiting)).length === 1)
    // Paused first: with its standbys running the cancel would come too late.
    const [row] = await databases.primary.query<{ pid: number }>(waiting)
    await databases.primary.query(`SELECT pg_cancel_backend(${row!.pid})`)
    await assert.rejects(appended, { code: 'FATE_UNKNOWN' })
  })
  const { code, message } = await ended(leadership)
  assert.equal(code, 'FATE_UNKNOWN')
  assert.match(message, /canceling wait for synchronous replication/)
  await assert.rejects(leadership.append(frameOf(endOf(b), 'c')), { code: 'FATE_UNKNOWN' })
  // It was stored: the next leader finds it, and it is not sent twice.
  const next = await openStore(url)
  assert.equal(await fateOf(next, b), 'in')
  next.close()
})

test('a connection that is lost while its commit waits leaves an unknown outcome', async () => {
  const { primary } = databases
  const ends = {
    async terminated() {
      const [row] = await primary.query<{ pid: number }>(waiting)
      await primary.query(`SELECT pg_terminate_backend(${row!.pid})`)
    },
    // The server has not answered, and its commit still waits.
    async cut(wire: Wire) {
      wire.reset()
    },
  }
  for (const end of Object.values(ends)) {
    const wire = await Wire.to(primary.socket)
    const [, schema] = (await databases.empty()).split('?')
    const store = await openStore(`postgres://openperp@127.0.0.1:${wire.port}/postgres?${schema}`)
    const leadership = await leadOn(store)
    await withoutStandbys(async () => {
      const appended = leadership.append(frameOf(beginning, 'a'))
      appended.catch(() => undefined)
      await until(async () => (await primary.query(waiting)).length === 1)
      await end(wire)
      await assert.rejects(appended, { code: 'FATE_UNKNOWN' })
    })
    assert.equal((await ended(leadership)).code, 'FATE_UNKNOWN')
    await until(async () => (await primary.query(waiting)).length === 0)
    wire.close()
  }
})

test('without a standby nothing is acknowledged, and a leader ends with its lease', async () => {
  const url = await databases.empty()
  const store = await openStore(url, leaseMs)
  const leadership = await leadOn(store, leaseMs)
  await withoutStandbys(async () => {
    await assert.rejects(leadership.append(frameOf(beginning, 'a')), overOrUnknown)
    assert.equal((await ended(leadership)).code, 'LEAD_LOST')
  })
})

test('standbys that are removed from the settings are noticed by the next append', async () => {
  const url = await databases.empty()
  const store = await openStore(url)
  const leadership = await leadOn(store)
  const a = frameOf(beginning, 'a')
  await leadership.append(a)
  const { primary } = databases
  await primary.query("ALTER SYSTEM SET synchronous_standby_names = ''")
  await primary.query('SELECT pg_reload_conf()')
  await until(async () => {
    const [row] = await primary.query<{ names: string }>(
      "SELECT current_setting('synchronous_standby_names') AS names",
    )
    return row!.names === ''
  })
  await assert.rejects(leadership.append(frameOf(endOf(a), 'b')), {
    code: 'FATE_UNKNOWN',
    message: /synchronous_standby_names of the database was emptied/,
  })
  const next = await openStore(url)
  await assert.rejects(next.lead('next', 0), {
    code: 'STORE_NOT_REPLICATED',
    message: /synchronous_standby_names is empty: name the standbys/,
  })
  next.close()
  await primary.query('ALTER SYSTEM RESET synchronous_standby_names')
  await primary.query('SELECT pg_reload_conf()')
})

test('changed settings are noticed by the heartbeat, too', async () => {
  const url = await databases.empty()
  const store = await openStore(url, 4_000)
  const leadership = await leadOn(store, 4_000)
  const { primary } = databases
  await primary.query("ALTER SYSTEM SET synchronous_standby_names = ''")
  await primary.query('SELECT pg_reload_conf()')
  assert.equal((await ended(leadership)).code, 'STORE_NOT_REPLICATED')
  await primary.query('ALTER SYSTEM RESET synchronous_standby_names')
  await primary.query('SELECT pg_reload_conf()')
})

test('a promoted standby without its own standbys is not used by a leader', async () => {
  const url = await databases.empty()
  const store = await openStore(url)
  const leadership = await leadOn(store, undefined, 'node')
  const a = frameOf(beginning, 'a')
  await leadership.append(a)
  const old = databases.primary
  await old.kill()
  await ended(leadership)
  for (const standby of databases.standbys) standby.set({ synchronous_standby_names: '' })
  await databases.failOver()
  const next = await openStore(url)
  // Its settings are wrong, whatever follows it.
  await assert.rejects(next.lead('node', 0), {
    code: 'STORE_NOT_REPLICATED',
    message: /synchronous_standby_names is empty/,
  })
  // Nor are its frames shown: they may be there only.
  await assert.rejects(next.read(beginning, 1), /synchronous_standby_names is empty: name the/)
  // The settings are right now, and no standby follows it.
  const [follower] = databases.standbys.filter((database) => database !== old)
  // A standby that is killed between two timelines cannot be started again.
  await databases.joined(1)
  await follower!.kill()
  databases.restoreQuorum()
  await until(async () => {
    const refused = await next.lead('node', 0).catch(({ message }) => message)
    return /no standby of ANY 1 .* is connected/.test(String(refused))
  })
  await follower!.start()
  await until(async () => (await next.lead('node', 0).catch(() => null)) !== null)
  assert.deepEqual((await wholeChain(next)).flatMap(textsOf), ['a'])
  next.close()
  await databases.rejoin(old)
})

test('a resumed primary is not used after another was promoted', async () => {
  const url = await databases.empty()
  const store = await openStore(url, leaseMs)
  const leadership = await leadOn(store, leaseMs)
  let ahead = 0
  const [promoted, left] = databases.standbys
  // It hears of the promoted machine some time after all others.
  const wire = await Wire.to(promoted!.socket)
  const slowed = url.replace(
    `${encodeURIComponent(promoted!.folder)}:5432`,
    `127.0.0.1:${wire.port}`,
  )
  const candidate = await PostgresStore.open({ ...wanted(slowed), now: () => now() + ahead })
  assert.equal(await candidate.lead('candidate', 0), null)
  const a = frameOf(beginning, 'a')
  await leadership.append(a)
  const old = databases.primary
  old.pause()
  const late = frameOf(endOf(a), 'late')
  await assert.rejects(leadership.append(late), overOrUnknown)
  // A careless promotion: one standby is promoted, the other still follows the old primary.
  await promoted!.promote()
  old.wake()
  databases.primary = promoted!
  // The old one has a standby that acknowledges everything. It is not even queried.
  const next = await openStore(url, leaseMs)
  await assert.rejects(next.lead('next', 0), /no standby of ANY 1 .* is connected/)
  next.close()
  // A node that is still connected to it, and finds the lease free, checks the others first.
  assert.equal(await candidate.lead('candidate', 0), null)
  ahead = 2 * leaseMs
  wire.slow(300)
  await assert.rejects(candidate.lead('candidate', 0), /was promoted in place of .* still runs as/)
  candidate.close()
  wire.close()
  await databases.rejoin(left!)
  await databases.rejoin(old)
})

test('a primary that is replaced while a node acquires the lead on it is not used', async () => {
  const url = await databases.empty()
  const candidate = await openStore(url)
  const old = databases.primary
  const [promoted, left] = databases.standbys
  // The node has checked the others, and its statement waits.
  const { session: locked } = await openPrimary(hostsOf(url), 30_000)
  await locked.query({ text: 'BEGIN' })
  await locked.query({ text: 'SELECT 1 FROM openperp_lead FOR UPDATE' })
  const led = candidate.lead('candidate', 0)
  led.catch(() => undefined)
  await until(async () => (await old.query(taking)).length > 0)
  await promoted!.promote()
  locked.close()
  await assert.rejects(led, /was promoted in place of .* still runs as/)
  candidate.close()
  databases.primary = promoted!
  await databases.rejoin(left!)
  await databases.rejoin(old)
})

test('a machine that was restarted, and then promoted, is noticed', async () => {
  const hosts = hostsOf(await databases.empty())
  const ours = await openPrimary(hosts, 30_000)
  const others = new OtherPrimaries(ours, hosts)
  await others.requireNone()
  const old = databases.primary
  const [promoted, left] = databases.standbys
  await promoted!.kill()
  await promoted!.start()
  await promoted!.promote()
  await assert.rejects(others.requireNone(), /was promoted in place of .* still runs as/)
  others.close()
  ours.session.close()
  databases.primary = promoted!
  await databases.rejoin(left!)
  await databases.rejoin(old)
})

test('a leader notices a promotion that replaced its primary', async () => {
  const url = await databases.empty()
  const store = await openStore(url, 4_000)
  const leadership = await leadOn(store, 4_000)
  const old = databases.primary
  const [promoted, left] = databases.standbys
  await promoted!.promote()
  const { code, message } = await ended(leadership)
  assert.equal(code, 'STORE_NOT_REPLICATED')
  assert.match(message, /was promoted in place of .* which still runs as a primary/)
  databases.primary = promoted!
  await databases.rejoin(left!)
  await databases.rejoin(old)
})
