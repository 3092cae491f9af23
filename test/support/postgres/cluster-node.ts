// An exchange in a cluster without its doors: a data folder that catches up from the store, and a
// sequencer on the replicated journal once the node leads. Joined as a start would join them.

import type { Command, Genesis } from '../../../src/core/index.ts'
import type { Frame } from '../../../src/journal/frame.ts'
import { Journal } from '../../../src/journal/journal.ts'
import { PostgresStore } from '../../../src/journal/postgres/postgres-store.ts'
import { catchUp } from '../../../src/journal/store/catch-up.ts'
import { ChainCopy } from '../../../src/journal/store/chain-copy.ts'
import type { FrameStore } from '../../../src/journal/store/frame-store.ts'
import { ReplicatedJournal } from '../../../src/journal/store/replicated-journal.ts'
import {
  type DataFolder,
  formatVersion,
  openDataFolder,
} from '../../../src/sequencer/data-folder.ts'
import { Followed } from '../../../src/sequencer/link/followed.ts'
import type { Outcome } from '../../../src/sequencer/outcome.ts'
import { Follower } from '../../../src/sequencer/replica/follower.ts'
import { recover } from '../../../src/sequencer/replica/recover.ts'
import type { Replica } from '../../../src/sequencer/replica/replica.ts'
import { Sequencer } from '../../../src/sequencer/sequencer.ts'
import { SavedStateFiles } from '../../../src/sequencer/snapshots/saved-state-files.ts'
import { stateHash } from '../../../src/sequencer/snapshots/state-hash.ts'
import { forgetfulSources } from '../small-exchange/memory-journal.ts'
import { leadOn, wanted } from './chain.ts'

export type NodeOptions = Readonly<{
  folder: string
  url: string
  genesis: Genesis
  now: () => number
}>

export class ClusterNode {
  private readonly options: NodeOptions
  private readonly saved: SavedStateFiles
  private readonly replica: Replica
  private readonly followed: Followed
  private readonly copy: Journal
  private readonly store: FrameStore
  private sequencer: Sequencer | null = null
  readonly fatal: unknown[] = []

  private constructor(options: NodeOptions, saved: SavedStateFiles, parts: Parts) {
    this.options = options
    this.saved = saved
    this.replica = parts.replica
    this.followed = parts.followed
    this.copy = parts.copy
    this.store = parts.store
  }

  static async start(options: NodeOptions): Promise<ClusterNode> {
    const folder: DataFolder = await openDataFolder(options.folder, options.genesis)
    const saved = new SavedStateFiles(folder.saved)
    const { replica, end } = await recover(folder, { saved, completeSaved: true })
    const copy = await Journal.open(folder.journal, end!)
    const store = await PostgresStore.open({
      ...wanted(options.url),
      origin: folder.origin,
      format: formatVersion,
    })
    const publishAfter = Number.POSITIVE_INFINITY
    const follower = new Follower(replica, { saved, completeSaved: true, publishAfter })
    const chainCopy = new ChainCopy(copy)
    const keep = (frame: Frame) => chainCopy.add(frame)
    const followed = new Followed({ follower, end: chainCopy.end, keep })
    return new ClusterNode(options, saved, { replica, followed, copy, store })
  }

  get seq(): number {
    return this.replica.seq
  }

  get hash(): string {
    return stateHash(this.replica.state)
  }

  /** `look` sees each frame. */
  follow(look: (frame: Frame) => void = () => undefined): Promise<void> {
    const { followed, store } = this
    const read: FrameStore['read'] = async (after, max) => {
      const frames = await store.read(after, max)
      for (const frame of frames) look(frame)
      return frames
    }
    return catchUp({ read }, followed)
  }

  async lead(holder: string): Promise<void> {
    const leadership = await leadOn(this.store, undefined, holder)
    // What the last leader still got in.
    await this.follow()
    await this.copy.settled()
    this.sequencer = new Sequencer({
      replica: this.replica,
      journal: new ReplicatedJournal(leadership, this.copy),
      clock: { now: this.options.now },
      saved: this.saved,
      sources: forgetfulSources,
      onFatal: (error) => this.fatal.push(error),
    })
  }

  submit(command: Command): Promise<Outcome> {
    return this.sequencer!.submit(command)
  }

  /** Its last frame may be in the store and not in its folder: a start finds it. */
  die(): void {
    this.store.close()
  }

  async close(): Promise<void> {
    if (this.sequencer !== null) return this.sequencer.close()
    this.store.close()
    await this.copy.close()
  }
}

type Parts = Readonly<{
  replica: Replica
  followed: Followed
  copy: Journal
  store: FrameStore
}>
