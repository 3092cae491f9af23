// Whether a data folder belongs to a cluster. An exchange must not go on in a store and in a folder
// at the same time: both would accept the same signed texts, and histories would part. So a folder
// that belongs to a cluster, or is on its way into or out of one, does not start alone. A backup
// does not contain this file.

import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder, writeAtomically } from '../../journal/atomic-file.ts'
import { JournalFault } from '../../journal/journal-fault.ts'

/** `move`: the move as the store has it, so that it is only finished with that store. */
export type Membership =
  | Readonly<{ stage: 'member' }>
  | Readonly<{ stage: 'adopting' | 'leaving'; move: string }>

const fileIn = (folder: string) => join(folder, 'cluster.json')

/** `null`: the folder belongs to no cluster. */
export function readMembership(folder: string): Membership | null {
  let text: string
  try {
    text = readFileSync(fileIn(folder), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  try {
    const { stage, move } = JSON.parse(text) as Readonly<{ stage?: string; move?: string }>
    if (stage === 'member') return { stage }
    if ((stage === 'adopting' || stage === 'leaving') && typeof move === 'string')
      return { stage, move }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new JournalFault('FORMAT_UNKNOWN', `${fileIn(folder)} cannot be read: it has no stage`)
}

export async function writeMembership(folder: string, membership: Membership): Promise<void> {
  if (JSON.stringify(readMembership(folder)) === JSON.stringify(membership)) return
  await writeAtomically(fileIn(folder), [Buffer.from(`${JSON.stringify(membership)}\n`)])
}

/** From now on the folder starts alone. */
export async function endMembership(folder: string): Promise<void> {
  await rm(fileIn(folder), { force: true })
  await syncFolder(folder)
}

const whyNotAlone: Readonly<Record<Membership['stage'], (folder: string) => string>> = {
  member: (folder) =>
    'belongs to a cluster, where the exchange may go on: start it with --cluster, or end the ' +
    `cluster with \`openperp cluster leave --data ${folder}\``,
  adopting: (folder) =>
    'is being moved into a cluster, and may be there already: run `openperp cluster adopt ' +
    `--data ${folder}\` again, and then start it with --cluster`,
  leaving: (folder) =>
    'is leaving a cluster, and is not complete: run `openperp cluster leave --data ' +
    `${folder}\` again`,
}

/** Throws if the exchange of this folder may go on elsewhere. */
export function requireAlone(folder: string): void {
  const membership = readMembership(folder)
  if (membership === null) return
  const why = whyNotAlone[membership.stage](folder)
  throw new JournalFault('IN_CLUSTER', `the data folder ${folder} ${why}`)
}
