// Status reports of the nodes of a cluster, for operators and for comparison by the nodes.

/** The node of a holder's name, without the part that makes it unique for each run. */
export function nodeOf(holder: string): string {
  return holder.slice(0, holder.lastIndexOf('/'))
}

/** The report of a node. `hash`: of its state when `hashSeq` was the newest entry; empty if
 *  none. */
export type NodeNews = Readonly<{
  name: string
  /** The holder of the lease, if it leads; unique for each run of a process. */
  holder: string
  role: string
  /** Version of the program. */
  version: string
  /** Where other nodes reach it, as host:port; empty: nowhere. */
  link: string
  /** Time of its machine's clock. */
  wallMs: number
  seq: number
  hashSeq: number
  hash: string
}>

/** The report as read, with the machines of the store that the node knows, the age of the report,
 *  and how far its clock was ahead, by the store's own clock. */
export type NodeSeen = Omit<NodeNews, 'wallMs'> &
  Readonly<{ hosts: readonly string[]; ageMs: number; clockOffMs: number }>

/** Orders, funding and signatures use the leader's clock: two machines whose clocks differ by more
 *  than this must not lead in turn. */
export const clockOffMsMax = 10_000

/** `link`: where other nodes reach it; empty: nowhere. */
export type LeaderSeen = Readonly<{ holder: string; link: string }>

export type ClusterStatus = Readonly<{
  /** `null` if there is no leader. The leader may have died: the lease may be over. */
  leader: string | null
  term: number
  leaseMs: number
  /** Time since the lease was taken, by the store's own clock. */
  sinceMs: number
  /** Seq of the newest frame of the chain. */
  seq: number
  nodes: readonly NodeSeen[]
}>

type Hashed = Pick<NodeNews, 'hashSeq' | 'hash'>

/** Nodes that had another state at the same place as this one. */
export function differing<Node extends Hashed>(
  own: Hashed,
  nodes: readonly Node[],
): readonly Node[] {
  return nodes.filter(
    ({ hashSeq, hash }) => hash !== '' && hashSeq === own.hashSeq && hash !== own.hash,
  )
}
