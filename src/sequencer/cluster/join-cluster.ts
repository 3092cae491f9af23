// A data folder joins the cluster that it belongs to: it follows until it leads, and tells the
// others of itself while it does either.

import type { Journal } from '../../journal/journal.ts'
import type { FrameStore } from '../../journal/store/frame-store.ts'
import type { Leadership } from '../../journal/store/leadership.ts'
import type { DataFolder } from '../data-folder.ts'
import { keepKeySecret } from '../key-secret.ts'
import type { Batch } from '../outcome.ts'
import type { SavedStates } from '../ports.ts'
import { Follower } from '../replica/follower.ts'
import type { Replica } from '../replica/replica.ts'
import type { Snapshotter } from '../snapshots/snapshotter.ts'
import { stateHash } from '../snapshots/state-hash.ts'
import { NodeReport } from './node-report.ts'
import { type Cluster, leadWhenFree } from './stand-by.ts'

export type Joining = Readonly<{
  root: string
  folder: DataFolder
  replica: Replica
  journal: Journal
  saved: SavedStates
  snapshotter: Snapshotter
  feed: Readonly<{ after: number; tell: (batch: Batch) => void | Promise<void> }> | undefined
  onFatal: (error: unknown) => void
}>

/** What a node has that leads. */
export type Lead = Readonly<{ leadership: Leadership; report: NodeReport }>

const tellMs = 1_000

/** Resolves when this node leads. */
export async function joinCluster(cluster: Cluster, parts: Joining): Promise<Lead> {
  const { root, folder, replica, journal, saved, snapshotter, feed, onFatal } = parts
  const tellAfter = feed?.after ?? Number.POSITIVE_INFINITY
  const follower = new Follower(replica, { saved, completeSaved: true, tellAfter })
  const { node: name, holder, role } = cluster
  const who = { name, holder, role, seq: () => replica.seq }
  // What would be led with is what is compared, and nobody waits for it here.
  const report = new NodeReport({ ...who, hash: async () => stateHash(replica.state) })
  let toldAt = Number.NEGATIVE_INFINITY
  const { leadership, store } = await leadWhenFree(cluster, {
    origin: folder.origin,
    copy: journal,
    async take(frame) {
      const batch = await follower.take(frame)
      if (batch !== null) await feed?.tell(batch)
      report.passed()
      snapshotter.grown()
    },
    joined: ({ keySecret }) => keepKeySecret(root, keySecret),
    async inStep(from) {
      if (cluster.now() - toldAt < tellMs) return
      toldAt = cluster.now()
      await report.tell(from)
    },
  })
  void leadership.asked.then(() => cluster.onAsked())
  void leadership.ended.then((fault) => {
    if (fault.code !== 'LEAD_RETURNED') onFatal(fault)
  })
  // Trading must not wait for a hash: another thread makes it, of what is on this disk.
  const hash = async (seq: number) => {
    await journal.settled()
    return (await snapshotter.hashesAt(seq)).state
  }
  const leading = new NodeReport({ ...who, hash })
  tellWhile(leadership, leading, store)
  return { leadership, report: leading }
}

function tellWhile({ ended }: Leadership, report: NodeReport, store: FrameStore): void {
  // One that fails is told by the leadership, which has the same connections.
  const tell = () => void report.tell(store).catch(() => undefined)
  tell()
  const timer = setInterval(tell, tellMs).unref()
  void ended.then(() => clearInterval(timer))
}
