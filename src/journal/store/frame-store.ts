// The interface of a store that several machines share. It has a chain of frames, to which frames
// are added one at a time, and a lease for the node that may add them. The chain alone keeps
// history consistent, because a frame can only follow the newest one. The lease only avoids
// conflicts between nodes.

import type { Frame } from '../frame.ts'
import type { LeaderSeen, NodeNews, NodeSeen } from './node-news.ts'
import type { StoreFault } from './store-fault.ts'

/** A position in the chain: the last record of a frame, and the frame's seal. At seq 0 the seal is
 *  the origin of the chain. */
export type ChainEnd = Readonly<{ seq: number; seal: Buffer }>

/** Returns the end of the chain after this frame. */
export function endOf({ firstSeq, count, seal }: Frame): ChainEnd {
  return { seq: firstSeq + count - 1, seal }
}

export function isNext({ firstSeq, before }: Frame, { seq, seal }: ChainEnd): boolean {
  return firstSeq === seq + 1 && before.equals(seal)
}

/** A lease that is held and renewed, independently of the thread that uses it. */
export type Lease = Readonly<{
  /** End of the lease on the machine's clock, as last renewed; 0 if renewals have ended. It may
   *  change at any time. */
  endsAt: number
  /** Why renewals have ended; `null` if they have not, or if the lease has just expired. */
  fault: StoreFault | null
  /** Resolves with the fault when renewals have ended. */
  ended: Promise<StoreFault>
  /** Resolves when the release of the lease is requested. */
  stepDown: Promise<void>
  /** Shows that the trading thread is not stuck. Otherwise renewals stop after some seconds. */
  showProgress(): void
}>

export type FrameStore = Readonly<{
  /** Secret from which API keys are derived. It is created with the chain, and all nodes share
   *  it. */
  keySecret: Buffer
  /** Id of the exchange, created with the chain. */
  venue: string
  /** Holder of the lease when this node last requested the lease; `null` if there was none, or if
   *  it was never requested. */
  leader(): string | null
  /** Returns the current or last leader as stored now; `null` if there is none. */
  whoLeads(): Promise<LeaderSeen | null>
  /** Returns the current end of the chain. Its last frame may be on one machine only. */
  newest(): Promise<ChainEnd>
  /** Returns up to `max` frames after this position; empty at the end. Every seal and link is
   *  checked, and all frames are flushed on two machines. Throws CHAIN_OTHER if `after` is not in
   *  the chain. */
  read(after: ChainEnd, max: number): Promise<readonly Frame[]>
  /** Takes the lease if it is free, and renews it from then on; returns `null` if another node has
   *  it, or if this node, whose history ends with `seq`, is too far behind the chain. The lease is
   *  free if it was released, or if its holder has not renewed it for its duration, measured by our
   *  own clock while we kept polling. */
  lead(holder: string, seq: number): Promise<Lease | null>
  /** Resolves when the frame is flushed on two machines. Throws CHAIN_MOVED if it can never be
   *  added, and FATE_UNKNOWN if it was or may still be added. After any failure no more frames are
   *  appended. */
  append(frame: Frame): Promise<void>
  /** Stops the renewals and releases the lease, so that another node need not wait until it
   *  expires. */
  resign(): Promise<void>
  /** How often the lease was taken within the last hour. */
  leadChanges(): Promise<number>
  /** Publishes the status of this node; resolves with the status of all nodes. */
  exchangeNews(own: NodeNews): Promise<readonly NodeSeen[]>
  /** Closes all connections immediately. Statements in progress fail. */
  close(): void
}>

/** Determines whether a frame with an unknown outcome is in the chain. `open`: it may still be
 *  added, until another frame takes its place. */
export async function fateOf(
  store: Pick<FrameStore, 'read'>,
  { firstSeq, before, seal }: Frame,
): Promise<'in' | 'out' | 'open'> {
  const [there] = await store.read({ seq: firstSeq - 1, seal: before }, 1)
  if (there === undefined) return 'open'
  return there.seal.equals(seal) ? 'in' : 'out'
}
