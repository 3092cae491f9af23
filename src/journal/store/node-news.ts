// What nodes of a cluster tell of themselves, so that somebody who looks, and they, can compare.

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
  seq: number
  hashSeq: number
  hash: string
}>

/** As it is read, with the machines of the store that the node knows, and how long ago it was
 *  written by the store's own clock. */
export type NodeSeen = NodeNews & Readonly<{ hosts: readonly string[]; ageMs: number }>

/** `link`: where other nodes reach it; empty: nowhere. */
export type LeaderSeen = Readonly<{ holder: string; link: string }>

export type ClusterStatus = Readonly<{
  /** Null: nobody has the lead. Having it does not mean being alive: the lease may be over. */
  leader: string | null
  term: number
  leaseMs: number
  /** Since the lead was taken, by the store's own clock. */
  sinceMs: number
  /** Of the newest frame of the chain. */
  seq: number
  nodes: readonly NodeSeen[]
}>

/** Those that had another state at the same place as this one. */
export function differing(own: NodeNews, nodes: readonly NodeNews[]): readonly NodeNews[] {
  return nodes.filter(
    ({ hashSeq, hash }) => hash !== '' && hashSeq === own.hashSeq && hash !== own.hash,
  )
}
