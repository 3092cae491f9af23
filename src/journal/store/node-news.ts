// Status reports of the nodes of a cluster, for operators and for comparison by the nodes.

/** Returns the node's name from a holder name, without the part that is unique for each run. */
export function nodeOf(holder: string): string {
  return holder.slice(0, holder.lastIndexOf('/'))
}

/** The report of a node. `hash`: hash of its state after the entry `hashSeq`; empty if there is
 *  none. */
export type NodeNews = Readonly<{
  name: string
  /** Holder name of this run of the node, which the lease contains if the node leads. */
  holder: string
  role: string
  /** Version of the program. */
  version: string
  /** Address at which other nodes reach this node, as host:port; empty if they cannot. */
  link: string
  /** Wall-clock time of the node's machine. */
  wallMs: number
  seq: number
  hashSeq: number
  hash: string
}>

/** A report as read from the store, with the machines that the node knows, the age of the report,
 *  and how far the node's clock was ahead of the store's clock. */
export type NodeSeen = Omit<NodeNews, 'wallMs'> &
  Readonly<{ hosts: readonly string[]; ageMs: number; clockOffMs: number }>

/** Maximum difference between the clocks of two machines in ms. Orders, funding and signatures use
 *  the leader's clock, so machines whose clocks differ by more must not lead in turn. */
export const clockOffMsMax = 10_000

/** `link`: address at which other nodes reach the leader; empty if they cannot. */
export type LeaderSeen = Readonly<{ holder: string; link: string }>

export type ClusterStatus = Readonly<{
  /** Holder of the lease, which may have expired; `null` if there is no leader. */
  leader: string | null
  term: number
  leaseMs: number
  /** Time in ms since the lease was taken, by the store's own clock. */
  sinceMs: number
  /** The same as a time, in ISO 8601. */
  since: string
  changesLastHour: number
  /** Seq of the newest frame of the chain. */
  seq: number
  nodes: readonly NodeSeen[]
}>

type Hashed = Pick<NodeNews, 'hashSeq' | 'hash'>

/** Returns the nodes that had another state at the same seq as this node. */
export function differing<Node extends Hashed>(
  own: Hashed,
  nodes: readonly Node[],
): readonly Node[] {
  return nodes.filter(
    ({ hashSeq, hash }) => hash !== '' && hashSeq === own.hashSeq && hash !== own.hash,
  )
}
