// Joins the data folder to its cluster: it follows until it leads, and reports its status to the
// other nodes all the time.

import { ChainCopy } from '../../journal/store/chain-copy.ts'
import type { FrameStore } from '../../journal/store/frame-store.ts'
import type { Leadership } from '../../journal/store/leadership.ts'
import { keepVenue } from '../data-folder.ts'
import { keepKeySecret } from '../key-secret.ts'
import { Followed } from '../link/followed.ts'
import type { FolderFeed, OpenedFolder } from '../opened-folder.ts'
import { Follower } from '../replica/follower.ts'
import { stateHash } from '../snapshots/state-hash.ts'
import { NodeReport } from './node-report.ts'
import { type Cluster, leadWhenFree } from './stand-by.ts'

export type Joining = Readonly<{
  opened: OpenedFolder
  feed: FolderFeed | undefined
  onFatal: (error: unknown) => void
}>

/** What a leading node has. */
export type Lead = Readonly<{ leadership: Leadership; report: NodeReport }>

const reportMs = 1_000

/** Follows the chain into the folder of this node. */
export function followedIn(opened: OpenedFolder, feed: FolderFeed | undefined, report: NodeReport) {
  const { replica, saved, journal, snapshotter } = opened.parts
  const copy = new ChainCopy(journal)
  const publishAfter = feed?.after ?? Number.POSITIVE_INFINITY
  return new Followed({
    follower: new Follower(replica, { saved, completeSaved: true, publishAfter }),
    end: copy.end,
    async keep(frame) {
      await copy.add(frame)
      report.passed()
      snapshotter.grown()
    },
    ...(feed !== undefined && { feed: feed.take }),
  })
}

/** Replaces the folder's own values by those that all nodes share. */
export async function keepShared(root: string, { keySecret, venue }: FrameStore): Promise<void> {
  await keepKeySecret(root, keySecret)
  await keepVenue(root, venue)
}

/** The identity in a node's reports. */
export function nameOf({ node: name, holder, role, version, link, wallNow }: Cluster) {
  return { name, holder, role, version, link, wallNow }
}

/** Resolves when this node leads. */
export async function joinCluster(cluster: Cluster, parts: Joining): Promise<Lead> {
  const { opened, feed, onFatal } = parts
  const { root, folder, replica } = opened.parts
  const who = { ...nameOf(cluster), seq: () => replica.seq }
  // Compares the state before it leads; no call waits for this.
  const report = new NodeReport({ ...who, hash: async () => stateHash(replica.state) })
  let reportedAt = Number.NEGATIVE_INFINITY
  const { leadership, store } = await leadWhenFree(cluster, {
    origin: folder.origin,
    followed: followedIn(opened, feed, report),
    joined: (store) => keepShared(root, store),
    async inStep(from) {
      cluster.onInStep()
      if (cluster.now() - reportedAt >= reportMs) {
        reportedAt = cluster.now()
        await report.publish(from)
      }
      return report.clockFault
    },
  })
  void leadership.stepDown.then(() => cluster.onStepDown())
  void leadership.ended.then((fault) => {
    if (fault.code !== 'LEAD_RETURNED') onFatal(fault)
  })
  // Trading must not wait for a hash: another thread computes it from what is on this disk.
  const leading = new NodeReport({ ...who, hash: (seq) => opened.hashAt(seq) })
  reportWhile(leadership, leading, store)
  return { leadership, report: leading }
}

function reportWhile({ ended }: Leadership, report: NodeReport, store: FrameStore): void {
  // Failures are reported by the leadership, which uses the same connections.
  const reportNow = () => void report.publish(store).catch(() => undefined)
  reportNow()
  const timer = setInterval(reportNow, reportMs).unref()
  void ended.then(() => clearInterval(timer))
}
