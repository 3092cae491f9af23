// A primary and its standbys, joined as an operator would join them, and the script that promotes
// one when the primary is gone. The script does what a promoter has to: it takes a majority of the
// machines from the old primary before it promotes, and promotes the one that has most.

import { until } from '../http/held-sockets.ts'
import { Database, type Settings } from './database.ts'
import { RunFolder } from './run-folder.ts'

const names = ['one', 'two', 'three'] as const

export class Databases {
  readonly all: readonly Database[]
  primary: Database

  private constructor(all: readonly Database[]) {
    this.all = all
    this.primary = all[0]!
  }

  /** Three of them, or as many as asked for. */
  static async start(count: 1 | 2 | 3 = 3, settings: Settings = {}): Promise<Databases> {
    const run = RunFolder.get()
    const databases = new Databases(names.slice(0, count).map((name) => new Database(name, run)))
    const { all, primary } = databases
    await Promise.all(all.map(({ folder }) => run.newData(folder)))
    for (const database of all) database.set({ ...databases.quorum(database), ...settings })
    for (const standby of all.slice(1)) standby.follow(primary.address)
    await Promise.all(all.map((database) => database.start()))
    await databases.joined()
    return databases
  }

  /** Any one of the others has to have flushed what is acknowledged. */
  private quorum({ name }: Database): Settings {
    const others = this.all.filter((other) => other.name !== name)
    const list = others.map((other) => other.name).join(', ')
    return { synchronous_standby_names: list === '' ? '' : `ANY 1 (${list})` }
  }

  get standbys(): readonly Database[] {
    return this.all.filter((database) => database !== this.primary)
  }

  /** Of these databases, as `--cluster` takes it. */
  url(database = 'postgres', hosts: readonly Database[] = this.all): string {
    const list = hosts.map(({ folder }) => `${encodeURIComponent(folder)}:5432`)
    return `postgres://openperp@${list.join(',')}/${database}`
  }

  /** An empty database beside the others, for a test of its own. */
  async empty(name: string): Promise<string> {
    await this.primary.query(`CREATE DATABASE ${name}`)
    return this.url(name)
  }

  /** Until so many standbys have what the primary has; all of them when not told. */
  async joined(count: number = this.standbys.length): Promise<void> {
    await until(async () => {
      const [row] = await this.primary.query<{ joined: number }>(
        "SELECT count(*)::int AS joined FROM pg_stat_replication WHERE state = 'streaming'",
      )
      return row!.joined >= count
    })
  }

  /** After the primary is gone, or is to be: the standby that has most takes its place. */
  async failOver(): Promise<void> {
    const { standbys } = this
    const reached: { standby: Database; position: bigint }[] = []
    for (const standby of standbys) standby.set({ primary_conninfo: '' })
    for (const standby of standbys) {
      await until(async () => {
        const receivers = await standby.query('SELECT 1 FROM pg_stat_wal_receiver')
        return receivers.length === 0
      })
      const [row] = await standby.query<{ position: string }>(
        "SELECT (coalesce(pg_last_wal_receive_lsn(), '0/0') - '0/0') AS position",
      )
      reached.push({ standby, position: BigInt(row!.position) })
    }
    const most = reached.reduce((one, other) => (other.position > one.position ? other : one))
    await most.standby.promote()
    this.primary = most.standby
    for (const standby of standbys)
      if (standby !== most.standby) standby.follow(most.standby.address)
  }

  /** The old primary comes back as a standby, with a copy of what there is now. */
  async rejoin(database: Database): Promise<void> {
    await database.copyOf(this.primary)
    database.set(this.quorum(database))
    database.follow(this.primary.address)
    await database.start()
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map((database) => database.kill()))
  }
}
