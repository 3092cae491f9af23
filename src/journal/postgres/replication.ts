// Checks that the database acknowledges only data that is flushed on two machines. This cannot be
// seen from its answers, because a primary without synchronous standbys answers in the same way.

import { setTimeout as wait } from 'node:timers/promises'
import { StoreFault } from '../store/store-fault.ts'
import type { Session } from './session.ts'

type Replication = Readonly<{
  standby: boolean
  names: string
  committed: string
  synced: string
  connected: number
  /** Number of standbys whose state is visible to us. */
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
  throw notReplicated(session, fault)
}

function notReplicated({ host }: Session, fault: string): StoreFault {
  return new StoreFault(
    'STORE_NOT_REPLICATED',
    `what the database ${host.name} holds could be lost with one machine: ${fault}`,
  )
}

const mayNotSee =
  'its user may not see the state of the standbys: GRANT pg_monitor TO it (a managed database ' +
  'may call that role otherwise)'

const unnamed =
  'synchronous_standby_names is empty: name the standbys, as in ANY 1 (two, three), in the ' +
  'settings of every machine, also of those that may be promoted'

type Flushed = Readonly<{ names: string; connected: number; visible: number; flushed: number }>

const flushedQuestion = `
  SELECT current_setting('synchronous_standby_names') AS names,
    count(*)::int AS connected, count(state)::int AS visible,
    count(CASE WHEN sync_state IN ('sync', 'quorum') AND flush_lsn >= $1::pg_lsn THEN 1 END)::int
      AS flushed
  FROM pg_stat_replication`
const askAgainMs = 5

/** Resolves when a synchronous standby has flushed the log up to `place`. Fails immediately if
 *  there can be no such standby. */
export async function requireFlushed(session: Session, place: string, msMax: number) {
  const end = performance.now() + msMax
  for (;;) {
    const { rows } = await session.query<Flushed>({
      name: 'flushed',
      text: flushedQuestion,
      values: [place],
    })
    const { names, connected, visible, flushed } = rows[0]!
    if (flushed > 0) return
    if (names === '') throw notReplicated(session, unnamed)
    if (visible < connected) throw notReplicated(session, mayNotSee)
    if (performance.now() > end)
      throw notReplicated(session, `no standby has had its log up to ${place} for ${msMax} ms`)
    await wait(askAgainMs)
  }
}

function refusalOf(found: Replication): string | null {
  if (found.standby) return 'it is a standby now: look for the primary again'
  if (found.names === '') return unnamed
  // This connection has set it, so an override by the role or the database shows that it cannot be
  // trusted.
  if (found.committed !== 'on') return `synchronous_commit is ${found.committed}: it must be on`
  if (found.synced !== 'on') return 'fsync is off: it must be on'
  if (found.visible < found.connected) return mayNotSee
  if (found.synchronous === 0)
    return (
      `no standby of ${found.names} is connected and up to date: start one whose ` +
      'application_name in primary_conninfo is listed there'
    )
  return null
}
