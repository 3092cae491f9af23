// A process to be killed: it runs a drawn history on disk and says, after each acknowledged batch,
// where it is. Arguments: the folder, the seed, and the host that its lock is to name.

import { writeSync } from 'node:fs'
import { FolderLock } from '../../src/journal/lock/folder-lock.ts'
import { stateHash } from '../../src/sequencer/snapshots/state-hash.ts'
import { DiskHistory } from './disk-history.ts'

const [folder, seed, host] = process.argv.slice(2)
const history = new DiskHistory(Number.parseInt(seed!, 10))
const lock = await FolderLock.acquire(folder!, host)
const journal = { segmentBytes: 8_000 }
await history.open({ folder: folder!, lock, snapshotEntries: 60, journal })
for (;;) {
  await history.run(3, 3)
  const { seq, state } = history.data.sequencer
  writeSync(1, `${seq} ${stateHash(state)}\n`)
}
