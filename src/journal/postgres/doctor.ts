// Checks the settings of a cluster's databases that durability depends on, on every machine. A
// leader checks what it can while it leads. These checks also find problems that would only appear
// after the next promotion.

import { clockOffMsMax } from '../store/node-news.ts'
import type { StoreFault } from '../store/store-fault.ts'
import { readStatus } from './cluster-status.ts'
import { type Host, hostsOf } from './hosts.ts'
import { Session } from './session.ts'

export type Finding = Readonly<{
  /** Name of the machine; `null` for a finding about the cluster as a whole. */
  machine: string | null
  what: string
  is: string
  must: string
  isGood: boolean
}>

/** Facts reported by one machine. */
type Facts = Readonly<{
  version: number
  standby: boolean
  system: string
  names: string
  synced: string
  whole: string
  level: string
  senders: number
  target: string
  /** Replication slot that a standby uses; empty if it uses none. */
  slot: string
  /** On a primary: the number of its standbys; the number of standbys whose state is visible to us;
   *  the number of synchronous standbys. */
  connected: number
  visible: number
  synchronous: number
  /** Timeline of a primary, or the timeline that a standby receives; `null` if it receives none. */
  timeline: number | null
}>

const question = `
  SELECT current_setting('server_version_num')::int AS version,
    pg_is_in_recovery() AS standby,
    (SELECT system_identifier::text FROM pg_control_system()) AS system,
    current_setting('synchronous_standby_names') AS names,
    current_setting('fsync') AS synced,
    current_setting('full_page_writes') AS whole,
    current_setting('wal_level') AS level,
    current_setting('max_wal_senders')::int AS senders,
    current_setting('recovery_target_timeline') AS target,
    current_setting('primary_slot_name') AS slot,
    (SELECT count(*)::int FROM pg_stat_replication) AS connected,
    (SELECT count(state)::int FROM pg_stat_replication) AS visible,
    (SELECT count(*)::int FROM pg_stat_replication
      WHERE state = 'streaming' AND sync_state IN ('sync', 'quorum')) AS synchronous,
    CASE WHEN pg_is_in_recovery()
      THEN (SELECT received_tli FROM pg_stat_wal_receiver WHERE status = 'streaming')
      ELSE ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int
      END AS timeline`

type Check = Readonly<{
  what: string
  must: string
  of: 'any' | 'primary' | 'standby'
  is: (facts: Facts) => string
  isGood: (facts: Facts, cluster: Cluster) => boolean
}>

type Cluster = Readonly<{ machines: number; primary: Facts | undefined; system: string }>

/** Whether the machine is a primary that has no list of synchronous standbys yet. pg_auto_failover
 *  sets the list when another machine follows. Until then no node leads on it. */
const isNamedLater = ({ standby, slot }: Facts) =>
  standby && slot.startsWith('pgautofailover_standby_')
const namedLater = 'empty, and set by pg_auto_failover after a promotion'

const answerMsMax = 5_000
/** A node without a report for this time in ms counts as lost. */
const goneMs = 5_000
const oldestVersion = 150_000

const checks: readonly Check[] = [
  {
    what: 'server version',
    must: '15 or newer',
    of: 'any',
    is: ({ version }) => String(version / 10_000),
    isGood: ({ version }) => version >= oldestVersion,
  },
  {
    what: 'system identifier',
    must: 'the same on all machines: they are copies of one database',
    of: 'any',
    is: ({ system }) => system,
    isGood: ({ system }, cluster) => system === cluster.system,
  },
  {
    what: 'synchronous_standby_names',
    must: 'the other machines, as in ANY 1 (two, three); on a standby for when it is promoted',
    of: 'any',
    is: (facts) => facts.names || (isNamedLater(facts) ? namedLater : 'empty'),
    isGood: (facts) => facts.names !== '' || isNamedLater(facts),
  },
  {
    what: 'fsync',
    must: 'on',
    of: 'any',
    is: ({ synced }) => synced,
    isGood: ({ synced }) => synced === 'on',
  },
  {
    what: 'full_page_writes',
    must: 'on',
    of: 'any',
    is: ({ whole }) => whole,
    isGood: ({ whole }) => whole === 'on',
  },
  {
    what: 'wal_level',
    must: 'replica or logical',
    of: 'any',
    is: ({ level }) => level,
    isGood: ({ level }) => level === 'replica' || level === 'logical',
  },
  {
    what: 'max_wal_senders',
    must: 'one or more for each other machine',
    of: 'any',
    is: ({ senders }) => String(senders),
    isGood: ({ senders }, { machines }) => senders >= machines - 1,
  },
  {
    what: 'rights of the user',
    must: 'it sees the state of the standbys: GRANT pg_monitor TO it',
    of: 'primary',
    is: ({ connected, visible }) => `sees ${visible} of ${connected}`,
    isGood: ({ connected, visible }) => visible === connected,
  },
  {
    what: 'synchronous standbys',
    must: 'one or more that stream and are named; two, for one of them to be away',
    of: 'primary',
    is: ({ synchronous }) => String(synchronous),
    isGood: ({ synchronous }) => synchronous > 0,
  },
  {
    what: 'recovery_target_timeline',
    must: 'latest: it follows the promoted machine',
    of: 'standby',
    is: ({ target }) => target,
    isGood: ({ target }) => target === 'latest',
  },
  {
    what: 'follows',
    must: 'the primary: otherwise its data can be lost in a promotion',
    of: 'standby',
    is: ({ timeline }) => (timeline === null ? 'none' : `timeline ${timeline}`),
    isGood: ({ timeline }, { primary }) => timeline !== null && timeline === primary?.timeline,
  },
]

