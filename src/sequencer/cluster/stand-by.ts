// A standby node of a cluster. It follows the chain, so that its folder, its state and its
// listeners are in step with the leader, and takes the lease when it is free. Then it applies the
// last frames of the previous leader, and only then does it lead.

import { setTimeout as wait } from 'node:timers/promises'
import { type CatchingUp, catchUp } from '../../journal/store/catch-up.ts'
import type { FrameStore } from '../../journal/store/frame-store.ts'
import { Leadership, type LeadershipOptions } from '../../journal/store/leadership.ts'
import { StoreFault, type StoreFaultCode } from '../../journal/store/store-fault.ts'
import { SequencerStopped } from '../not-taken.ts'

export type Cluster = LeadershipOptions &
  Readonly<{
    /** Name of the node, and its role. */
    node: string
    role: string
    /** Version of the program. */
    version: string
    /** Where other nodes reach it; empty: nowhere. */
    link: string
    /** Opens the store of the exchange with this origin, each time on the current primary. */
    open(origin: Buffer): Promise<FrameStore>
    /** Called each time that another node leads, and once when there is no leader. */
    onFollowing(leader: string | null): void
    /** Called when the store failed, and is tried again. */
    onTrouble(fault: Error): void
    /** Called when there is no link to the leader, or it was lost; the store is read meanwhile. */
    onUnlinked(holder: string, why: Error): void
    /** The clock of this machine. */
    wallNow(): number
    /** Called each time that the end of the chain was reached. */
    onInStep(): void
    /** Called when the release of the lease is requested. */
    onStepDown(): void
  }>

/** The consumer that is brought to the end of the chain. */
export type Following = Readonly<{
  origin: Buffer
  followed: CatchingUp
  /** Resolves when the folder's history is known to be part of the chain of this store, up to its
   *  end. */
  joined(store: FrameStore): Promise<void>
  /** Called each time that the end of the chain was reached. Resolves with the reason why this node
   *  must not lead, or `null` if it may. */
  inStep(store: FrameStore): Promise<string | null>
}>

/** The store on which the lease was taken. */
export type TakenLead = Readonly<{ leadership: Leadership; store: FrameStore }>

/** Polling interval of the store: how far a follower may lag, and how soon it sees a free lease. */
export const askMs = 25
export const againMs = 200

/** Faults that another attempt with the same folder and program would meet again. */
const forGood: ReadonlySet<StoreFaultCode> = new Set<StoreFaultCode>([
  'CHAIN_OTHER',
  'STATE_OTHER',
  'STORE_DAMAGED',
  'STORE_OF_ANOTHER',
  'STORE_VERSION',
])

/** Whether another attempt may succeed. */
export function isPassing(error: unknown): error is Error {
  if (error instanceof StoreFault) return !forGood.has(error.code)
  return error instanceof SequencerStopped
}

/** Resolves when this node leads. A store that cannot be followed at the start is an error; later
 *  this waits for it. */
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

  /** `null` if another node leads. */
  async next(): Promise<Leadership | null> {
    await this.catchUp()
    const whyNot = await this.node.inStep(this.store)
    if (whyNot !== null) {
      this.cluster.onTrouble(new Error(`this node does not lead: ${whyNot}`))
      return null
    }
    const leadership = await Leadership.take(this.store, this.cluster)
    if (leadership === null) this.reportLeader()
    // The last frames of the previous leader.
    else await this.catchUp()
    return leadership
  }

  private catchUp(): Promise<void> {
    return catchUp(this.store, this.node.followed)
  }

  private reportLeader(): void {
    const leader = this.store.leader()
    if (leader === this.knownLeader) return
    this.knownLeader = leader
    this.cluster.onFollowing(leader)
  }
}
