import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { DiskHistory } from '../../../../test/support/disk-history.ts'
import { feedByDisk } from '../../../../test/support/history/fed-by-disk.ts'
import { reservedOf } from '../../../../test/support/history/played.ts'
import { createHistory, type OpenHistory } from '../create-history.ts'

let disk: DiskHistory
let open: OpenHistory
const warnings: string[] = []
beforeEach(() => {
  disk = new DiskHistory(3)
  warnings.length = 0
})
afterEach(async () => {
  await open.close()
  await disk.end()
})

/** A store that has read nothing yet of what the disk has. */
async function openStore(): Promise<void> {
  open = await createHistory({
    file: join(disk.root, 'history.db'),
    exchange: 'test',
    journalSeq: Number.MAX_SAFE_INTEGER,
    reserved: reservedOf(disk.generator.world.genesis),
    waitMs: 60_000,
    onWarning: (text) => warnings.push(text),
  })
  feedByDisk(open, disk)
}

async function whole(): Promise<void> {
  for (let tries = 0; open.missing() !== null || warnings.length === 0; tries++) {
    assert.ok(tries < 600, `${open.missing()}: ${warnings.join('\n')}`)
    await sleep(100)
  }
}

test('a store that missed entries fails, and reads them from the journal', async () => {
  await disk.open()
  await disk.run(100, 5)
  await openStore()
  await disk.run(50, 5)
  await whole()
  assert.match(warnings[0]!, /with a gap between/)
  await disk.run(50, 5)
  await open.drained()
  assert.equal((await open.asOf(disk.data.sequencer.seq, 'recentTrades', 10)).seq, 200)
})

test('if the journal no longer has the missing entries, history starts again', async () => {
  for (let n = 0; n < 5; n++) {
    await disk.open({ keep: 'sandbox', journal: { segmentBytes: 3_000 } })
    if (n === 4) break
    await disk.run(60, 2)
    await disk.data.close()
  }
  await openStore()
  await disk.run(10)
  await whole()
  assert.ok(
    warnings.some((text) => text.includes('no longer in the journal')),
    warnings.join('\n'),
  )
  await disk.run(50, 5)
  await open.drained()
  assert.equal((await open.asOf(disk.data.sequencer.seq, 'recentTrades', 10)).seq, 300)
})

test('a store that cannot be read any more is rebuilt from the journal', async () => {
  await disk.open()
  await disk.run(100, 5)
  await openStore()
  for (const ending of ['-wal', '-shm']) rmSync(join(disk.root, `history.db${ending}`))
  writeFileSync(join(disk.root, 'history.db'), Buffer.alloc(40_960, 7))
  await disk.run(20)
  await whole()
  await open.drained()
  assert.equal((await open.asOf(disk.data.sequencer.seq, 'recentTrades', 10)).seq, 120)
})
