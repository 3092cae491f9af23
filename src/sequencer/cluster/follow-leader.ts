// A read node of a cluster follows the leader. With a link the leader sends each frame as it is
// acknowledged; without a link the node polls the store. The node reads the store at the start and
// after every loss of the link, so that it is up to date before it accepts frames of a leader.

import type { Duplex } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { catchUp } from '../../journal/store/catch-up.ts'
import type { FrameStore } from '../../journal/store/frame-store.ts'
import type { LeaderSeen } from '../../journal/store/node-news.ts'
import type { Served } from '../link/calls.ts'
import type { Followed } from '../link/followed.ts'
import { LeaderClock } from '../link/leader-clock.ts'
import { LeaderLink } from '../link/leader-link.ts'
import type { RemoteSequencer } from '../link/remote-sequencer.ts'
import { SequencerStopped } from '../not-taken.ts'
import type { NodeReport } from './node-report.ts'
import { againMs, askMs, type Cluster, isPassing } from './stand-by.ts'

export type FollowingParts = Readonly<{
  origin: Buffer
  followed: Followed
  remote: RemoteSequencer
  report: NodeReport
  /** Resolves when the folder's history is known to be part of the chain of this store, up to the
   *  end of that history. */
  joined(store: FrameStore): Promise<void>
  dial(address: string): Promise<Duplex>
  /** Called when the node can never continue. */
  onFatal(error: unknown): void
}>

/** Calls that the leader may make, and the introduction that is sent before any other message. */
export type Introduction = Readonly<{ served: Served; hello: readonly unknown[] }>

const reportMs = 1_000
/** Extra time that a leader may be quiet. A leader sends at least two messages per duration of its
 *  lease. If nothing arrives for longer than the lease plus this time, the node reads the store to
 *  find a new leader. It connects to the new leader before that leader cancels the armed orders. */
const heartbeatMsMore = 1_000

export class LeaderFollowing {
  private readonly cluster: Cluster
  private readonly parts: FollowingParts
  private store: FrameStore | null = null
  private introduction: Introduction = { served: {}, hello: [] }
  private heardAt: number
  private reportedAt = Number.NEGATIVE_INFINITY
  private link: LeaderLink | null = null
  private readonly leaderClock = new LeaderClock()
  private knownHolder: string | null | undefined
  private closing = false
  private reopening = false
  private resolveTried: () => void = () => undefined
  private running: Promise<void> = Promise.resolve()

  constructor(cluster: Cluster, parts: FollowingParts) {
    this.cluster = cluster
    this.parts = parts
    this.heardAt = cluster.now()
  }

  /** Time in ms since the node last had the newest entry of the chain. */
  get behindMs(): number {
    return this.link === null ? this.cluster.now() - this.heardAt : this.link.behindMs
  }

  /** How often the lead changed within the last hour. */
  get leadChanges(): number {
    return this.parts.report.leadChanges
  }

  /** Why the wall clock of the node cannot be used for signed requests; `null` if it can. */
  get clockFault(): string | null {
    return this.leaderClock.fault
  }

  /** Starts to follow; resolves when the node has reached the end of the chain. A store that cannot
   *  be followed at the start is an error. */
  async begin(): Promise<void> {
    const { origin, joined } = this.parts
    try {
      this.store = await this.cluster.open(origin)
      await this.readStore(this.store)
      await joined(this.store)
    } catch (error) {
      this.store?.close()
      throw error
    }
  }

  /** Follows until it is closed. Resolves when it follows a leader, or when there is no leader. */
  run(introduction: Introduction): Promise<void> {
    this.introduction = introduction
    const tried = new Promise<void>((resolve) => {
      this.resolveTried = resolve
    })
    this.running = this.keepFollowing().catch((error: unknown) => {
      if (!this.closing) this.parts.onFatal(error)
    })
    return tried
  }

  async close(): Promise<void> {
    this.closing = true
    this.link?.close()
    this.store?.close()
    await this.running
  }

  private async keepFollowing(): Promise<void> {
    while (!this.closing) {
      try {
        this.store ??= await this.cluster.open(this.parts.origin)
        await this.readStore(this.store)
        await this.parts.joined(this.store)
        // Another leader may have taken over while a link was followed.
        for (;;) await this.turn(this.store)
      } catch (error) {
        this.store?.close()
        this.store = null
        if (this.closing) return
        if (!isPassing(error)) throw error
        this.cluster.onTrouble(error)
        await wait(againMs)
      }
    }
  }

