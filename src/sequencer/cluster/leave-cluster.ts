// Takes an exchange out of its store, into a folder that starts alone. The folder gets the whole
// chain and is replayed from its beginning before anything else changes. Then this process takes
// the lease, which no node may hold, and ends the exchange in the store. The folder starts alone
// only after that. It has the id of the departure before the store has it, so that the same folder
// can continue after an interruption, and no other one can leave, too.

import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Genesis } from '../../core/index.ts'
import { JournalFault } from '../../journal/journal-fault.ts'
import { FolderLock } from '../../journal/lock/folder-lock.ts'
import { catchUp } from '../../journal/store/catch-up.ts'
import { ChainCopy } from '../../journal/store/chain-copy.ts'
import type { ChainEnd, Lease } from '../../journal/store/frame-store.ts'
import { progressEveryMs } from '../../journal/store/leadership.ts'
import { type ClusterStatus, nodeOf } from '../../journal/store/node-news.ts'
import { departureOf, folderOf, type LeavingStore } from '../../journal/store/stage.ts'
import { StoreFault } from '../../journal/store/store-fault.ts'
import { originOf, readDataFolder, requireGenesis } from '../data-folder.ts'
import { Followed } from '../link/followed.ts'
import { OpenedFolder } from '../opened-folder.ts'
import { Follower } from '../replica/follower.ts'
import { recover } from '../replica/recover.ts'
import { SavedStateFiles } from '../snapshots/saved-state-files.ts'
import { type Moved, type MoveProgress, movedBy, recovered } from './adopt-folder.ts'
import { FolderNotEmpty } from './fetch-folder.ts'
import { keepFacts } from './join-cluster.ts'
import { endMembership, readMembership, writeMembership } from './membership.ts'

export type Leaving = Readonly<{
  folder: string
  /** Genesis of a new folder, which must be that of the exchange. */
  genesis: Genesis
  open(origin: Buffer): Promise<LeavingStore>
  status(): Promise<ClusterStatus>
  now(): number
  onProgress(progress: MoveProgress): void
  onWarning(text: string): void
}>

const askMs = 100
/** Time in ms that a free lease may take to be seen, in addition to the lease. */
const freeMsMore = 5_000

export async function leaveCluster(leaving: Leaving): Promise<Moved> {
  const { folder } = leaving
  const isNew = !requireGenesis(folder)
  if (isNew) requireUnused(folder)
  const origin = isNew ? originOf(leaving.genesis) : readDataFolder(folder).origin
  const store = await leaving.open(origin)
  try {
    const lock = await FolderLock.acquire(folder)
    try {
      const departing = new Departing(leaving, origin, store)
      if (store.stage === 'left') return await departing.finish(isNew)
      await departing.fill(isNew, lock)
    } finally {
      lock.release()
    }
    return await recovered(folder)
  } finally {
    store.close()
  }
}

class Departing {
  private readonly leaving: Leaving
  private readonly origin: Buffer
  private readonly store: LeavingStore
  private readonly where: string

  constructor(leaving: Leaving, origin: Buffer, store: LeavingStore) {
    this.leaving = leaving
    this.origin = origin
    this.store = store
    this.where = `${hostname()}:${resolve(leaving.folder)}`
  }

  /** After the exchange has left the store: the same folder gets the rest of the move, if any. */
  async finish(isNew: boolean): Promise<Moved> {
    const { store, leaving, where } = this
    const { folder } = leaving
    const membership = readMembership(folder)
    const isOurs =
      membership === null
        ? !isNew && folderOf(store.move) === where
        : membership.stage === 'leaving' && membership.move === store.move
    if (!isOurs)
      throw new StoreFault(
        'STORE_LEFT',
        `the exchange has left for ${folderOf(store.move)}: use that folder. A second one would ` +
          'be a second exchange with the same history',
      )
    const moved = await recovered(folder)
    await endMembership(folder)
    return moved
  }

  /** Fills the folder, and ends the exchange in the store. */
  async fill(isNew: boolean, lock: FolderLock): Promise<void> {
    const { leaving, store, where } = this
    const { folder, genesis, onWarning } = leaving
    // Reported before the chain is copied.
    await this.asLeader(
      ({ seq }) => seq,
      async () => undefined,
    )
    const before = readMembership(folder)
    const move = before?.stage === 'leaving' ? before.move : departureOf(randomUUID(), where)
    if (isNew) await writeMembership(folder, { stage: 'leaving', move })
    const fail = (error: unknown) => onWarning((error as Error).message)
    const opened = await OpenedFolder.open({
      ...{ folder, lock, genesis, keep: 'venue', onFatal: fail, onWarning },
    })
    let isComplete = false
    try {
      const followed = followedIn(opened)
      // Throws CHAIN_OTHER before anything is changed in a folder of another history.
      await store.read(followed.end, 1)
      await writeMembership(folder, { stage: 'leaving', move })
      await keepFacts(folder, store)
      while (!isComplete) {
        await this.follow(opened, followed)
        isComplete = await this.depart(followed, move)
      }
      await endMembership(folder)
    } finally {
      const { journal } = opened.parts
      await opened.closeAfter(
        async () => {
          await journal.settled()
          await journal.close()
        },
        () => isComplete,
      )
    }
  }

