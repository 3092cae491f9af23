// The doctor for the databases of a real cluster: a sound cluster has no complaint, and each
// setting that could lose data is reported with its machine.

import assert from 'node:assert/strict'
import type { Finding } from '../../src/journal/postgres/doctor.ts'
import { examinePostgres } from '../../src/journal/postgres/open-store.ts'
import { examine } from '../../src/main/doctor/examine.ts'
import { until } from '../support/http/held-sockets.ts'
import { openStore } from '../support/postgres/chain.ts'
import { sharedDatabases, test } from '../support/postgres/database-tests.ts'

const databases = sharedDatabases()

const complaints = async () =>
  (await examinePostgres(databases.url())).filter(({ isGood }) => !isGood)
const short = ({ machine, what, is }: Finding) => {
  const at = databases.all.findIndex(({ folder }) => machine?.startsWith(folder))
  return `${databases.all[at]?.name ?? 'all'}: ${what}: ${is}`
}
/** A server reads its settings with a delay. */
async function complains(...expected: readonly string[]): Promise<void> {
  await until(async () => (await complaints()).map(short).join() === expected.join())
}

test('a sound cluster has no complaints, and every machine is checked', async () => {
  const findings = await examinePostgres(databases.url())
  assert.deepEqual(findings.filter(({ isGood }) => !isGood).map(short), [])
  for (const { folder } of databases.all)
    assert.ok(findings.some(({ machine, what }) => machine?.startsWith(folder) && what === 'fsync'))
  // A managed database has one address with its machines behind it.
  assert.ok(
    (await examinePostgres(databases.url([databases.primary]))).every(({ isGood }) => isGood),
  )
})

/** The lines of `openperp doctor` about the cluster, without their first word. */
async function linesOf(cluster: string) {
  const environment = { OPENPERP_CLUSTER: cluster, OPENPERP_PORT: '0', OPENPERP_ADMIN_PORT: '0' }
  const options = { config: undefined, data: undefined, backups: undefined, environment }
  const all = await examine(options)
  return all.filter(({ what }) => what.startsWith('cluster'))
}

test('the doctor of the machine reports the same, each machine by its name', async () => {
  const url = databases.url(databases.all.slice(0, 2))
  const found = await examinePostgres(url)
  const lines = await linesOf(url)
  assert.deepEqual(
    lines.map(({ what, verdict }) => [what, verdict]),
    found.map(({ machine, what, isGood }) => [
      `cluster, ${machine ?? 'all'}: ${what}`,
      isGood ? 'good' : 'bad',
    ]),
  )
  const few = lines.find(({ what }) => what === 'cluster, all: machines that are named')!
  assert.equal(few.verdict, 'bad')
  assert.ok(lines.some(({ verdict }) => verdict === 'good'))
  for (const { is, must } of lines) assert.ok(is !== '' && must !== '')
})

test('a node that does not know every machine would not notice an extra one', async () => {
  const url = await databases.empty()
  const node = { role: 'trade', version: '1.2.3', link: '', wallMs: Date.now() }
  const news = { ...node, seq: 0, hashSeq: 0, hash: '' }
  const knowing = await openStore(url)
  await knowing.exchangeNews({ ...news, name: 'left', holder: 'left/a' })
  assert.ok((await examinePostgres(url)).every(({ isGood }) => isGood))
  const [machine] = url.split(',')
  const blind = await openStore(`${machine}${url.slice(url.lastIndexOf('/'))}`)
  await blind.exchangeNews({ ...news, name: 'right', holder: 'right/a' })
  const found = (await examinePostgres(url)).filter(({ isGood }) => !isGood)
  assert.deepEqual(
    found.map((each) => [each.machine, each.what]),
    [['node right', 'machines in its setting cluster']],
  )
  const late = { ...news, wallMs: Date.now() - 3_600_000 }
  await blind.exchangeNews({ ...late, name: 'left', holder: 'left/a' })
  const clock = (await examinePostgres(url)).find(({ what, isGood }) => what === 'clock' && !isGood)
  assert.match(`${clock?.machine} ${clock?.is}`, /^node left -3[56]\d{5} ms against/)
  for (const store of [knowing, blind]) store.close()
})

test('a promotion that would lose data is predicted', async () => {
  const [two, three] = databases.standbys
  two!.set({ synchronous_standby_names: '' })
  three!.set({ fsync: 'off', recovery_target_timeline: 'latest' })
  await complains('two: synchronous_standby_names: empty', 'three: fsync: off')
  databases.restoreQuorum()
  three!.set({ fsync: 'on', primary_conninfo: '' })
  await complains('three: follows: none')
  three!.follow(databases.primary.address)
  await complains()
})

test('a standby of pg_auto_failover learns its peers when it is promoted', async () => {
  const [two] = databases.standbys
  const slot = 'pgautofailover_standby_2'
  await databases.primary.query(`SELECT pg_create_physical_replication_slot('${slot}')`)
  two!.set({ synchronous_standby_names: '' })
  await complains('two: synchronous_standby_names: empty')
  two!.set({ primary_slot_name: slot })
  await complains()
  const { primary } = databases
  primary.set({ synchronous_standby_names: '' })
  await complains('one: synchronous_standby_names: empty', 'one: synchronous standbys: 0')
  two!.set({ primary_slot_name: '' })
  databases.restoreQuorum()
  await complains()
})

test('an unreachable machine and a second primary are reported', async () => {
  const [two, three] = databases.standbys
  await three!.kill()
  const [gone] = await complaints()
  assert.match(short(gone!), /^three: connection: .*(?:nothing listens there|no such socket)/)
  await two!.promote()
  await three!.start()
  const found = (await complaints()).map(short)
  assert.ok(found.includes('all: primaries: 2'), found.join('\n'))
  // No standby follows the promoted one, and the third still follows the old one.
  assert.ok(found.includes('two: synchronous standbys: 0'), found.join('\n'))
  await complains('two: synchronous standbys: 0', 'three: follows: timeline 1', 'all: primaries: 2')
})

test('two machines are too few', async () => {
  const found = await examinePostgres(databases.url(databases.all.slice(0, 2)))
  assert.ok(found.some(({ what, isGood }) => what === 'machines that are named' && !isGood))
})
