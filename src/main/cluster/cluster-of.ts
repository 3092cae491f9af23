// The cluster that a configuration names, for whoever opens the data folder.

import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import { openPostgresStore } from '../../journal/postgres/open-store.ts'
import type { Cluster } from '../../sequencer/cluster/stand-by.ts'
import { formatVersion } from '../../sequencer/data-folder.ts'

/** A leader as people know it: without what makes its name unique for each of its lives. */
export function nodeOf(holder: string): string {
  return holder.slice(0, holder.lastIndexOf('/'))
}

/** `standby` is told who leads. */
export function clusterOf(
  { cluster: connectionString, node, leaseMs }: Config,
  log: Logger,
  standby: (leader: string | null) => void,
): Cluster {
  const now = () => performance.now()
  let trouble = ''
  return {
    holder: `${node}/${randomUUID()}`,
    leaseMs,
    now,
    open: (origin) =>
      openPostgresStore({ connectionString, origin, format: formatVersion, leaseMs, now }),
    onFollowing(holder) {
      trouble = ''
      const leader = holder === null ? null : nodeOf(holder)
      log.info({ leader }, leader === null ? 'nobody leads' : `following: ${leader} leads`)
      standby(leader)
    },
    onTrouble({ message }) {
      // The same trouble again and again is one line.
      if (message !== trouble) log.warn(`the store is tried again: ${message}`)
      trouble = message
      standby(null)
    },
  }
}
