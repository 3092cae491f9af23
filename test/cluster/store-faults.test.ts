// Operator mistakes and exhausted machines: each is an error that names the remedy, with nothing
// changed or acknowledged.

import assert from 'node:assert/strict'
import { sha256 } from '../../src/journal/frame.ts'
import { openPostgresStore } from '../../src/journal/postgres/open-store.ts'
import { endOf } from '../../src/journal/store/frame-store.ts'
import {
  beginning,
  ended,
  firstLease,
  frameOf,
  leadOn,
  openStore,
  textsOf,
  wanted,
  wholeChain,
} from '../support/postgres/chain.ts'
import { sharedDatabases, test } from '../support/postgres/database-tests.ts'
import { Databases } from '../support/postgres/databases.ts'
import { Wire } from '../support/postgres/wire.ts'

const databases = sharedDatabases(2)

/** For a machine that never answers; others answer sooner. */
const answerMs = 3_000
const opened = (connectionString: string) => openPostgresStore(wanted(connectionString, answerMs))

test('the invalid part of a connection string is named', async () => {
  const { folder } = databases.primary
  const host = `${encodeURIComponent(folder)}:5432`
  const unread = /cannot be read: it has to be postgres:\/\/user:password@host:port/
  for (const [text, said] of [
    ['', unread],
    ['mysql://a/b', unread],
    ['postgres://a:secret@b', unread],
    ['postgres://a:secret@,/b', unread],
    ['postgres://a:secret@b:99999/c', unread],
    ['postgres://a:secret@b:port/c', unread],
    ['postgres://a:secret@%zz/c', unread],
    ['postgres://a:secret@127.0.0.1:1/b', /127\.0\.0\.1:1 .*nothing listens there: check host/],
    ['postgres://a:secret@nowhere.invalid/b', /nowhere\.invalid .*no such host|network/],
    ['postgres://a:secret@%2Fnowhere/b', /no such socket: check the path/],
    [
      `postgres://stranger:secret@${host}/postgres`,
      /role "stranger" does not exist.*let this user/,
    ],
    [`postgres://openperp:secret@${host}/none`, /"none" does not exist.*create the database/],
  ] as const)
    await assert.rejects(opened(text), (error: Error) => {
      assert.match(error.message, said, text)
      assert.doesNotMatch(`${error.message}${error.stack}`, /secret/)
      return true
    })
})

test('of several hosts the primary is used, whatever the state of the others', async () => {
  const { primary, standbys } = databases
  const hosts = [...standbys, primary].map(({ folder }) => encodeURIComponent(folder))
  const url = `postgres://openperp@127.0.0.1:1,${hosts.join(':5432,')}:5432/postgres`
  const store = await opened(url)
  assert.deepEqual(await store.newest(), beginning)
  store.close()
  const [standby] = standbys
  await assert.rejects(opened(databases.url([standby!])), /is a primary now: promote a standby/)
})

test('a machine that accepts connections and never answers does not block for long', async () => {
  const stalled = await Wire.to(databases.primary.socket)
  stalled.cut('there', 'back')
  const url = `postgres://openperp@127.0.0.1:${stalled.port}/postgres`
  await assert.rejects(opened(url), { code: 'STORE_UNREACHABLE' })
  // Nor does it hide the primary next to it.
  const host = encodeURIComponent(databases.primary.folder)
  const store = await opened(`postgres://openperp@127.0.0.1:${stalled.port},${host}:5432/postgres`)
  store.close()
  stalled.close()
})

test('a database of another exchange, or of another version, is left unchanged', async () => {
  const url = await databases.empty()
  const store = await openStore(url)
  const leadership = await leadOn(store)
  await leadership.append(frameOf(beginning, 'a'))
  await leadership.resign()
  const other = { ...wanted(url), origin: sha256(Buffer.from('another')) }
  await assert.rejects(openPostgresStore(other), {
    code: 'STORE_OF_ANOTHER',
    message: /holds another exchange .* Nothing was changed\. Name the database of this exchange/,
  })
  const table = `${databases.schema}.openperp_exchange`
  await databases.primary.query(`UPDATE ${table} SET version = version + 1`)
  await assert.rejects(opened(url), {
    code: 'STORE_VERSION',
    message:
      /have version \d+; this program knows version \d+\. Nothing was changed\. Run the openperp/,
  })
  await databases.primary.query(`UPDATE ${table} SET version = version - 1`)
  const again = await openStore(url)
  assert.deepEqual((await wholeChain(again)).flatMap(textsOf), ['a'])
  again.close()
})

