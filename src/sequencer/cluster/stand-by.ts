// A standby node of a cluster. It follows the chain, so that its folder, its state and its
// listeners are up to date, and takes the lease when it is free. It leads after it has applied the
// last frames of the previous leader.

import { setTimeout as wait } from 'node:timers/promises'
import { type CatchingUp, catchUp } from '../../journal/store/catch-up.ts'
import type { FrameStore } from '../../journal/store/frame-store.ts'
import { Leadership, type LeadershipOptions } from '../../journal/store/leadership.ts'
import { StoreFault, type StoreFaultCode } from '../../journal/store/store-fault.ts'
import { SequencerStopped } from '../not-taken.ts'

export type Cluster = LeadershipOptions &
  Readonly<{
    /** Name of the node. */
    node: string
    role: string
    /** Version of the program. */
    version: string
    /** Address at which other nodes reach this node; empty if they cannot. */
    link: string
    /** Opens the store of the exchange with this origin. Each call connects to the current
     *  primary. */
    open(origin: Buffer): Promise<FrameStore>
    /** Called whenever a different node leads, and once when there is no leader. */
    onFollowing(leader: string | null): void
    /** Called when the store has failed and is retried. */
    onTrouble(fault: Error): void
    /** Called when there is no link to the leader. Meanwhile the store is read. */
    onUnlinked(holder: string, why: Error): void
    /** The clock of this machine. */
    wallNow(): number
    /** Called whenever the node has reached the end of the chain. */
    onInStep(): void
    /** Called when the release of the lease is requested. */
    onStepDown(): void
    /** Called repeatedly while this node is a standby. */
    onLeadChanges(lastHour: number): void
  }>

/** The consumer of the followed frames. */
export type Following = Readonly<{
  origin: Buffer
  followed: CatchingUp
  /** Resolves when the folder's history is known to be part of the chain of this store, up to the
   *  end of that history. */
  joined(store: FrameStore): Promise<void>
  /** Called whenever the node has reached the end of the chain. Resolves with the reason why this
   *  node must not lead, or `null` if it may. */
  inStep(store: FrameStore): Promise<string | null>
}>

/** The lease, and the store on which it was taken. */
export type TakenLead = Readonly<{ leadership: Leadership; store: FrameStore }>

/** Polling interval of the store in ms. It limits how far a follower lags, and how late it sees a
 *  free lease. */
export const askMs = 25
export const againMs = 200

/** Faults that would occur again with the same folder and program. */
const forGood: ReadonlySet<StoreFaultCode> = new Set<StoreFaultCode>([
  'CHAIN_OTHER',
  'STATE_OTHER',
  'STORE_DAMAGED',
  'STORE_LEFT',
  'STORE_MOVING',
  'STORE_OF_ANOTHER',
  'STORE_VERSION',
])

/** Whether a retry may succeed. */
export function isPassing(error: unknown): error is Error {
  if (error instanceof StoreFault) return !forGood.has(error.code)
  return error instanceof SequencerStopped
}

/** Follows until this node leads. A store that cannot be followed at the start is an error; later
 *  failures are retried. */
export async function leadWhenFree(cluster: Cluster, node: Following): Promise<TakenLead> {
  let hasFollowed = false
  for (;;) {
    let store: FrameStore | null = null
    try {
      store = await cluster.open(node.origin)
      await catchUp(store, node.followed)
      await node.joined(store)
      const follow = new Turn(cluster, node, store)
      let leadership = await follow.next()
      hasFollowed = true
      while (leadership === null) {
        await wait(askMs)
        leadership = await follow.next()
      }
      return { leadership, store }
    } catch (error) {
      store?.close()
      if (!hasFollowed || !isPassing(error)) throw error
      cluster.onTrouble(error)
      await wait(againMs)
    }
  }
}

class Turn {
  private readonly cluster: Cluster
  private readonly node: Following
  private readonly store: FrameStore
  private knownLeader: string | null | undefined

  constructor(cluster: Cluster, node: Following, store: FrameStore) {
    this.cluster = cluster
    this.node = node
    this.store = store
  }

  /** Returns the leadership; `null` if another node leads. */
  async next(): Promise<Leadership | null> {
    const { cluster, node, store } = this
    await catchUp(store, node.followed)
    const whyNot = await node.inStep(store)
    if (whyNot !== null) {
      cluster.onTrouble(new Error(`this node does not lead: ${whyNot}`))
      return null
    }
    const leadership = await Leadership.take(store, node.followed.end.seq, cluster)
    if (leadership === null) this.reportLeader()
    else await this.catchUpAs(leadership)
    return leadership
  }

  /** Applies the last frames of the previous leader. */
  private catchUpAs(leadership: Leadership): Promise<void> {
    const { followed } = this.node
    return catchUp(this.store, {
      get end() {
        return followed.end
      },
      async take(frame) {
        await followed.take(frame)
        leadership.showProgress()
      },
    })
  }

  private reportLeader(): void {
    const leader = this.store.leader()
    if (leader === this.knownLeader) return
    this.knownLeader = leader
    this.cluster.onFollowing(leader)
  }
}
