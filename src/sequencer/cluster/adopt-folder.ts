// Moves an exchange from its data folder into an empty store. The folder is locked, and only its
// membership is written. Every step can be repeated, and the store is `adopting` until the last
// one, so that no node leads on a part of history. Before the last step the chain is read back from
// the store and replayed from its beginning: its state must be the one that the folder recovers.

import { createState } from '../../core/index.ts'
import type { Frame } from '../../journal/frame.ts'
import { JournalFault } from '../../journal/journal-fault.ts'
import { FolderLock } from '../../journal/lock/folder-lock.ts'
import { JournalScan } from '../../journal/scan-journal.ts'
import { listSegments } from '../../journal/segment.ts'
import { catchUp } from '../../journal/store/catch-up.ts'
import { type ChainEnd, endOf } from '../../journal/store/frame-store.ts'
import type { AdoptingStore } from '../../journal/store/stage.ts'
import { StoreFault } from '../../journal/store/store-fault.ts'
import { type DataFolder, readDataFolder } from '../data-folder.ts'
import { openKeySecret } from '../key-secret.ts'
import { Followed } from '../link/followed.ts'
import { Follower } from '../replica/follower.ts'
import { recover } from '../replica/recover.ts'
import { beginning, Replica } from '../replica/replica.ts'
import { SavedStateFiles } from '../snapshots/saved-state-files.ts'
import { stateHash, tradingHash } from '../snapshots/state-hash.ts'
import { readMembership, requireAlone, writeMembership } from './membership.ts'

export type Moved = Readonly<{ seq: number; stateHash: string; tradingHash: string }>
export type MoveProgress = Readonly<{ part: 'copying' | 'checking'; seq: number; of: number }>

export type Adopting = Readonly<{
  folder: string
  /** Opens the store for an exchange with this origin, secret and id. */
  open(
    exchange: Readonly<{ origin: Buffer; keySecret: Buffer; venue: string }>,
  ): Promise<AdoptingStore>
  onProgress(progress: MoveProgress): void
}>

/** A batch ends at either bound. The number limits the work of the database for small frames. */
const batchBytesMax = 4 * 1_024 * 1_024
const batchFramesMax = 1_000

export async function adoptFolder(adopting: Adopting): Promise<Moved> {
  const { folder: path } = adopting
  // A folder that is not an exchange's is reported before a lock is created in it.
  readDataFolder(path)
  const lock = await FolderLock.acquire(path)
  try {
    const folder = readDataFolder(path)
    requireFirstSegment(folder)
    const saved = new SavedStateFiles(folder.saved)
    const { replica, seal } = await recover(folder, { saved, requireMark: true })
    const { secret } = await openKeySecret(path)
    const { origin, venue } = folder
    const exchange = { origin, venue, keySecret: Buffer.from(secret) }
    const store = await adopting.open(exchange)
    try {
      requireSame(store, exchange)
      const moved = movedBy(replica)
      await new Adoption(adopting, folder, store).move({ seq: moved.seq, seal }, moved)
      return moved
    } finally {
      store.close()
    }
  } finally {
    lock.release()
  }
}

class Adoption {
  private readonly adopting: Adopting
  private readonly folder: DataFolder
  private readonly store: AdoptingStore

  constructor(adopting: Adopting, folder: DataFolder, store: AdoptingStore) {
    this.adopting = adopting
    this.folder = folder
    this.store = store
  }

  async move(end: ChainEnd, moved: Moved): Promise<void> {
    const { store, adopting } = this
    const membership = readMembership(adopting.folder)
    if (store.stage === 'live') {
      // It was finished earlier, and nodes may have gone on. Another history throws CHAIN_OTHER.
      await store.read(end, 1)
    } else {
      const there = await store.newest()
      // Only the store whose move was to be finished may get the folder.
      const isOurs = membership?.stage === 'adopting' && membership.move === store.move
      if (!isOurs) requireAlone(adopting.folder)
      this.requireBeginning(there, end)
      if (store.stage === 'left') await store.reopen()
      await this.copy(there, end)
      await this.check(end, moved)
      // From here on the exchange goes on in the store only.
      await writeMembership(adopting.folder, { stage: 'adopting', move: store.move })
      await store.finish(end)
    }
    await writeMembership(adopting.folder, { stage: 'member' })
  }