  /** Copies the chain to its end, and checks the result. */
  private async follow(opened: OpenedFolder, followed: Followed): Promise<void> {
    const { store, leaving } = this
    const { seq: of } = await store.newest()
    const read: LeavingStore['read'] = (after, max) => {
      leaving.onProgress({ part: 'copying', seq: after.seq, of })
      return store.read(after, max)
    }
    await catchUp({ read }, followed)
    await opened.parts.journal.settled()
    await this.prove(opened, followed.end.seq)
  }

  /** Ends the exchange in the store; returns `false` if the chain has grown since. */
  private depart({ end }: Followed, move: string): Promise<boolean> {
    return this.asLeader(
      () => end.seq,
      async (store) => {
        if ((await store.newest()).seq !== end.seq) return false
        await store.leave(end, move)
        return true
      },
    )
  }

  /** Runs `work` with the lease, and releases it. Throws if a node leads. `seqOf`: seq of our
   *  history, given the end of the chain. */
  private async asLeader<T>(
    seqOf: (newest: ChainEnd) => number,
    work: (store: LeavingStore) => Promise<T>,
  ): Promise<T> {
    const store = await this.leaving.open(this.origin)
    try {
      const lease = await this.takeLead(store, seqOf)
      // The store may take long. Without progress the lease would end, and with it this process.
      const progress = setInterval(() => lease.showProgress(), progressEveryMs)
      const result = await work(store).finally(() => clearInterval(progress))
      // After a departure there is no lease to release.
      await store.resign().catch(() => undefined)
      return result
    } finally {
      store.close()
    }
  }

  /** Resolves when this process has the lease. */
  private async takeLead(store: LeavingStore, seqOf: (newest: ChainEnd) => number): Promise<Lease> {
    const { leaving } = this
    const holder = `leave/${randomUUID()}`
    const started = leaving.now()
    let age = 0
    for (;;) {
      const lease = await store.lead(holder, seqOf(await store.newest()))
      if (lease !== null) return lease
      const { leader, nodes, leaseMs } = await leaving.status()
      const node = nodes.find((each) => each.holder === leader)
      const isAlive = node !== undefined && node.ageMs < age
      const isLate = leaving.now() - started > leaseMs * 2 + freeMsMore
      if (isLate || (leader !== null && isAlive))
        throw new StoreFault(
          'LEAD_LOST',
          `${leader === null ? 'another node' : nodeOf(leader)} leads: stop all trading nodes, ` +
            'and run this again',
        )
      age = node?.ageMs ?? 0
      await wait(askMs)
    }
  }

  /** Replays the folder from its first entry. */
  private async prove({ parts }: OpenedFolder, seq: number): Promise<void> {
    this.leaving.onProgress({ part: 'checking', seq, of: seq })
    const folder = readDataFolder(this.leaving.folder)
    const saved = new SavedStateFiles(folder.saved)
    const feed = { after: 0, take: () => undefined }
    const { replica } = await recover(folder, { saved, to: seq, feed })
    const [own, played] = [movedBy(parts.replica), movedBy(replica)]
    if (own.seq === played.seq && own.stateHash === played.stateHash) return
    throw new JournalFault(
      'JOURNAL_DAMAGED',
      `the folder has the state ${own.stateHash} after entry ${own.seq}, and its journal comes ` +
        `to ${played.stateHash} after entry ${played.seq}. Nothing was ended. Use another folder`,
    )
  }
}

function followedIn({ parts }: OpenedFolder): Followed {
  const { replica, saved, journal } = parts
  const copy = new ChainCopy(journal)
  const publishAfter = Number.POSITIVE_INFINITY
  return new Followed({
    follower: new Follower(replica, { saved, completeSaved: true, publishAfter }),
    end: copy.end,
    keep: (frame) => copy.add(frame),
  })
}

/** Files that an interrupted departure may have left in a new folder before its genesis. */
const ownNames = new Set(['lock', 'cluster.json', 'cluster.json.tmp'])

function requireUnused(folder: string): void {
  if (!existsSync(folder) || readMembership(folder)?.stage === 'leaving') return
  if (readdirSync(folder).every((name) => ownNames.has(name))) return
  throw new FolderNotEmpty(`${folder} is not empty, and holds no exchange`)
}
