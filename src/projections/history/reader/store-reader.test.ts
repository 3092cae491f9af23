import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Random } from '../../../../test/programs/differential/random.ts'
import { DrawnReads } from '../../../../test/support/history/drawn-reads.ts'
import { FedStore, keepAll } from '../../../../test/support/history/fed-store.ts'
import { Player, playedWorld, reservedOf } from '../../../../test/support/history/played.ts'
import { type HistoryRead, rowsOf } from '../reads.ts'
import { StoreReader } from './store-reader.ts'

const folder = mkdtempSync(join(tmpdir(), 'store-reader-'))
after(() => rmSync(folder, { recursive: true }))

/** With snapshots and reverts to them, of what came long before and just before. */
function revertedPlayer(seed: number, commands: number) {
  const { genesis, steps } = playedWorld(seed, commands)
  const player = new Player(genesis, seed)
  const third = Math.floor(commands / 3)
  const play = (first: number, end: number) => {
    for (const step of steps.slice(first, end)) player.play(step)
  }
  play(0, third)
  player.snapshot('early')
  play(third, 2 * third)
  player.revert('early')
  play(third, third + 40)
  player.snapshot('late')
  play(third + 40, third + 60)
  player.revert('late')
  play(third + 40, commands)
  return { player, reserved: reservedOf(genesis) }
}

const rowsIn = (fed: FedStore, { name, args }: HistoryRead) =>
  rowsOf(name, fed.store.read(name, args))

for (const seed of [0, 2, 6, 22])
  test(`another process can read everything that is committed: world ${seed}`, () => {
    const { player, reserved } = revertedPlayer(seed, seed === 22 ? 1_500 : 600)
    const random = new Random(seed)
    const drawn = new DrawnReads(random, reserved)
    const pruned = { ...keepAll, churn: new Set<string>(), churnRows: 20, trades: 20, every: 16 }
    const retention = seed === 2 ? pruned : keepAll
    for (const outcome of player.outcomes)
      for (const event of outcome.events)
        if (event.type === 'AccountOpened' && pruned.churn.size < 2)
          pruned.churn.add(event.address!)
    const file = join(folder, `${seed}.db`)
    const written = new FedStore(reserved, { file, retention })
    // Never committed: it answers from memory what the file must have.
    const kept = new FedStore(reserved, { retention })
    const reader = new StoreReader({ file, stretch: 4 })
    let played = 0
    let rows = 0
    for (const batch of player.batches) {
      written.feed([batch])
      kept.feed([batch])
      for (const _ of batch.outcomes) drawn.learn(player.outcomes[played++]!)
      if (random.chance(0.3)) continue
      written.store.commit()
      for (const read of drawn.all())
        reader.inTransaction((seq) => {
          assert.equal(seq, kept.store.seq)
          const found = rowsOf(read.name, reader.read(read.name, read.args))
          rows += found.length
          assert.deepEqual(found, rowsIn(kept, read), `${seq} ${JSON.stringify(read)}`)
        })
    }
    assert.ok(rows > 1_000)
    reader.close()
    written.store.close()
  })
