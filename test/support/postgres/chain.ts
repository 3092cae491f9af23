// Frames with a text each, and a store to put them into: what tests of the chain share.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { eachRecord, type Frame, sha256, wholeFrame } from '../../../src/journal/frame.ts'
import { openPrimary } from '../../../src/journal/postgres/find-primary.ts'
import { hostsOf } from '../../../src/journal/postgres/hosts.ts'
import { PostgresLease } from '../../../src/journal/postgres/postgres-lease.ts'
import { PostgresStore } from '../../../src/journal/postgres/postgres-store.ts'
import { type ChainEnd, endOf, type FrameStore } from '../../../src/journal/store/frame-store.ts'
import { Leadership } from '../../../src/journal/store/leadership.ts'
import { machineMs } from '../../../src/journal/store/machine-clock.ts'
import type { StoreFault } from '../../../src/journal/store/store-fault.ts'
import { until } from '../http/held-sockets.ts'

export const origin = sha256(Buffer.from('the genesis of these tests'))
export const beginning: ChainEnd = { seq: 0, seal: origin }
export const now = machineMs

export function frameOf({ seq, seal }: ChainEnd, ...texts: readonly string[]): Frame {
  const records = texts.map((text) => {
    const record = Buffer.alloc(4 + Buffer.byteLength(text))
    record.writeUInt32LE(record.length - 4)
    record.write(text, 4)
    return record
  })
  const place = { count: records.length, firstSeq: seq + 1, before: seal }
  return wholeFrame(Buffer.concat(records), place)
}

export function textsOf(frame: Frame): readonly string[] {
  const texts: string[] = []
  eachRecord(frame, (_, from, to) => texts.push(frame.bytes.toString('utf8', from, to)))
  return texts
}

/** For tests in which no lease is to end, on however busy a machine. */
const longLeaseMs = 30_000

export const wanted = (connectionString: string, leaseMs = longLeaseMs) => ({
  connectionString,
  origin,
  format: 1,
  leaseMs,
  now,
})

export function openStore(connectionString: string, leaseMs?: number): Promise<PostgresStore> {
  return PostgresStore.open(wanted(connectionString, leaseMs))
}

/** The first lease of an empty place, taken and not renewed by itself. The store has to be open, so
 *  that the tables are there. */
export async function firstLease(connectionString: string, holder: string): Promise<PostgresLease> {
  const { session } = await openPrimary(hostsOf(connectionString), longLeaseMs)
  const { host } = session
  session.close()
  const lease = await PostgresLease.open({ connectionString, host, leaseMs: longLeaseMs, now })
  assert.notEqual(await lease.take({ term: 0, beat: 0, holder, seq: 0 }), null)
  return lease
}

/** Why it ended, and a failure when it does not. */
export async function ended(leadership: Leadership): Promise<StoreFault> {
  let fault: StoreFault | null = null
  void leadership.ended.then((reason) => {
    fault = reason
  })
  await until(() => fault !== null)
  return fault!
}

/** Asks until the lead is free. */
export async function leadOn(
  store: FrameStore,
  leaseMs = longLeaseMs,
  holder: string = randomUUID(),
): Promise<Leadership> {
  let leadership: Leadership | null = null
  await until(async () => {
    const { seq } = await store.newest()
    leadership = await Leadership.take(store, seq, { holder, leaseMs, now })
    return leadership !== null
  })
  return leadership!
}

/** All of it, from the beginning. */
export async function wholeChain(store: FrameStore): Promise<readonly Frame[]> {
  const frames: Frame[] = []
  let end = beginning
  for (;;) {
    const more = await store.read(end, 100)
    if (more.length === 0) return frames
    frames.push(...more)
    end = endOf(more.at(-1)!)
  }
}