test('nodes that start together on an empty database create its tables once', async () => {
  const url = await databases.empty()
  const stores = await Promise.all(Array.from({ length: 6 }, () => openStore(url)))
  for (const store of stores) {
    assert.deepEqual(await store.newest(), beginning)
    store.close()
  }
})

test('a user without the required rights gets the missing ones named', async () => {
  const url = await databases.empty()
  const { primary } = databases
  await primary.query('CREATE ROLE clerk LOGIN')
  const clerks = url.replace('openperp@', 'clerk@')
  await primary.query(`GRANT USAGE ON SCHEMA ${databases.schema} TO clerk`)
  await assert.rejects(opened(clerks), /permission denied.*the user of a trading node has to own/)
  await primary.query(`GRANT CREATE ON SCHEMA ${databases.schema} TO clerk`)
  const store = await opened(clerks)
  await assert.rejects(store.lead('clerk', 0), {
    code: 'STORE_NOT_REPLICATED',
    message: /may not see the state of the standbys: GRANT pg_monitor/,
  })
  await primary.query('GRANT pg_monitor TO clerk')
  assert.notEqual(await store.lead('clerk', 0), null)
  store.close()
})

test('a database without synchronous replication is not used by a leader', async () => {
  const alone = await Databases.start(1)
  const store = await openStore(alone.url())
  await assert.rejects(store.lead('one', 0), {
    code: 'STORE_NOT_REPLICATED',
    message: /could be lost with one machine: synchronous_standby_names is empty: name the stand/,
  })
  store.close()
  await alone.close()
  const { primary } = databases
  await primary.query("ALTER SYSTEM SET fsync = 'off'")
  await primary.query('SELECT pg_reload_conf()')
  const unsynced = await openStore(await databases.empty())
  await assert.rejects(unsynced.lead('two', 0), /fsync is off: it must be on/)
  unsynced.close()
  await primary.query('ALTER SYSTEM RESET fsync')
  await primary.query('SELECT pg_reload_conf()')
})

test('a full disk ends the leadership with the reason and leaves no partial frame', async () => {
  const url = await databases.empty()
  const store = await openStore(url)
  const leadership = await leadOn(store, undefined, 'node')
  const a = frameOf(beginning, 'a')
  await leadership.append(a)
  // The error of a server that cannot extend a file; a full disk for the test would need root.
  await databases.primary.query(`
    CREATE FUNCTION ${databases.schema}.full() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      RAISE 'could not extend file: No space left on device' USING ERRCODE = 'disk_full';
    END $$`)
  await databases.primary.query(`
    CREATE TRIGGER full_disk BEFORE INSERT ON ${databases.schema}.openperp_frame
    FOR EACH ROW EXECUTE FUNCTION ${databases.schema}.full()`)
  const b = frameOf(endOf(a), 'b')
  await assert.rejects(leadership.append(b), {
    code: 'STORE_FULL',
    message: /No space left on device": its disk is full: make room there, then start again/,
  })
  assert.equal((await ended(leadership)).code, 'STORE_FULL')
  await databases.primary.query(`DROP TRIGGER full_disk ON ${databases.schema}.openperp_frame`)
  const again = await openStore(url)
  const next = await leadOn(again, undefined, 'node')
  await next.append(b)
  assert.deepEqual((await wholeChain(again)).flatMap(textsOf), ['a', 'b'])
  await next.resign()
})

test('clocks that are hours apart do not matter', async () => {
  const url = await databases.empty()
  const hour = 3_600_000
  let time = 0
  const late = await openPostgresStore({ ...wanted(url), now: () => time + hour })
  const early = await firstLease(url, 'early')
  assert.equal(await late.lead('late', 0), null)
  time += 29_999
  assert.equal(await late.lead('late', 0), null)
  time += 1_000
  assert.notEqual(await late.lead('late', 0), null)
  early.close()
  late.close()
})
