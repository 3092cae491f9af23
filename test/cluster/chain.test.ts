// The chain of frames on real databases, one primary and two standbys: what is stored, what is
// rejected, and who may append.

import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Journal } from '../../src/journal/journal.ts'
import { PostgresStore } from '../../src/journal/postgres/postgres-store.ts'
import { JournalScan } from '../../src/journal/scan-journal.ts'
import { listSegments, segmentHeadLength } from '../../src/journal/segment.ts'
import { endOf, fateOf } from '../../src/journal/store/frame-store.ts'
import { Leadership } from '../../src/journal/store/leadership.ts'
import { LeaseWatch } from '../../src/journal/store/lease-watch.ts'
import { until } from '../support/http/held-sockets.ts'
import {
  beginning,
  ended,
  firstLease,
  frameOf,
  leadOn,
  now,
  openStore,
  origin,
  textsOf,
  wanted,
  wholeChain,
} from '../support/postgres/chain.ts'
import { sharedDatabases, test } from '../support/postgres/database-tests.ts'

const databases = sharedDatabases()

test('frames are read in order, byte for byte as in the file journal', async () => {
  const url = await databases.empty()
  const store = await openStore(url)
  const leadership = await leadOn(store)
  const folder = mkdtempSync(join(tmpdir(), 'openperp-chain-'))
  const scan = new JournalScan(folder, { origin, after: 0, seal: null })
  assert.equal([...scan.frames()].length, 0)
  const journal = await Journal.open(folder, scan.end)
  let end = beginning
  for (const texts of [['a'], ['b', 'c', 'd'], ['e'.repeat(200_000)]]) {
    const frame = frameOf(end, ...texts)
    await leadership.append(frame)
    await journal.append(frame.bytes.subarray(88), frame.count)
    end = endOf(frame)
  }
  await journal.close()
  const frames = await wholeChain(store)
  const [segment] = listSegments(folder)
  const stored = Buffer.concat(frames.map(({ bytes }) => bytes))
  assert.deepEqual(readFileSync(segment!.file).subarray(segmentHeadLength), stored)
  assert.deepEqual(frames.slice(0, 2).flatMap(textsOf), ['a', 'b', 'c', 'd'])
  assert.deepEqual(await store.newest(), end)
  // One at a time, from any position of a reader.
  assert.deepEqual(textsOf((await store.read(endOf(frames[0]!), 1))[0]!), ['b', 'c', 'd'])
  await leadership.resign()
  rmSync(folder, { recursive: true })
})

test('a frame can only be appended behind the newest one, by any leader', async () => {
  const url = await databases.empty()
  const first = await openStore(url)
  const old = await leadOn(first)
  const a = frameOf(beginning, 'a')
  await old.append(a)
  // As if the old leader had been suspended: it still believes to lead, and another one does.
  const second = await openStore(url)
  await first.resign()
  const leadership = await leadOn(second)
  const b = frameOf(endOf(a), 'b')
  await leadership.append(b)
  const late = frameOf(endOf(a), 'late')
  await assert.rejects(first.append(late), { code: 'CHAIN_MOVED' })
  assert.equal(await fateOf(second, late), 'out')
  assert.equal(await fateOf(second, b), 'in')
  assert.equal(await fateOf(second, frameOf(endOf(b), 'c')), 'open')
  await assert.rejects(old.append(frameOf(endOf(b), 'more')), { code: /LEAD_LOST|CHAIN_MOVED/ })
  assert.deepEqual((await wholeChain(second)).flatMap(textsOf), ['a', 'b'])
  await leadership.resign()
})

test('of many concurrent appends behind the same frame one succeeds', async () => {
  const url = await databases.empty()
  const stores = await Promise.all(Array.from({ length: 5 }, () => openStore(url)))
  // The lease does not protect here: it is given to all of them, one after the other.
  for (const [n, store] of stores.entries()) {
    assert.notEqual(await store.lead(`node ${n}`, 0), null)
    await store.resign()
  }
  // Of different lengths: what matters is the frame that they follow, not where they end.
  const rivals = stores.map((_, n) => frameOf(beginning, ...Array(n + 1).fill(`rival ${n}`)))
  const results = await Promise.allSettled(stores.map((store, n) => store.append(rivals[n]!)))
  const failed = results.flatMap((result) => (result.status === 'rejected' ? result.reason : []))
  assert.deepEqual(
    failed.map(({ code }) => code),
    Array(4).fill('CHAIN_MOVED'),
  )
  const winner = results.findIndex(({ status }) => status === 'fulfilled')
  const chain = await wholeChain(stores[0]!)
  assert.deepEqual(chain.flatMap(textsOf), textsOf(rivals[winner]!))
  for (const store of stores) store.close()
})

test('a frame whose predecessor is not in the chain is rejected', async () => {
  const url = await databases.empty()
  const store = await openStore(url)
  const leadership = await leadOn(store)
  const a = frameOf(beginning, 'a')
  await leadership.append(a)
  const never = frameOf(beginning, 'never acknowledged')
  const behind = frameOf(endOf(never), 'b')
  await assert.rejects(leadership.append(behind), { code: 'CHAIN_MOVED' })
  const reader = await openStore(url)
  assert.deepEqual((await wholeChain(reader)).flatMap(textsOf), ['a'])
  reader.close()
})

