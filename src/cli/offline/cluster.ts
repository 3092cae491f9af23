// `openperp cluster`: shows the leader and the followers, checks the databases, changes the leader,
// and moves an exchange in and out. It connects to the database that the nodes share, not to the
// nodes.

import { hostname } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import type { Finding } from '../../journal/postgres/open-store.ts'
import {
  type ClusterStatus,
  differing,
  type NodeSeen,
  nodeOf,
} from '../../journal/store/node-news.ts'
import { type Call, command, type Result } from '../frame/command.ts'
import { durationText } from '../frame/duration.ts'
import { CliError, misused } from '../frame/exit-codes.ts'
import { pairsOf, type Screen } from '../frame/screen.ts'
import { dataFolderOf, dataOption, newFolderOf } from './data-option.ts'
import type { Joining } from './join-folder.ts'

const options = {
  cluster: { value: '<postgres://…>', about: 'the database of the cluster; or OPENPERP_CLUSTER' },
  force: { about: 'with step-down: even if no other node can lead' },
  'database-lost': {
    about: 'with leave: the database is lost for good, and all nodes are stopped',
  },
  ...dataOption,
  'cluster-key': {
    value: '<key>',
    about: 'with join: the key of trading nodes; or OPENPERP_CLUSTER_KEY',
  },
  'reader-key': {
    value: '<key>',
    about: 'with join, for a read node: its key; or OPENPERP_READER_KEY',
  },
  node: {
    value: '<name>',
    about: 'with join: the name of the new node (default: OPENPERP_NODE, or the host name)',
  },
} as const

/** A node that has not reported for this time in ms is considered lost. */
const goneMs = 5_000
const handOverMsMax = 60_000
const askAgainMs = 100

export const cluster = command({
  name: 'cluster',
  group: 'data',
  summary: 'Show the leader (status), check the databases (doctor), step down, join, adopt, leave',
  about:
    '`status` shows the leader and since when it leads, how often the lead changed within the ' +
    'last hour, the position of each node, and whether nodes had the same state ' +
    'at the same entry; the exit code is 4 if they differ, and 1 if there is no leader. ' +
    '`doctor` checks on every database host the settings on which durability depends, and shows ' +
    'the actual and the required value; the exit code is 1 if a check fails. ' +
    '`step-down` requests that the leader release the lease, and waits until another node leads. ' +
    '`join` copies the newest snapshot, the journal and, with the key of trading nodes, the ' +
    'secret of API keys of a trading node into an empty data folder, so that the new node has ' +
    'little left to read. ' +
    '`adopt` moves the stopped exchange of a data folder into an empty database: its journal, ' +
    'secret and venue id. The copy is read back and replayed, and must give the same state. ' +
    '`leave` moves the exchange out, into the data folder of a stopped node or an empty one, ' +
    'which then starts without --cluster; no trading node may run. Run either again after an ' +
    'interruption: it continues.',
  arguments: [
    { name: 'status|doctor|step-down|join|adopt|leave', about: 'what to do', required: true },
  ],
  options,
  examples: [
    'openperp cluster status --cluster postgres://openperp@db1,db2,db3/openperp',
    'openperp cluster doctor --json',
    'openperp cluster step-down',
    'openperp cluster join --data /srv/openperp',
    'openperp cluster adopt --data /srv/openperp',
    'openperp cluster leave --data /srv/openperp',
  ],
  async run(call) {
    const [action] = call.words
    if (call.values['database-lost'] === true) return leaveWithout(call)
    const url = call.values.cluster ?? call.environment.OPENPERP_CLUSTER
    if (url === undefined || url === '')
      throw misused('which cluster is not said', 'name its database with --cluster')
    if (action === 'status') return onStore(() => status(url, call.screen))
    if (action === 'doctor') return onStore(() => doctor(url, call.screen))
    if (action === 'step-down') return onStore(() => stepDown(url, call))
    if (action === 'join') return onStore(() => join(url, call))
    if (action === 'adopt') return onStore(() => adoptInto(url, call))
    if (action === 'leave') return onStore(() => leaveFrom(url, call))
    const actions = 'cluster status, doctor, step-down, join, adopt or leave'
    throw misused(`cluster has no ${action}`, actions)
  },
})

