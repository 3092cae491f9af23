// A process to be killed: it runs a drawn history on disk and says, after each acknowledged batch,
// where it is. Arguments: the folder and the seed.

import { writeSync } from 'node:fs'
import { stateHash } from '../../src/core/snapshot/hash.ts'
import { DiskHistory } from './disk-history.ts'

const [folder, seed] = process.argv.slice(2)
const history = new DiskHistory(Number.parseInt(seed!, 10))
await history.open({ folder: folder!, snapshotEntries: 60, journal: { segmentBytes: 8_000 } })
for (;;) {
  await history.run(3, 3)
  const { seq, state } = history.data.sequencer
  writeSync(1, `${seq} ${stateHash(state)}\n`)
}
