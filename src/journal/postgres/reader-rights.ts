// The rights of read nodes in the database. Each read node has a user of its own, named after the
// node, that is a member of the role openperp_reader. It reads the chain, finds the leader and
// writes its own status report, and nothing else: not the secret, not the lease, no other report.
//
// A report is read by every node, so its values are bounded: none can make the reading of reports
// fail, or pass for the report of a trading node.

import type { Session } from './session.ts'

const question = `
  SELECT c.relrowsecurity AND has_any_column_privilege(r.rolname, c.oid, 'INSERT')
    AND NOT has_table_privilege(r.rolname, c.oid, 'UPDATE') AS granted
  FROM pg_roles r, pg_class c
  WHERE r.rolname = 'openperp_reader' AND c.oid = 'openperp_node'::regclass`

const ownReport = `
  name = session_user AND role = 'read' AND link = ''
  AND left(holder, length(name) + 1) = name || '/' AND length(holder) <= 128
  AND length(version) <= 64 AND length(hosts) <= 4096 AND length(hash) <= 64
  AND wall BETWEEN 0 AND 1000000000000000
  AND seq BETWEEN 0 AND 9007199254740991 AND hash_seq BETWEEN 0 AND 9007199254740991
  AND reported = now()`

const reported = 'name, holder, role, version, link, hosts, wall, seq, hash_seq, hash, reported'

/** Columns, not tables: who may update a table may lock it against all others, for as long as it
 *  likes. */
const granting: readonly string[] = [
  'REVOKE ALL ON openperp_exchange, openperp_frame, openperp_lead, openperp_term, ' +
    'openperp_node FROM openperp_reader',
  'GRANT SELECT (id, version, format, origin, venue, stage, move) ON openperp_exchange ' +
    'TO openperp_reader',
  'GRANT SELECT ON openperp_frame, openperp_term TO openperp_reader',
  'GRANT SELECT (id, holder) ON openperp_lead TO openperp_reader',
  `GRANT SELECT, INSERT (${reported}), UPDATE (${reported}) ON openperp_node TO openperp_reader`,
  'ALTER TABLE openperp_node ENABLE ROW LEVEL SECURITY',
  ...['reads', 'adds', 'reports'].map(
    (policy) => `DROP POLICY IF EXISTS openperp_${policy} ON openperp_node`,
  ),
  'CREATE POLICY openperp_reads ON openperp_node FOR SELECT TO openperp_reader USING (true)',
  `CREATE POLICY openperp_adds ON openperp_node FOR INSERT TO openperp_reader
    WITH CHECK (${ownReport})`,
  `CREATE POLICY openperp_reports ON openperp_node FOR UPDATE TO openperp_reader
    USING (name = session_user) WITH CHECK (${ownReport})`,
]

/** Gives read nodes their rights, if the role exists and does not have them yet. */
export async function grantReaders(session: Session): Promise<void> {
  if ((await isGranted(session)) !== false) return
  try {
    await session.query({ text: 'BEGIN' })
    for (const text of granting) await session.query({ text })
    await session.query({ text: 'COMMIT' })
  } catch (error) {
    await session.query({ text: 'ROLLBACK' })
    // Another node may have done it at the same time.
    if ((await isGranted(session)) !== true) throw error
  }
}

/** `null` if there is no such role. */
async function isGranted(session: Session): Promise<boolean | null> {
  const { rows } = await session.query<{ granted: boolean }>({ text: question })
  return rows[0]?.granted ?? null
}

/** Rights of this user that a read node should not have, as the end of a sentence; `null` if there
 *  are none. */
export async function excessiveRights(session: Session): Promise<string | null> {
  const { rows } = await session.query<{ name: string; writes: boolean; secret: boolean }>({
    text: `SELECT session_user AS name, has_table_privilege('openperp_frame', 'INSERT') AS writes,
      has_column_privilege('openperp_exchange', 'key_secret', 'SELECT') AS secret`,
  })
  const { name, writes, secret } = rows[0]!
  const rights = [...(writes ? ['write the chain'] : []), ...(secret ? ['read the secret'] : [])]
  return rights.length === 0 ? null : `the user ${name} may ${rights.join(' and ')}`
}
