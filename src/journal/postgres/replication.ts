// Whether what the database acknowledges is flushed on two machines, which nothing else in the
// chain can tell: a primary without synchronous standbys answers as quickly and as gladly.

import { StoreFault } from '../store/store-fault.ts'
import type { Session } from './session.ts'

type Replication = Readonly<{
  standby: boolean
  names: string
  committed: string
  synced: string
  connected: number
  /** Of those whose state we may see. */
  visible: number
  synchronous: number
}>

const question = `
  SELECT pg_is_in_recovery() AS standby,
    current_setting('synchronous_standby_names') AS names,
    current_setting('synchronous_commit') AS committed,
    current_setting('fsync') AS synced,
    count(*)::int AS connected,
    count(state)::int AS visible,
    count(CASE WHEN state = 'streaming' AND sync_state IN ('sync', 'quorum') THEN 1 END)::int
      AS synchronous
  FROM pg_stat_replication`

export async function requireReplicated(session: Session): Promise<void> {
  const { rows } = await session.query<Replication>({ name: 'replication', text: question })
  const fault = refusalOf(rows[0]!)
  if (fault === null) return
  throw new StoreFault(
    'STORE_NOT_REPLICATED',
    `the database ${session.host.name} cannot be led on, because what it acknowledges could be ` +
      `lost with one machine: ${fault}`,
  )
}

function refusalOf(found: Replication): string | null {
  if (found.standby) return 'it is a standby now: look for the primary again'
  if (found.names === '')
    return (
      'synchronous_standby_names is empty: name the standbys, as in ANY 1 (two, three), in the ' +
      'settings of every machine, also of those that may be promoted'
    )
  // Ours is set by ourselves: a role or a database that forces another one is not to be trusted.
  if (found.committed !== 'on') return `synchronous_commit is ${found.committed}: it must be on`
  if (found.synced !== 'on') return 'fsync is off: it must be on'
  if (found.visible < found.connected)
    return (
      'its user may not see the state of the standbys: GRANT pg_monitor TO it (a managed ' +
      'database may call that role otherwise)'
    )
  if (found.synchronous === 0)
    return (
      `no standby of ${found.names} is connected and up to date: start one whose ` +
      'application_name in primary_conninfo is listed there'
    )
  return null
}
