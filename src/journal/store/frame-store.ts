// The interface of a store that several machines share: a chain of frames, to which one frame can
// be added at a time, and a lease for the node that may do so. The chain alone keeps history
// consistent: a frame can only follow the newest one. The lease only keeps two nodes from trying.

import type { Frame } from '../frame.ts'
import type { LeaderSeen, NodeNews, NodeSeen } from './node-news.ts'

/** The frame that ends with this record has this seal. At seq 0: the origin of the chain. */
export type ChainEnd = Readonly<{ seq: number; seal: Buffer }>

/** The end of the chain after this frame. */
export function endOf({ firstSeq, count, seal }: Frame): ChainEnd {
  return { seq: firstSeq + count - 1, seal }
}

export function isNext({ firstSeq, before }: Frame, { seq, seal }: ChainEnd): boolean {
  return firstSeq === seq + 1 && before.equals(seal)
}

export type FrameStore = Readonly<{
  /** Secret that API keys are derived from, created with the chain: every node has the same. */
  keySecret: Buffer
  /** Id of the exchange, created with the chain. */
  venue: string
  /** The holder of the lease when we last requested it; `null` if none, or not requested yet. */
  leader(): string | null
  /** The current or last leader, as the store has it now; `null` if none. */
  whoLeads(): Promise<LeaderSeen | null>
  /** The current end of the chain; its last frame may be on one machine only. */
  newest(): Promise<ChainEnd>
  /** The next frames after this one, at most `max`, with every seal and link checked, and all of
   *  them flushed on two machines; empty at the end. CHAIN_OTHER if `after` is not in the chain. */
  read(after: ChainEnd, max: number): Promise<readonly Frame[]>
  /** Takes the lease if it is free, and returns from which moment of our monotonic clock on it
   *  counts; `null` if another node has it. It is free when it was released, or when its holder
   *  has not renewed it for its duration, by our own clock, while we kept polling. */
  lead(holder: string): Promise<number | null>
  /** Renews the lease from the moment of this call on; `true` if its release was requested.
   *  LEAD_LOST if another node has taken it, STORE_NOT_REPLICATED if acknowledged frames would not
   *  be on two machines. */
  renew(): Promise<boolean>
  /** Resolves when the frame is flushed on two machines. CHAIN_MOVED if it can never be added,
   *  FATE_UNKNOWN if it may be there or may come. After any failure nothing more is appended. */
  append(frame: Frame): Promise<void>
  /** Releases the lease, so that another node need not wait for its end. */
  resign(): Promise<void>
  /** Reports the status of this node, and resolves with that of all. */
  exchangeNews(own: NodeNews): Promise<readonly NodeSeen[]>
  /** Closes every connection immediately; statements in progress fail. */
  close(): void
}>

/** Whether a frame with an unknown outcome is in the chain. `open`: it may still come, until
 *  another frame takes its place. */
export async function fateOf(
  store: Pick<FrameStore, 'read'>,
  { firstSeq, before, seal }: Frame,
): Promise<'in' | 'out' | 'open'> {
  const [there] = await store.read({ seq: firstSeq - 1, seal: before }, 1)
  if (there === undefined) return 'open'
  return there.seal.equals(seal) ? 'in' : 'out'
}
