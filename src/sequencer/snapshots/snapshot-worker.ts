// A thread that makes snapshots on request. It recovers the state at a durable seq from the files,
// as at a start, and writes it or returns its hashes. Trading continues meanwhile, and its thread
// encodes nothing. The recovered state is also audited, and broken invariants are reported with the
// snapshot.

import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { checkInvariants } from '../../core/index.ts'
import { writeSealed } from '../../journal/sealed-file.ts'
import { readDataFolder } from '../data-folder.ts'
import { recover, type SnapshotFacts } from '../replica/recover.ts'
import { SavedStateFiles } from './saved-state-files.ts'
import { sealState } from './sealed-state.ts'
import type { SnapshotJob, SnapshotResult } from './snapshot-thread.ts'
import { stateHash, tradingHash } from './state-hash.ts'

async function makeSnapshot({ folder, seq, file, facts }: SnapshotJob): Promise<SnapshotResult> {
  const warnings: string[] = []
  const opened = readDataFolder(folder)
  const saved = new SavedStateFiles(opened.saved)
  const onWarning = (text: string) => warnings.push(text)
  const { replica, seal } = await recover(opened, { saved, to: seq, onWarning })
  if (replica.seq !== seq) throw new Error(`seq ${seq} is inside a frame that ends ${replica.seq}`)
  const { state, place } = replica
  const own: SnapshotFacts = { ...place, seal: seal.toString('hex') }
  if (file !== null) await writeSealed(file, facts ?? own, sealState(state))
  const hashes =
    file === null ? { seq, state: stateHash(state), trading: tradingHash(state) } : null
  return { seq, breaches: checkInvariants(state), warnings, hashes }
}

// Trading and its disk writes have priority. Only Linux applies the priority to a single thread.
if (process.platform === 'linux') setPriority(10)
const port = parentPort!
port.on('message', async (job: SnapshotJob) => {
  // An error is thrown to the caller, and ends the thread.
  port.postMessage(await makeSnapshot(job))
})
