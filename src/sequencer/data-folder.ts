// The data folder of one exchange, and its genesis. The genesis is written once and never changed,
// because a new default in a later version must not change the meaning of old history. Its hash
// precedes the first frame of the journal, which ties the two together. The venue id is not part of
// the genesis: a fork has the same genesis and a different id. A seal over both detects damage.

import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Genesis } from '../core/index.ts'
import { removeUnfinished, writeAtomically } from '../journal/atomic-file.ts'
import { sha256 } from '../journal/frame.ts'
import { JournalFault } from '../journal/journal-fault.ts'
import { makePrivateFolder } from '../journal/private-folder.ts'
import { listSegments } from '../journal/segment.ts'
import { isVenueId, venueIdBytes } from '../units/venue-id.ts'

/** Incremented with every change of commands, state or rules that is incompatible with old
 *  history. */
export const formatVersion = 6

export type DataFolder = Readonly<{
  journal: string
  snapshots: string
  saved: string
  genesis: Genesis
  /** Id of the exchange, which clients include in signed requests. A backup and its restore keep
   *  it. */
  venue: string
  /** Seal before the first frame of the journal. */
  origin: Buffer
}>

type Paths = Omit<DataFolder, 'genesis' | 'venue' | 'origin'>

export function pathsOf(folder: string): Paths {
  return {
    journal: join(folder, 'journal'),
    snapshots: join(folder, 'snapshots'),
    saved: join(folder, 'saved'),
  }
}

/** Opens a folder, and creates it if needed. The given genesis applies only to a new folder. */
export async function openDataFolder(folder: string, genesis: Genesis): Promise<DataFolder> {
  const paths = pathsOf(folder)
  makePrivateFolder(folder)
  for (const path of Object.values(paths)) {
    makePrivateFolder(path)
    removeUnfinished(path)
  }
  if (!requireGenesis(folder))
    await writeGenesis(genesisFile(folder), genesis, randomBytes(venueIdBytes).toString('hex'))
  return readDataFolder(folder)
}

/** Returns `false` for a new folder; throws if an existing folder has lost its genesis. */
export function requireGenesis(folder: string): boolean {
  const file = genesisFile(folder)
  if (readBytes(file) !== null) return true
  const { journal } = pathsOf(folder)
  if (!existsSync(journal) || listSegments(journal).length === 0) return false
  throw new JournalFault(
    'JOURNAL_DAMAGED',
    `${file} is missing, and there is a journal: restore the file from a backup`,
  )
}

/** Reads the folder, for processes other than its writer. */
export function readDataFolder(folder: string): DataFolder {
  const file = genesisFile(folder)
  const bytes = readBytes(file)
  if (bytes === null) throw new JournalFault('FORMAT_UNKNOWN', `${folder} has no genesis.json`)
  requireKnownFormat(folder)
  const { genesis, venue, seal } = parseGenesis(file, bytes)
  if (!isVenueId(venue) || sealOf(genesis, venue) !== seal) throw damagedGenesis(file)
  return { ...pathsOf(folder), genesis, venue, origin: originOf(genesis) }
}

/** Replaces the folder's own venue id by that of the cluster. */
export async function keepVenue(folder: string, venue: string): Promise<void> {
  const { genesis, venue: own } = readDataFolder(folder)
  if (own !== venue) await writeGenesis(genesisFile(folder), genesis, venue)
}

async function writeGenesis(file: string, genesis: Genesis, venue: string): Promise<void> {
  const facts: GenesisFile = { format: formatVersion, genesis, venue, seal: sealOf(genesis, venue) }
  await writeAtomically(file, [Buffer.from(`${JSON.stringify(facts, null, 2)}\n`)])
}

/** Throws if the folder has another format. Called before anything in the folder is changed,
 *  including its lock. A new folder is accepted. */
export function requireKnownFormat(folder: string): void {
  const file = genesisFile(folder)
  const bytes = readBytes(file)
  if (bytes === null) return
  const { format } = parseGenesis(file, bytes)
  if (format === formatVersion) return
  throw new JournalFault(
    'FORMAT_UNKNOWN',
    `data folder ${folder} was written by another version of openperp (data format ${format}; ` +
      `this one reads ${formatVersion}). It was left as it is. Start with another folder ` +
      '(--data, OPENPERP_DATA), or with the version that wrote it.',
  )
}

/** Seal before the first frame of an exchange that began so. */
export function originOf(genesis: Genesis): Buffer {
  return sha256(Buffer.from(JSON.stringify(genesis) ?? ''))
}

function sealOf(genesis: Genesis, venue: string): string {
  return sha256(Buffer.from(JSON.stringify({ genesis, venue }))).toString('hex')
}

type GenesisFile = Readonly<{ format: number; genesis: Genesis; venue: string; seal: string }>

function parseGenesis(file: string, bytes: Buffer): GenesisFile {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch (cause) {
    throw damagedGenesis(file, cause)
  }
}

function damagedGenesis(file: string, cause?: unknown): JournalFault {
  const text = `${file} is damaged: restore the file from a backup`
  return new JournalFault('JOURNAL_DAMAGED', text, cause)
}

export function genesisFile(folder: string): string {
  return join(folder, 'genesis.json')
}

function readBytes(file: string): Buffer | null {
  try {
    return readFileSync(file)
  } catch (error) {
    // A new folder has no such file; any other read error is a fault.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
