// The leader, the followers and their positions. These are the queries of a store that do not
// concern frames. If rows are lost with a machine, the nodes write them again shortly after.

import type { ClusterStatus, LeaderSeen, NodeNews, NodeSeen } from '../store/node-news.ts'
import { openPrimary } from './find-primary.ts'
import { type Host, hostsOf } from './hosts.ts'
import type { Session } from './session.ts'
import { noExchange } from './tables.ts'

const answerMsMax = 3_000

const writeNode = `
  INSERT INTO openperp_node
    (name, holder, role, version, link, hosts, wall, seq, hash_seq, hash, reported)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now())
  ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, role = excluded.role,
    version = excluded.version, link = excluded.link, hosts = excluded.hosts, wall = excluded.wall,
    seq = excluded.seq, hash_seq = excluded.hash_seq,
    hash = excluded.hash, reported = excluded.reported`

const readNodes = `
  SELECT name, holder, role, version, link, hosts, seq, hash_seq AS "hashSeq", hash,
    (extract(epoch FROM now() - reported) * 1000)::bigint AS age,
    (wall - extract(epoch FROM reported) * 1000)::bigint AS off
  FROM openperp_node ORDER BY name`

const lead = `
  SELECT term, holder, lease_ms AS "leaseMs",
    (extract(epoch FROM now() - since) * 1000)::bigint AS since,
    (extract(epoch FROM since) * 1000)::bigint AS at,
    (SELECT max(last) FROM openperp_frame) AS seq
  FROM openperp_lead WHERE id = 1`

/** The first leader of a cluster is not a change. */
const changes = `
  SELECT count(*)::int AS count FROM openperp_term
  WHERE since > now() - interval '1 hour' AND term > 1`

const leading = `
  SELECT l.holder, coalesce(n.link, '') AS link FROM openperp_lead l
  LEFT JOIN openperp_node n ON n.holder = l.holder WHERE l.id = 1`

const requestStepDown = 'UPDATE openperp_lead SET step_down = term WHERE id = 1 AND term = $1'

/** Fields that the driver returns as text. Other numbers are converted. */
type NodeTexts = 'name' | 'holder' | 'role' | 'version' | 'link' | 'hosts' | 'hash'
type NodeRow = Record<NodeTexts | 'seq' | 'hashSeq' | 'age' | 'off', string>
type LeadRow = Record<'term' | 'holder' | 'since' | 'at' | 'seq', string> & { leaseMs: number }

/** Writes the report of a node. `hosts`: the machines that the node knows. */
export async function writeNews(
  session: Session,
  news: NodeNews,
  hosts: readonly Host[],
): Promise<void> {
  const { name, holder, role, version, link, wallMs, seq, hashSeq, hash } = news
  const names = hosts.map((host) => host.name).join(',')
  await session.query({
    name: 'write_node',
    text: writeNode,
    values: [name, holder, role, version, link, names, wallMs, seq, hashSeq, hash],
  })
}

export async function readNews(session: Session): Promise<readonly NodeSeen[]> {
  const { rows } = await session.query<NodeRow>({ name: 'read_nodes', text: readNodes })
  return rows.map(({ hosts, seq, hashSeq, age, off, ...row }) => ({
    ...row,
    hosts: hosts.split(','),
    seq: Number(seq),
    hashSeq: Number(hashSeq),
    ageMs: Number(age),
    clockOffMs: Number(off),
  }))
}

export async function readLeader(session: Session): Promise<LeaderSeen | null> {
  const { rows } = await session.query<LeaderSeen>({ name: 'leading', text: leading })
  return rows[0]!.holder === '' ? null : rows[0]!
}

/** How often the lease was taken within the last hour. */
export async function readLeadChanges(session: Session): Promise<number> {
  const { rows } = await session.query<{ count: number }>({ name: 'changes', text: changes })
  return rows[0]!.count
}

/** Reads the status of a running cluster, without creating or changing anything. */
export function readStatus(connectionString: string): Promise<ClusterStatus> {
  return onPrimary(connectionString, statusOf)
}

/** Requests the leader of this term to release the lease. */
export function askToStepDown(connectionString: string, term: number): Promise<void> {
  return onPrimary(connectionString, async (session) => {
    await session.query({ text: requestStepDown, values: [term] })
  })
}

async function statusOf(session: Session): Promise<ClusterStatus> {
  const { rows } = await session.query<LeadRow>({ text: lead })
  const { term, holder, leaseMs, since, at, seq } = rows[0]!
  return {
    leader: holder === '' ? null : holder,
    term: Number(term),
    leaseMs,
    sinceMs: Number(since),
    since: new Date(Number(at)).toISOString(),
    changesLastHour: await readLeadChanges(session),
    seq: Number(seq),
    nodes: await readNews(session),
  }
}

async function onPrimary<T>(
  connectionString: string,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const { session } = await openPrimary(hostsOf(connectionString), answerMsMax)
  try {
    return await work(session)
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { code?: string }
    if (code !== '42P01') throw error
    throw noExchange(session, error)
  } finally {
    session.close()
  }
}