  /** Throws unless the store holds a beginning of this chain. */
  private requireBeginning(there: ChainEnd, end: ChainEnd): void {
    if (there.seq === 0) return
    let last: ChainEnd | null = null
    if (there.seq <= end.seq) {
      const { origin, journal } = this.folder
      const range = { origin, after: 0, seal: null, to: there.seq }
      for (const frame of new JournalScan(journal, range).frames()) last = endOf(frame)
    }
    if (last?.seq === there.seq && last.seal.equals(there.seal)) return
    throw new StoreFault(
      'STORE_NOT_EMPTY',
      `the database holds entries up to ${there.seq} that are not the beginning of this folder's ` +
        `history, which ends with entry ${end.seq}. Nothing was changed. Name an empty database`,
    )
  }

  private async copy(from: ChainEnd, to: ChainEnd): Promise<void> {
    const { store, adopting, folder } = this
    let before = from
    let batch: Frame[] = []
    let bytes = 0
    const add = async () => {
      if (batch.length === 0) return
      await store.add(before, batch)
      before = endOf(batch.at(-1)!)
      ;[batch, bytes] = [[], 0]
      adopting.onProgress({ part: 'copying', seq: before.seq, of: to.seq })
    }
    const range = { origin: folder.origin, after: from.seq, seal: from.seal }
    for (const frame of new JournalScan(folder.journal, range).frames()) {
      batch.push(frame)
      bytes += frame.end - frame.start
      if (bytes >= batchBytesMax || batch.length >= batchFramesMax) await add()
    }
    await add()
  }

  /** Reads everything back, and replays it. */
  private async check(end: ChainEnd, expected: Moved): Promise<void> {
    const { store, adopting, folder } = this
    const replica = new Replica(createState(folder.genesis), beginning)
    const follower = new Follower(replica, {
      saved: new SavedStateFiles(folder.saved),
      completeSaved: false,
      publishAfter: Number.POSITIVE_INFINITY,
    })
    const followed = new Followed({ follower, end: { seq: 0, seal: folder.origin } })
    const read: AdoptingStore['read'] = (after, max) => {
      adopting.onProgress({ part: 'checking', seq: after.seq, of: end.seq })
      return store.read(after, max)
    }
    await catchUp({ read }, followed)
    const found = movedBy(replica)
    if (followed.end.seal.equals(end.seal) && found.stateHash === expected.stateHash) return
    throw new JournalFault(
      'JOURNAL_DAMAGED',
      `history in the store comes to the state ${found.stateHash} after entry ${found.seq}, and ` +
        `the folder recovers ${expected.stateHash} after entry ${expected.seq}. The move was not ` +
        'finished: run `openperp audit` on the folder',
    )
  }
}

export function movedBy({ seq, state }: Replica): Moved {
  return { seq, stateHash: stateHash(state), tradingHash: tradingHash(state) }
}

/** The state that a start recovers. */
export async function recovered(path: string): Promise<Moved> {
  const folder = readDataFolder(path)
  const saved = new SavedStateFiles(folder.saved)
  return movedBy((await recover(folder, { saved, requireMark: true })).replica)
}

/** A cluster has every entry, because a new node may read them all. */
function requireFirstSegment({ journal }: DataFolder): void {
  const first = listSegments(journal)[0]?.firstSeq ?? 1
  if (first === 1) return
  throw new JournalFault(
    'IN_CLUSTER',
    `the journal in ${journal} begins with entry ${first}, because a sandbox removes old ones: a ` +
      'cluster needs all entries, so this exchange cannot be moved into one',
  )
}

type Exchange = Readonly<{ keySecret: Buffer; venue: string }>

function requireSame(store: AdoptingStore, { venue, keySecret }: Exchange): void {
  if (store.venue === venue && store.keySecret.equals(keySecret)) return
  const what = store.stage === 'live' ? 'an exchange' : 'a part of another exchange'
  throw new StoreFault(
    'STORE_NOT_EMPTY',
    `the database holds ${what} already (venue ${store.venue}; this folder is ${venue}). Nothing ` +
      'was changed. Name an empty database',
  )
}
