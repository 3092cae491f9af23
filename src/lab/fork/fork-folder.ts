// Copies the state of an exchange at one entry into a new folder, as a separate sandbox. Nothing of
// the original is changed or locked, and it may be running. The new folder has a genesis that marks
// it as a fork, one snapshot, and a journal that begins after it. It gets its name when it is
// complete and durable.

import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, rmdirSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Forgotten, forkedState, type Genesis, viewOf } from '../../core/index.ts'
import { syncFolder, syncTree, unfinished, writeAtomically } from '../../journal/atomic-file.ts'
import { encodeMark, markFile } from '../../journal/durable-mark.ts'
import { makeFolder } from '../../journal/private-folder.ts'
import { writeSealed } from '../../journal/sealed-file.ts'
import { encodeSegmentHead, segmentFile } from '../../journal/segment.ts'
import { snapshotFile } from '../../journal/snapshot-files.ts'
import { readMembership } from '../../sequencer/cluster/membership.ts'
import { type DataFolder, openDataFolder, readDataFolder } from '../../sequencer/data-folder.ts'
import { recover, type SnapshotFacts } from '../../sequencer/replica/recover.ts'
import type { Replica } from '../../sequencer/replica/replica.ts'
import { SavedStateFiles } from '../../sequencer/snapshots/saved-state-files.ts'
import { sealState } from '../../sequencer/snapshots/sealed-state.ts'
import { stateHash, tradingHash } from '../../sequencer/snapshots/state-hash.ts'
import { LabFault } from '../lab-fault.ts'
import { anonymiser } from './anonymiser.ts'
import { forkNotes } from './fork-notes.ts'
import type { Point } from './point.ts'
import { rangeText, seqAt } from './seq-at.ts'

export type ForkFolder = Readonly<{
  source: string
  /** The last entry; `null`: the newest one. */
  at: Point | null
  /** A folder that does not exist, or is empty. */
  target: string
  /** Whether to replace addresses, names of operators and references of deposits. */
  anonymise: boolean
  /** Called from time to time with the entry that was read last. */
  onProgress?: (seq: number) => void
}>

export type Forked = Readonly<{
  /** The last entry that the fork shares with the original, and its engine time. */
  seq: number
  atMs: number
  accounts: number
  forgotten: Forgotten
  stateHash: string
  tradingHash: string
}>

/** A running exchange may remove old files while they are read. */
const attemptsMax = 3
const progressFrames = 4_096

export async function forkFolder(options: ForkFolder): Promise<Forked> {
  const { source, target } = options
  requireSource(source)
  requireFree(target)
  const original = readDataFolder(source)
  const replica = await replicaAt(original, options)
  makeFolder(dirname(target))
  const temporary = `${target}.${randomUUID()}${unfinished}`
  try {
    const forked = await writeFork(original, replica, { ...options, target: temporary })
    await syncTree(temporary)
    if (existsSync(target)) rmdirSync(target)
    await rename(temporary, target)
    await syncFolder(dirname(target))
    return forked
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

function requireSource(source: string): void {
  if (readMembership(source) === null) return
  throw new LabFault(
    `${source} is the folder of a cluster node`,
    `fork a backup of it: openperp backup <target> --data ${source}`,
  )
}

function requireFree(target: string): void {
  if (!existsSync(target) || readdirSync(target).length === 0) return
  throw new LabFault(
    `${target} exists and is not empty; nothing was written`,
    'name a folder that does not exist yet',
  )
}

async function replicaAt(original: DataFolder, options: ForkFolder): Promise<Replica> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await recoveredAt(original, options)
    } catch (error) {
      if (error instanceof LabFault || attempt === attemptsMax) throw error
    }
  }
}

async function recoveredAt(original: DataFolder, { at, onProgress }: ForkFolder): Promise<Replica> {
  const to = at === null ? undefined : seqAt(original, at)
  let frames = 0
  const { replica } = await recover(original, {
    saved: new SavedStateFiles(original.saved),
    requireMark: to === undefined,
    ...(to !== undefined && { to }),
    watch: {
      frame: (_, { seq }) => {
        if (++frames % progressFrames === 0) onProgress?.(seq)
      },
    },
  })
  if (replica.seq === 0) throw new LabFault('the exchange has no entries yet')
  if (to === undefined || replica.seq === to) return replica
  throw new LabFault(`there is no entry ${to}: ${rangeText(original)}`)
}

async function writeFork(
  original: DataFolder,
  { state: source, place, view }: Replica,
  { target, anonymise }: ForkFolder,
): Promise<Forked> {
  const { seq, timeline } = place
  const { atMs } = view
  const { state, forgotten } = forkedState(source, {
    notes: forkNotes(view, original.genesis.pricesMayStand),
    ...(anonymise && { renamed: anonymiser() }),
  })
  const genesis: Genesis = {
    ...original.genesis,
    pricesMayStand: true,
    manualClock: { startMs: atMs },
    fork: { venue: original.venue, seq, atMs, anonymised: anonymise },
  }
  const { journal, snapshots, origin: seal } = await openDataFolder(target, genesis)
  const facts: SnapshotFacts = {
    ...{ seq, timeline, undone: [], seal: seal.toString('hex') },
    seqOffset: seq - view.seq,
  }
  await writeSealed(snapshotFile(snapshots, seq), facts, sealState(state))
  await writeAtomically(segmentFile(journal, seq + 1), [encodeSegmentHead(seq + 1, seal)])
  await writeAtomically(markFile(journal), [encodeMark({ seq, seal })])
  const { replica } = await recover(readDataFolder(target), {
    saved: new SavedStateFiles(join(target, 'saved')),
    requireMark: true,
  })
  const hashes = { stateHash: stateHash(replica.state), tradingHash: tradingHash(replica.state) }
  return { seq, atMs, accounts: viewOf(state).accounts.count, forgotten, ...hashes }
}
