// Status reports of the nodes of a cluster, for operators and for comparison by the nodes.

/** The node of a holder's name, without what makes that unique for each of its lives. */
export function nodeOf(holder: string): string {
  return holder.slice(0, holder.lastIndexOf('/'))
}

/** As a node writes it. `hash`: of its state when `hashSeq` was the newest entry; empty: none. */
export type NodeNews = Readonly<{
  name: string
  /** The holder of the lead, if it leads; unique for each life of a process. */
  holder: string
  role: string
  /** Of the program. */
  version: string
  /** Where other nodes reach it, as host:port; empty: nowhere. */
  link: string
  /** Of its machine's clock. */
  wallMs: number
  seq: number
  hashSeq: number
  hash: string
}>

/** As it is read, with the machines of the store that the node knows, and how long ago it was
 *  written and how far its clock was ahead, by the store's own clock. */
export type NodeSeen = Omit<NodeNews, 'wallMs'> &
  Readonly<{ hosts: readonly string[]; ageMs: number; clockOffMs: number }>

/** Orders, funding and signatures go by the clock of who leads: two machines whose clocks differ by
 *  more than this are not to lead in turn. */
export const clockOffMsMax = 10_000

/** `link`: where other nodes reach it; empty: nowhere. */
export type LeaderSeen = Readonly<{ holder: string; link: string }>

export type ClusterStatus = Readonly<{
  /** `null` if there is no leader. The leader may have died: the lease may be over. */
  leader: string | null
  term: number
  leaseMs: number
  /** Since the lead was taken, by the store's own clock. */
  sinceMs: number
  /** Of the newest frame of the chain. */
  seq: number
  nodes: readonly NodeSeen[]
}>

type Hashed = Pick<NodeNews, 'hashSeq' | 'hash'>

/** Those that had another state at the same place as this one. */
export function differing<Node extends Hashed>(
  own: Hashed,
  nodes: readonly Node[],
): readonly Node[] {
  return nodes.filter(
    ({ hashSeq, hash }) => hash !== '' && hashSeq === own.hashSeq && hash !== own.hash,
  )
}