/** Returns findings about each machine, then about the cluster as a whole, then about each node. */
export async function examineStore(connectionString: string): Promise<readonly Finding[]> {
  const hosts = hostsOf(connectionString)
  return [...(await examineMachines(hosts)), ...(await examineNodes(connectionString, hosts))]
}

/** Checks that every node knows every machine. Otherwise a node would not notice a promotion. */
async function examineNodes(
  connectionString: string,
  hosts: readonly Host[],
): Promise<readonly Finding[]> {
  // Other findings report that the status cannot be read, or that there is no exchange yet.
  const nodes = await readStatus(connectionString).then(
    (status) => status.nodes,
    () => [],
  )
  return nodes
    .filter(({ ageMs }) => ageMs <= goneMs)
    .flatMap(({ name, hosts: known, clockOffMs }) => {
      const machine = `node ${name}`
      const knowsAll = hosts.every((host) => known.includes(host.name))
      return [
        {
          machine,
          what: 'machines in its setting cluster',
          is: known.join(', '),
          must: 'those that the doctor was given',
          isGood: knowsAll && known.length === hosts.length,
        },
        {
          machine,
          what: 'clock',
          is: `${clockOffMs} ms against the database's`,
          must: `within ${clockOffMsMax} ms of it, or the node does not lead: set both by NTP`,
          isGood: Math.abs(clockOffMs) <= clockOffMsMax,
        },
      ]
    })
}

async function examineMachines(hosts: readonly Host[]): Promise<readonly Finding[]> {
  const answers = await Promise.all(hosts.map((host) => ask(host, answerMsMax)))
  const reached = answers.filter((answer): answer is Facts => 'version' in answer)
  const primaries = reached.filter(({ standby }) => !standby)
  const newest = primaries.toSorted((one, other) => other.timeline! - one.timeline!)[0]
  const system = (newest ?? reached[0])?.system ?? ''
  const cluster: Cluster = { machines: hosts.length, primary: newest, system }
  const single = hosts.length === 1
  const role = { any: () => true, primary: isPrimary, standby: isStandby }
  return [
    ...answers.flatMap((answer, n) => {
      const machine = hosts[n]!.name
      if (!('version' in answer)) return [unreached(machine, answer)]
      return checks
        .filter(({ of }) => role[of](answer))
        .map(({ what, must, is, isGood }) => {
          return { machine, what, is: is(answer), must, isGood: isGood(answer, cluster) }
        })
    }),
    {
      machine: null,
      what: 'primaries',
      is: String(primaries.length),
      must: 'one: stop the others, and let them come back as standbys',
      isGood: primaries.length === 1,
    },
    {
      machine: null,
      what: 'machines that are named',
      is: String(hosts.length),
      must: 'three or more, or the one address of a managed database: a promoter needs a majority',
      isGood: single || hosts.length >= 3,
    },
  ]
}

const isPrimary = ({ standby }: Facts) => !standby
const isStandby = ({ standby }: Facts) => standby

async function ask(host: Host, msMax: number): Promise<Facts | StoreFault> {
  let session: Session | null = null
  try {
    session = await Session.open(host, msMax)
    const { rows } = await session.query<Facts>({ text: question })
    return rows[0]!
  } catch (error) {
    // An error is reported as a finding, and its message contains the solution.
    return error as StoreFault
  } finally {
    session?.close()
  }
}

function unreached(machine: string, { message }: StoreFault): Finding {
  const must = 'it answers: what it would do after a promotion is not known'
  return { machine, what: 'connection', is: message, must, isGood: false }
}
