// The cluster options for opening the data folder, taken from the configuration.

import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import { version } from '../../gateway/documents/version.ts'
import { openPostgresStore } from '../../journal/postgres/open-store.ts'
import { LeaseWatch } from '../../journal/store/lease-watch.ts'
import { machineMs } from '../../journal/store/machine-clock.ts'
import { nodeOf } from '../../journal/store/node-news.ts'
import type { Cluster } from '../../sequencer/cluster/stand-by.ts'
import { formatVersion } from '../../sequencer/data-folder.ts'

export type ClusterListeners = Readonly<{
  /** Called with the address of the leader while this node is a standby. */
  standby: (leader: string | null) => void
  /** Called whenever this node has applied the newest entry of the chain. */
  inStep: () => void
  /** Called when an operator requests that this node release the lease. */
  stepDown: () => void
  /** Called with the number of changes of the lead within the last hour. */
  leadChanges: (lastHour: number) => void
}>

export function clusterOf(
  { cluster: connectionString, node, role, leaseMs }: Config,
  log: Logger,
  link: string,
  { standby, inStep, stepDown, leadChanges }: ClusterListeners,
): Cluster {
  const now = machineMs
  const watch = new LeaseWatch(now)
  let trouble = ''
  let isWarned = false
  const onExcess = (rights: string) => {
    if (!isWarned) log.warn(`${rights}: give this read node a user of its own (cluster.md)`)
    isWarned = true
  }
  const ofReader = role === 'read' ? { onExcess } : {}
  return {
    node,
    role,
    version,
    link,
    holder: `${node}/${randomUUID()}`,
    leaseMs,
    now,
    wallNow: Date.now,
    open: (origin) =>
      openPostgresStore({
        ...{ connectionString, origin, format: formatVersion, leaseMs, now, watch },
        ...ofReader,
      }),
    onFollowing(holder) {
      trouble = ''
      const leader = holder === null ? null : nodeOf(holder)
      log.info({ leader }, leader === null ? 'no leader' : `following: ${leader} leads`)
      standby(leader)
    },
    onTrouble({ message }) {
      // The same error message is logged only once while it repeats.
      if (message !== trouble) log.warn(`${message}; it is tried again`)
      trouble = message
      standby(null)
    },
    onUnlinked(holder, { message }) {
      const text = `no link to ${nodeOf(holder)}: ${message}`
      if (text !== trouble) log.warn(`${text}; the database is read meanwhile`)
      trouble = text
    },
    onInStep: inStep,
    onStepDown: stepDown,
    onLeadChanges: leadChanges,
  }
}
