// One exchange on disk that another node leads. This node has a copy of the chain in its own
// folder, and the resulting state.

import type { Duplex } from 'node:stream'
import type { Followed } from '../link/followed.ts'
import { RemoteSequencer } from '../link/remote-sequencer.ts'
import { type FolderOptions, OpenedFolder } from '../opened-folder.ts'
import type { Batch } from '../outcome.ts'
import { type Introduction, LeaderFollowing } from './follow-leader.ts'
import { followedIn, keepVenueOnly, nameOf } from './join-cluster.ts'
import { NodeReport } from './node-report.ts'
import type { Cluster } from './stand-by.ts'

export type FollowedDataOptions = FolderOptions &
  Readonly<{
    cluster: Cluster
    /** Opens a stream to the node at this address. */
    dial: (address: string) => Promise<Duplex>
  }>

export class FollowedData extends OpenedFolder {
  readonly sequencer: RemoteSequencer
  private readonly followed: Followed
  private readonly following: LeaderFollowing

  constructor(opened: OpenedFolder, parts: Following) {
    super(opened.parts, opened.recovery)
    this.sequencer = parts.sequencer
    this.followed = parts.followed
    this.following = parts.following
  }

  /** Time in ms since this node last had the newest entry of the chain. */
  get behindMs(): number {
    return this.following.behindMs
  }

  /** How often the lead changed within the last hour. */
  get leadChanges(): number {
    return this.following.leadChanges
  }

  /** Why signed requests cannot be accepted; `null` if they can. The wall clock of this node may be
   *  too far off the leader's, or may not have been compared yet. */
  get clockFault(): string | null {
    return this.following.clockFault
  }

  /** Starts following. Each batch is passed to `feed`, and the next frame waits for it. Resolves
   *  when the node follows a leader, or when there is no leader. */
  run(introduction: Introduction, feed: (batch: Batch) => void | Promise<void>): Promise<void> {
    this.followed.feedTo(feed)
    return this.following.run(introduction)
  }

  close({ snapshot = true }: Readonly<{ snapshot?: boolean }> = {}): Promise<void> {
    const { journal } = this.parts
    return this.closeAfter(
      async () => {
        await this.following.close()
        await journal.settled()
        await journal.close()
      },
      () => snapshot,
    )
  }
}

type Following = Readonly<{
  sequencer: RemoteSequencer
  followed: Followed
  following: LeaderFollowing
}>

/** Opens the folder; resolves when the node has reached the end of the chain. */
export async function openFollowedData(options: FollowedDataOptions): Promise<FollowedData> {
  const { cluster, feed, onFatal, dial } = options
  const opened = await OpenedFolder.open(options)
  const { root, folder, replica } = opened.parts
  const report = new NodeReport({
    ...nameOf(cluster),
    seq: () => replica.seq,
    hash: (seq) => opened.hashAt(seq),
  })
  const followed = followedIn(opened, feed, report)
  const sequencer = new RemoteSequencer(followed)
  const following = new LeaderFollowing(cluster, {
    origin: folder.origin,
    followed,
    remote: sequencer,
    report,
    joined: (store) => keepVenueOnly(root, store),
    dial,
    onFatal,
  })
  const data = new FollowedData(opened, { sequencer, followed, following })
  try {
    await following.begin()
    return data
  } catch (error) {
    await data.close({ snapshot: false })
    throw error
  }
}
