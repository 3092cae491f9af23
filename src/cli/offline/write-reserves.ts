// Recovers the state of a data folder as of an entry, and writes its proof of reserves atomically.

import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { writeAtomically } from '../../journal/atomic-file.ts'
import { makePrivateFolder } from '../../journal/private-folder.ts'
import { makeReserves } from '../../projections/reserves/make-reserves.ts'
import { reserveFileName } from '../../projections/reserves/published-reserves.ts'
import type { ReserveSummary } from '../../projections/reserves/reserve-summary.ts'
import { readDataFolder } from '../../sequencer/data-folder.ts'
import { recover } from '../../sequencer/replica/recover.ts'
import type { Replica } from '../../sequencer/replica/replica.ts'
import { SavedStateFiles } from '../../sequencer/snapshots/saved-state-files.ts'
import { stateHash } from '../../sequencer/snapshots/state-hash.ts'
import { CliError } from '../frame/exit-codes.ts'

/** Recovers the state. `to` is `null` for the newest entry. */
export async function replicaAt(folder: string, to: number | null): Promise<Replica> {
  const opened = readDataFolder(folder)
  const saved = new SavedStateFiles(opened.saved)
  const { replica } = await recover(opened, { saved, ...(to !== null && { to }) })
  if (to === null || replica.seq === to) return replica
  throw new CliError('refused', `the journal has no state of entry ${to}, only of ${replica.seq}`, {
    hint: 'name the last entry of a batch that the folder still has, or none for the newest',
  })
}

type Wanted = Readonly<{ to: number | null; out: string | null }>
type Written = Readonly<{ file: string; summary: ReserveSummary }>

export async function writeReserves(folder: string, { to, out }: Wanted): Promise<Written> {
  const { view, seq, state } = await replicaAt(folder, to)
  const file = out ?? join(folder, 'reserves', reserveFileName(seq))
  // Another key would produce a different root for the same entry, and one root may already be
  // published.
  if (existsSync(file))
    throw new CliError(
      'refused',
      `${file} already exists and will not be overwritten: its proof may be published`,
    )
  const key = randomBytes(32)
  const { summary, parts } = makeReserves({ view, seq, stateHash: stateHash(state), key })
  if (out === null) makePrivateFolder(dirname(file))
  await writeAtomically(file, parts)
  return { file, summary }
}
