// Joins the data folder to its cluster. The node follows until it leads, and continuously reports
// its status to the other nodes.

import { ChainCopy } from '../../journal/store/chain-copy.ts'
import type { FrameStore } from '../../journal/store/frame-store.ts'
import type { Leadership } from '../../journal/store/leadership.ts'
import { keepVenue } from '../data-folder.ts'
import { keepKeySecret } from '../key-secret.ts'
import { Followed } from '../link/followed.ts'
import type { FolderFeed, OpenedFolder } from '../opened-folder.ts'
import { Follower } from '../replica/follower.ts'
import { stateHash } from '../snapshots/state-hash.ts'
import { writeMembership } from './membership.ts'
import { NodeReport } from './node-report.ts'
import { type Cluster, leadWhenFree } from './stand-by.ts'

export type Joining = Readonly<{
  opened: OpenedFolder
  feed: FolderFeed | undefined
  onFatal: (error: unknown) => void
}>

/** Parts of a leading node. */
export type Lead = Readonly<{ leadership: Leadership; report: NodeReport }>

const reportMs = 1_000

/** Creates the consumer that writes the chain to the folder of this node. */
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

/** Replaces the folder's own secret and venue id by the values that all nodes share. From now on
 *  the folder does not start alone. */
export async function keepShared(root: string, store: FrameStore): Promise<void> {
  await writeMembership(root, { stage: 'member' })
  await keepFacts(root, store)
}

/** The same for a read node, which has no secret. */
export async function keepVenueOnly(root: string, { venue }: FrameStore): Promise<void> {
  await writeMembership(root, { stage: 'member' })
  await keepVenue(root, venue)
}

export async function keepFacts(root: string, { keySecret, venue }: SharedByNodes): Promise<void> {
  await keepKeySecret(root, keySecret)
  await keepVenue(root, venue)
}

type SharedByNodes = Pick<FrameStore, 'keySecret' | 'venue'>

/** The node's identity in its reports. */
export function nameOf({ node: name, holder, role, version, link, wallNow }: Cluster) {
  return { name, holder, role, version, link, wallNow }
}

/** Joins the cluster; resolves when this node leads. */
export async function joinCluster(cluster: Cluster, parts: Joining): Promise<Lead> {
  const { opened, feed, onFatal } = parts
  const { root, folder, replica } = opened.parts
  const who = { ...nameOf(cluster), seq: () => replica.seq }
  // A standby node hashes its own state, because no call waits for it.
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
        cluster.onLeadChanges(report.leadChanges)
      }
      return report.clockFault
    },
  })
  void leadership.stepDown.then(() => cluster.onStepDown())
  void leadership.ended.then((fault) => {
    if (fault.code !== 'LEAD_RETURNED') onFatal(fault)
  })
  // On the leader, trading must not wait for a hash, so another thread computes it from the disk.
  const leading = new NodeReport({ ...who, hash: (seq) => opened.hashAt(seq) })
  reportWhile(leadership, leading, store)
  return { leadership, report: leading }
}

function reportWhile({ ended }: Leadership, report: NodeReport, store: FrameStore): void {
  // The leadership uses the same connections and reports their failures.
  const reportNow = () => void report.publish(store).catch(() => undefined)
  reportNow()
  const timer = setInterval(reportNow, reportMs).unref()
  void ended.then(() => clearInterval(timer))
}