  private async turn(store: FrameStore): Promise<void> {
    await this.readStore(store)
    const leader = await store.whoLeads()
    this.sayWhoLeads(leader)
    if (leader !== null && leader.link !== '') await this.followOver(store, leader)
    this.resolveTried()
    await wait(askMs)
  }

  private async readStore(store: FrameStore): Promise<void> {
    const requestedAt = this.cluster.now()
    await catchUp(store, this.parts.followed)
    this.heardAt = requestedAt
    await this.reportNews(store)
  }

  private async reportNews(store: FrameStore): Promise<void> {
    const now = this.cluster.now()
    if (now - this.reportedAt < reportMs) return
    this.reportedAt = now
    const { report } = this.parts
    await report.publish(store)
    if (report.clockFault !== null) this.cluster.onTrouble(new Error(report.clockFault))
  }

  /** Connects to the leader; returns `null` if the leader cannot be reached, or another node leads
   *  by now. A lost machine does not even refuse connections, so the store is read while
   *  dialing. */
  private async dial(store: FrameStore, { link, holder }: LeaderSeen): Promise<Duplex | null> {
    const dialing = this.parts.dial(link).then(
      (stream) => ({ stream, error: null }),
      (error: Error) => ({ stream: null, error }),
    )
    const drop = () => {
      void dialing.then(({ stream }) => stream?.destroy())
      return null
    }
    try {
      for (;;) {
        const dialed = await Promise.race([dialing, wait(askMs, null)])
        if (dialed === null) await this.readStore(store)
        else if (dialed.error !== null) this.cluster.onUnlinked(holder, dialed.error)
        if (dialed !== null) return dialed.stream
        if ((await store.whoLeads())?.holder !== holder) return drop()
      }
    } catch (error) {
      drop()
      throw error
    }
  }

  /** Follows the leader over its link; returns when the link is lost. */
  private async followOver(store: FrameStore, leader: LeaderSeen): Promise<void> {
    const { remote, followed } = this.parts
    const { served, hello } = this.introduction
    const stream = await this.dial(store, leader)
    if (stream === null) return
    const link = new LeaderLink(stream, served)
    this.link = link
    const everyMs = Math.min(this.cluster.leaseMs, reportMs) / 2
    const watch = setInterval(() => this.watch(link), everyMs)
    try {
      const { seq } = await link.welcome()
      await catchUp(store, followed, seq)
      this.compareClocks(link)
      link.calls.notify('hello', ...hello)
      this.resolveTried()
      await remote.followOver(link)
    } catch (error) {
      if (!isPassing(error)) throw error
      this.cluster.onUnlinked(leader.holder, error)
    } finally {
      clearInterval(watch)
      this.link = null
      this.leaderClock.forget()
      this.heardAt = this.cluster.now() - link.behindMs
      link.close()
    }
  }

  private compareClocks(link: LeaderLink): void {
    const ask = () => link.calls.ask<number>('wallClock')
    // If the call fails, the leader is lost and there is no clock to compare with.
    this.leaderClock.compare(ask).catch(() => undefined)
  }

  /** Closes the link if the leader has been quiet for too long, or if this node has a fault. */
  private watch(link: LeaderLink): void {
    const { leaseMs } = this.cluster
    const { sinceLastMs } = link
    if (sinceLastMs > leaseMs + Math.min(leaseMs, heartbeatMsMore))
      return link.close(new SequencerStopped(`nothing came for ${Math.round(sinceLastMs)} ms`))
    this.compareClocks(link)
    this.reportNews(this.store!)
      // The store may be unavailable for a while, which the leader handles.
      .catch((error: unknown) => (isPassing(error) ? this.reopen(link) : Promise.reject(error)))
      .catch((error: Error) => link.close(error))
  }

  /** Reports this node to the others again, because the store is not read while a link is
   *  followed. */
  private async reopen(link: LeaderLink): Promise<void> {
    if (this.reopening) return
    this.reopening = true
    let store: FrameStore | null = null
    try {
      store = await this.cluster.open(this.parts.origin)
      await store.whoLeads()
      if (this.link !== link) return
      this.store!.close()
      this.store = store
      store = null
    } catch (error) {
      if (!isPassing(error)) throw error
    } finally {
      this.reopening = false
      store?.close()
    }
  }

  private sayWhoLeads(leader: LeaderSeen | null): void {
    const holder = leader?.holder ?? null
    if (holder === this.knownHolder) return
    this.knownHolder = holder
    this.cluster.onFollowing(holder)
  }
}
