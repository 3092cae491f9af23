// What the journal needs of a store that several machines share: a chain of frames to which one
// frame can be added at a time, and a lease that says who may try. The chain alone keeps history
// straight: a frame goes in only behind the newest one. The lease only keeps two from trying.

import type { Frame } from '../frame.ts'
import type { LeaderSeen, NodeNews, NodeSeen } from './node-news.ts'

/** The frame that ends with this record has this seal. At seq 0: what the chain starts with. */
export type ChainEnd = Readonly<{ seq: number; seal: Buffer }>

/** Where the chain ends with this frame. */
export function endOf({ firstSeq, count, seal }: Frame): ChainEnd {
  return { seq: firstSeq + count - 1, seal }
}

export function isNext({ firstSeq, before }: Frame, { seq, seal }: ChainEnd): boolean {
  return firstSeq === seq + 1 && before.equals(seal)
}

export type FrameStore = Readonly<{
  /** That API keys are derived from, made with the chain: every node has the same. */
  keySecret: Buffer
  /** Id of the exchange, made with the chain. */
  venue: string
  /** The holder of the lease when we last requested it; `null` if none, or not requested yet. */
  leader(): string | null
  /** The current or last leader, as the store has it now; `null` if none. */
  whoLeads(): Promise<LeaderSeen | null>
  /** Where the chain ends now; its last frame may be on one machine only. */
  newest(): Promise<ChainEnd>
  /** The next frames after this one, at most `max`, every seal and link checked, and all of them
   *  flushed on two machines; none if it is the newest. CHAIN_OTHER when it is not in the chain. */
  read(after: ChainEnd, max: number): Promise<readonly Frame[]>
  /** Takes the lease if it is free, and returns from which moment of our monotonic clock on it
   *  counts; `null` if another node has it. It is free when it was released, or when its holder
   *  has not renewed it for its duration, by our own clock, while we kept polling. */
  lead(holder: string): Promise<number | null>
  /** Renews the lease from the moment of this call on; `true` if its release was requested.
   *  LEAD_LOST when another has taken it,
   *  STORE_NOT_REPLICATED when what is acknowledged would not be on two machines. */
  renew(): Promise<boolean>
  /** Resolves when the frame is flushed on two machines. CHAIN_MOVED when it can never be added,
   *  FATE_UNKNOWN when it may be there or may come. After any failure nothing more is appended. */
  append(frame: Frame): Promise<void>
  /** Gives the lease back, so that another need not wait for its end. */
  resign(): Promise<void>
  /** Reports the status of this node, and resolves with that of all. */
  exchangeNews(own: NodeNews): Promise<readonly NodeSeen[]>
  /** Closes every connection immediately; statements in progress fail. */
  close(): void
}>

/** Whether a frame whose fate was unknown is in the chain. `open`: it may still come, until another
 *  frame takes its place. */
export async function fateOf(
  store: Pick<FrameStore, 'read'>,
  { firstSeq, before, seal }: Frame,
): Promise<'in' | 'out' | 'open'> {
  const [there] = await store.read({ seq: firstSeq - 1, seal: before }, 1)
  if (there === undefined) return 'open'
  return there.seal.equals(seal) ? 'in' : 'out'
}