const door = () => import('../../journal/postgres/open-store.ts')

/** Runs work on the store. Errors of the store have their own messages. */
async function onStore(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const { name, code, message } = error as Error & { code?: string }
    if (name !== 'StoreFault') throw error
    const kind = code === 'STORE_UNREACHABLE' ? 'unreachable' : 'refused'
    throw new CliError(kind, message, { cause: error, facts: { code } })
  }
}

const mover = () => import('./moves/move-cluster.ts')

async function adoptInto(url: string, { values, environment, screen }: Call<typeof options>) {
  const folder = dataFolderOf(values.data, environment)
  return (await mover()).adopt({ url, folder, screen })
}

async function leaveFrom(url: string, { values, environment, screen }: Call<typeof options>) {
  const folder = newFolderOf(values.data, environment)
  return (await mover()).leave({ url, folder, screen })
}

async function leaveWithout({ words, values, environment }: Call<typeof options>) {
  if (words[0] !== 'leave') throw misused('--database-lost belongs to cluster leave')
  return (await mover()).leaveLost(dataFolderOf(values.data, environment))
}

async function status(url: string, screen: Screen): Promise<Result> {
  const { readPostgresStatus } = await door()
  const found = await readPostgresStatus(url)
  const nodes = found.nodes.map((node) => ({ ...node, ...assessed(node, found) }))
  const isSame = nodes.every(({ state }) => state !== 'differs')
  const leads = found.leader !== null && nodes.some(({ is }) => is === 'leads')
  const end = isSame ? (leads ? 'yes' : 'refused') : 'damaged'
  const leader = found.leader === null ? null : nodeOf(found.leader)
  const lines = [
    ...pairsOf([
      ['leader', leader === null ? 'none' : `${leader}, ${sinceOf(found)}`],
      ['term', `${found.term}`],
      ['changes', `${found.changesLastHour} within the last hour`],
      ['lease', `${found.leaseMs} ms`],
      ['chain', `seq ${found.seq}`],
    ]),
    ...nodes.map((node) => lineOf(node, screen)),
  ]
  return { json: { ...found, leader, nodes }, lines, end }
}

function sinceOf({ since, sinceMs }: ClusterStatus): string {
  const forMs = Math.round(sinceMs / 1_000) * 1_000
  return `since ${since.slice(0, 19).replace('T', ' ')} UTC (${durationText(forMs)})`
}

type Assessed = Readonly<{
  is: 'leads' | 'follows' | 'gone'
  behind: number
  /** Comparison of the state with other nodes at the same seq. */
  state: 'same' | 'differs' | 'not compared'
}>

function assessed(node: NodeSeen, { leader, seq, nodes }: ClusterStatus): Assessed {
  const others = nodes.filter(({ name }) => name !== node.name)
  const compared = others.filter(({ hash, hashSeq }) => hash !== '' && hashSeq === node.hashSeq)
  const isLost = node.ageMs > goneMs
  const state = compared.length === 0 || node.hash === '' ? 'not compared' : 'same'
  return {
    is: isLost ? 'gone' : node.holder === leader ? 'leads' : 'follows',
    behind: Math.max(0, seq - node.seq),
    state: node.hash !== '' && differing(node, others).length > 0 ? 'differs' : state,
  }
}

function lineOf(node: NodeSeen & Assessed, screen: Screen): string {
  const { name, role, is, version, seq, behind, state, hashSeq, hash, ageMs } = node
  const where = `seq ${seq}${behind === 0 ? '' : ` (${behind} behind)`}`
  const lastSeen = is === 'gone' ? `, last heard of ${Math.round(ageMs / 1_000)} s ago` : ''
  const at = hash === '' ? '' : ` after seq ${hashSeq} (${hash.slice(0, 12)})`
  const verdict = `state ${state}${at}`
  const shown = state === 'differs' ? screen.paint('red', verdict) : verdict
  return `node  ${name}  ${role}  ${is}${lastSeen}  ${where}  ${shown}  openperp ${version}`
}

