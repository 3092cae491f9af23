// A node of a cluster that only reads follows whoever leads, for as long as it runs: over a link to
// the leader, which tells each frame as it is acknowledged, and by asking the store where there is
// no link. It begins in the store and comes back there after every loss, so that it stands where a
// leader stands before it takes a word of his.

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
  /** The folder's history is part of the chain of this store, and stands where it ends. */
  joined(store: FrameStore): Promise<void>
  dial(address: string): Promise<Duplex>
  /** It can never go on as it is. */
  onFatal(error: unknown): void
}>

/** What the leader may ask, and what it is told of us first. */
export type Introduction = Readonly<{ served: Served; hello: readonly unknown[] }>

const tellMs = 1_000
/** A leader says something twice in its lease, if only that it is there. One that is silent for
 *  longer than that, and this, is looked for in the store; with the next one we are before what is
 *  armed here is taken for left behind. */
const silentMsMore = 1_000

export class LeaderFollowing {
  private readonly cluster: Cluster
  private readonly parts: FollowingParts
  private store: FrameStore | null = null
  private introduction: Introduction = { served: {}, hello: [] }
  private heardAt: number
  private toldAt = Number.NEGATIVE_INFINITY
  private link: LeaderLink | null = null
  private readonly leaderClock = new LeaderClock()
  private told: string | null | undefined
  private closing = false
  private reopening = false
  private tellTried: () => void = () => undefined
  private running: Promise<void> = Promise.resolve()

  constructor(cluster: Cluster, parts: FollowingParts) {
    this.cluster = cluster
    this.parts = parts
    this.heardAt = cluster.now()
  }

  /** How long ago it was known to stand where the chain ended. */
  get behindMs(): number {
    return this.link === null ? this.cluster.now() - this.heardAt : this.link.behindMs
  }

  /** Why its wall clock cannot be used for signed requests; `null` if it can. */
  get clockFault(): string | null {
    return this.leaderClock.fault
  }

  /** Resolves when it stands where the chain ends. A store that cannot be followed at the start is
   *  an error that somebody has to see. */
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

  /** Goes on from there until it is closed. Resolves when it follows a leader, or none is there. */
  run(introduction: Introduction): Promise<void> {
    this.introduction = introduction
    const tried = new Promise<void>((resolve) => {
      this.tellTried = resolve
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
        // Another one may have taken its place while a link was followed.
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
    this.tellTried()
    await wait(askMs)
  }

  private async readStore(store: FrameStore): Promise<void> {
    const askedAt = this.cluster.now()
    await catchUp(store, this.parts.followed)
    this.heardAt = askedAt
    await this.tellNews(store)
  }

  private async tellNews(store: FrameStore): Promise<void> {
    const now = this.cluster.now()
    if (now - this.toldAt < tellMs) return
    this.toldAt = now
    const { report } = this.parts
    await report.tell(store)
    if (report.clockFault !== null) this.cluster.onTrouble(new Error(report.clockFault))
  }

  /** A machine that is gone does not even refuse: the store is read while it is waited for. Null:
   *  there is no way to it, or somebody else leads by now. */
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

  /** Until the link is lost. */
  private async followOver(store: FrameStore, leader: LeaderSeen): Promise<void> {
    const { remote, followed } = this.parts
    const { served, hello } = this.introduction
    const stream = await this.dial(store, leader)
    if (stream === null) return
    const link = new LeaderLink(stream, served)
    this.link = link
    const everyMs = Math.min(this.cluster.leaseMs, tellMs) / 2
    const watch = setInterval(() => this.watch(link), everyMs)
    try {
      const { seq } = await link.welcome()
      await catchUp(store, followed, seq)
      this.compareClocks(link)
      link.calls.tell('hello', ...hello)
      this.tellTried()
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
    // Without an answer there is no leader, and so nothing to compare with.
    this.leaderClock.compare(ask).catch(() => undefined)
  }

  /** Ends the link when the leader says nothing any more, or this node is not as it should be. */
  private watch(link: LeaderLink): void {
    const { leaseMs } = this.cluster
    const { silentMs } = link
    if (silentMs > leaseMs + Math.min(leaseMs, silentMsMore))
      return link.close(new SequencerStopped(`nothing came for ${Math.round(silentMs)} ms`))
    this.compareClocks(link)
    this.tellNews(this.store!)
      // The store may be away for a while: whoever leads is who learns what it means.
      .catch((error: unknown) => (isPassing(error) ? this.reopen(link) : Promise.reject(error)))
      .catch((error: Error) => link.close(error))
  }

  /** The others want to hear of this node, and nobody reads the store while a link is followed. */
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
    if (holder === this.told) return
    this.told = holder
    this.cluster.onFollowing(holder)
  }
}