test('a reader off the chain gets an error, and a changed frame is found', async () => {
  const url = await databases.empty()
  const store = await openStore(url)
  const leadership = await leadOn(store)
  const a = frameOf(beginning, 'a')
  await leadership.append(a)
  await assert.rejects(store.read(endOf(frameOf(beginning, 'other')), 1), { code: 'CHAIN_OTHER' })
  await assert.rejects(store.read({ seq: 7, seal: a.seal }, 1), { code: 'CHAIN_OTHER' })
  await databases.primary.query(
    `UPDATE ${databases.schema}.openperp_frame SET frame = set_byte(frame, 90, 1) WHERE last = 1`,
  )
  await assert.rejects(store.read(beginning, 1), /behind seq 0 .* is not what was written/)
  await leadership.resign()
})

test('the lead is one node’s until it is released or its lease expires', async () => {
  const url = await databases.empty()
  const leaseMs = 30_000
  let time = 0
  const other = await PostgresStore.open({ ...wanted(url), now: () => time })
  const one = await firstLease(url, 'one')
  // It is renewed: after any time no other node may have it.
  for (let n = 0; n < 3; n++) {
    assert.equal(await other.lead('other', 0), null)
    await one.renew()
    time += 2 * leaseMs
  }
  // It is not renewed: the whole lease has to pass on the clock of the waiting node.
  assert.equal(await other.lead('other', 0), null)
  time += leaseMs
  assert.equal(await other.lead('other', 0), null)
  time += leaseMs / 50
  assert.notEqual(await other.lead('other', 0), null)
  await assert.rejects(one.renew(), { code: 'LEAD_LOST' })
  await other.resign()
  const next = await openStore(url)
  assert.notEqual(await next.lead('one', 0), null)
  // An entry with the own name is from an own leadership that has ended.
  const again = await openStore(url)
  // Later if a renewal of that leadership comes between.
  await until(async () => (await again.lead('one', 0)) !== null)
  one.close()
  for (const store of [other, next, again]) store.close()
})

test('a node that is more than 1,000 entries behind does not take the lead', async () => {
  const url = await databases.empty()
  const store = await openStore(url)
  const first = await leadOn(store)
  await first.append(frameOf(beginning, ...Array<string>(1_500).fill('x')))
  await first.resign()
  const next = await openStore(url)
  assert.equal(await next.lead('next', 499), null)
  assert.notEqual(await next.lead('next', 500), null)
  // The attempt that was refused left no term behind.
  assert.equal(await next.leadChanges(), 1)
  next.close()
})

test('a node that watched a lease continues when another machine becomes the primary', async () => {
  const url = await databases.empty()
  let time = 0
  const now = () => time
  const watch = new LeaseWatch(now)
  const opened = () => PostgresStore.open({ ...wanted(url), now, watch })
  const before = await opened()
  const one = await firstLease(url, 'one')
  assert.equal(await before.lead('other', 0), null)
  before.close()
  time += 30_400
  const after = await opened()
  assert.notEqual(await after.lead('other', 0), null)
  one.close()
  after.close()
})

test('a leadership renews its lease by itself, and reports its end', async () => {
  const url = await databases.empty()
  const store = await openStore(url, 4_000)
  const leadership = await leadOn(store, 4_000)
  await until(async () => {
    const text = `SELECT beat::int AS beat FROM ${databases.schema}.openperp_lead`
    const [row] = await databases.primary.query<{ beat: number }>(text)
    return row!.beat > 0
  })
  assert.equal(leadership.holds, true)
  await leadership.resign()
  assert.equal(leadership.holds, false)
  assert.equal((await ended(leadership)).code, 'LEAD_RETURNED')
})

test('a leader whose lease ran out by its own clock sends and answers nothing', async () => {
  const url = await databases.empty()
  const leaseMs = 30_000
  let ahead = 0
  const store = await openStore(url, leaseMs)
  const options = { holder: 'sleeper', leaseMs, now: () => now() + ahead }
  const leadership = (await Leadership.take(store, 0, options))!
  await leadership.append(frameOf(beginning, 'a'))
  // The process was suspended for longer than its lease, and has just been resumed.
  ahead = leaseMs + 1
  const end = await store.newest()
  await assert.rejects(leadership.append(frameOf(end, 'late')), { code: 'LEAD_LOST' })
  assert.equal(leadership.holds, false)
  const reader = await openStore(url)
  assert.deepEqual((await wholeChain(reader)).flatMap(textsOf), ['a'])
  reader.close()
})

test('a reply after the end of the lease is not an acknowledgement', async () => {
  const url = await databases.empty()
  const leaseMs = 30_000
  let ahead = 0
  const store = await openStore(url, leaseMs)
  const options = { holder: 'sleeper', leaseMs, now: () => now() + ahead }
  const leadership = (await Leadership.take(store, 0, options))!
  const frame = frameOf(beginning, 'a')
  const appended = leadership.append(frame)
  ahead = leaseMs + 1
  await assert.rejects(appended, { code: 'FATE_UNKNOWN' })
  const reader = await openStore(url)
  const next = await leadOn(reader, leaseMs, 'sleeper')
  // The chain has the outcome: here it was appended, and must not be sent again.
  assert.equal(await fateOf(reader, frame), 'in')
  await next.resign()
})