async function doctor(url: string, screen: Screen): Promise<Result> {
  const { examinePostgres } = await door()
  const findings = await examinePostgres(url)
  const isWell = findings.every(({ isGood }) => isGood)
  const verdict = isWell
    ? screen.paint('green', 'GOOD: nothing acknowledged is lost with one machine')
    : screen.paint('red', 'NOT GOOD: what was acknowledged can be lost')
  return {
    json: { findings, verdict: isWell ? 'good' : 'not good' },
    lines: [...findings.map((each) => findingOf(each, screen)), `verdict  ${verdict}`],
    end: isWell ? 'yes' : 'refused',
  }
}

function findingOf({ machine, what, is, must, isGood }: Finding, screen: Screen): string {
  const where = machine ?? 'all'
  if (isGood) return `${screen.paint('green', 'good')}  ${where}  ${what}: ${is}`
  return `${screen.paint('red', 'bad ')}  ${where}  ${what}: ${is}; must be ${must}`
}

async function stepDown(url: string, { values, signal }: Call<typeof options>): Promise<Result> {
  const { readPostgresStatus, askPostgresLeader } = await door()
  const before = await readPostgresStatus(url)
  const { leader, nodes, term } = before
  if (leader === null) throw new CliError('refused', 'the cluster has no leader at the moment')
  const others = nodes.filter(
    (node) => node.holder !== leader && assessed(node, before).is !== 'gone',
  )
  if (others.every(({ role }) => role !== 'trade') && values.force !== true)
    throw new CliError('refused', `no other node can lead in place of ${nodeOf(leader)}`, {
      hint: 'start another node with role trade, or add --force',
    })
  await askPostgresLeader(url, term)
  const end = performance.now() + handOverMsMax
  for (;;) {
    signal.throwIfAborted()
    const now = await readPostgresStatus(url)
    if (now.term > term && now.leader !== null) {
      const [from, to] = [nodeOf(leader), nodeOf(now.leader)]
      return { json: { from, to, term: now.term }, lines: [`${from} has given the lead to ${to}`] }
    }
    if (performance.now() > end)
      throw new CliError('refused', `${nodeOf(leader)} was notified, but no other node leads yet`)
    await wait(askAgainMs)
  }
}

/** The key decides what is copied. Of several keys of trading nodes the first one is used. */
function joiningOf({ values, environment }: Call<typeof options>): Joining {
  const given = values.node ?? environment.OPENPERP_NODE ?? hostname()
  const node = given.replace(/[^\w.-]/g, '-').slice(0, 64) || 'node'
  const ofReader = values['reader-key'] ?? environment.OPENPERP_READER_KEY ?? ''
  if (ofReader !== '') return { node, secret: ofReader }
  const [secret = ''] = (values['cluster-key'] ?? environment.OPENPERP_CLUSTER_KEY ?? '').split(',')
  if (secret !== '') return { node, secret }
  const how = 'give OPENPERP_CLUSTER_KEY, or OPENPERP_READER_KEY for a read node'
  throw misused('the key of this node is not said', how)
}

/** Copies the folder from any trading node. The leader is tried last; it has other work. */
async function join(url: string, call: Call<typeof options>): Promise<Result> {
  const { values, environment } = call
  const joining = joiningOf(call)
  const folder = newFolderOf(values.data, environment)
  const { joinFrom } = await import('./join-folder.ts')
  const { readPostgresStatus } = await door()
  const found = await readPostgresStatus(url)
  const nodes = found.nodes.filter(({ link, ageMs }) => link !== '' && ageMs <= goneMs)
  if (nodes.length === 0)
    throw new CliError('refused', 'no running node can provide a copy of its folder', {
      hint: 'trading nodes with clusterKey or readerKeys can; `openperp cluster status` lists them',
    })
  const leadersLast = nodes.toSorted(
    (one, other) => Number(one.holder === found.leader) - Number(other.holder === found.leader),
  )
  const { seq, from } = await joinFrom(leadersLast, joining, folder)
  return {
    json: { folder, from, seq },
    lines: [`${folder} has what ${from} had at entry ${seq}: start the node with it`],
  }
}
