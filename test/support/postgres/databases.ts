// A primary and its standbys, joined as an operator would join them, and the script that promotes
// one when the primary has failed. The script does what a promoter has to: it takes a majority of
// the machines from the old primary before it promotes, and promotes the one that has most.

import { until } from '../http/held-sockets.ts'
import { Database, type Settings } from './database.ts'
import { RunFolder } from './run-folder.ts'
import { Wire } from './wire.ts'

const names = ['one', 'two', 'three'] as const

export class Databases {
  all: readonly Database[] = []
  private readonly count: 1 | 2 | 3
  private first: Database | null = null
  private schemas = 0
  /** By which the others follow a machine, where a test wants to cut that off. */
  private readonly wires = new Map<Database, Wire>()

  constructor(count: 1 | 2 | 3) {
    this.count = count
  }

  /** Three of them, or the given number. */
  static async start(count: 1 | 2 | 3 = 3): Promise<Databases> {
    const databases = new Databases(count)
    await databases.begin()
    return databases
  }

  /** Once: starts them, and has them follow the first one. */
  async begin(): Promise<void> {
    const run = RunFolder.get()
    const all = names.slice(0, this.count).map((name) => new Database(name, run))
    this.all = all
    this.first = all[0]!
    await Promise.all(all.map(({ folder }) => run.newData(folder)))
    this.restoreQuorum()
    for (const standby of this.standbys) standby.follow(this.primary.address)
    await Promise.all(all.map((database) => database.start()))
    await this.joined()
  }

  get primary(): Database {
    return this.first!
  }

  set primary(database: Database) {
    this.first = database
  }

  /** From here on machines follow each other over wires. */
  async putWires(): Promise<void> {
    for (const database of this.all) this.wires.set(database, await Wire.to(database.socket))
    for (const standby of this.standbys) standby.follow(this.addressOf(this.primary))
    await this.joined()
  }

  /** Between a machine and its followers. */
  wireOf(database: Database): Wire {
    return this.wires.get(database)!
  }

  private addressOf(database: Database): string {
    return this.wires.get(database)?.address ?? database.address
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
  url(hosts: readonly Database[] = this.all): string {
    const list = hosts.map(({ folder }) => `${encodeURIComponent(folder)}:5432`)
    return `postgres://openperp@${list.join(',')}/postgres`
  }

  /** Of the last place that was created. */
  get schema(): string {
    return `place_${this.schemas}`
  }

  /** A place without tables, for a test of its own; a database of its own would be 300 files. */
  async empty(): Promise<string> {
    this.schemas += 1
    await this.primary.query(`CREATE SCHEMA ${this.schema}`)
    return `${this.url()}?options=${encodeURIComponent(`-c search_path=${this.schema}`)}`
  }

  /** Every machine's settings as they have to be. */
  restoreQuorum(): void {
    for (const database of this.all) database.set(this.quorum(database))
  }

  /** Until this many standbys have what the primary has (default: all). */
  async joined(count: number = this.standbys.length): Promise<void> {
    const { primary } = this
    const [has] = await primary.query<{ place: string }>(
      'SELECT pg_current_wal_flush_lsn() AS place',
    )
    const question = `SELECT count(*)::int AS joined FROM pg_stat_replication
      WHERE state = 'streaming' AND flush_lsn >= '${has!.place}'`
    await until(async () => {
      const [row] = await primary.query<{ joined: number }>(question)
      return row!.joined >= count
    })
  }

  /** After the primary failed, or before it is stopped: the most advanced standby takes its
   *  place. */
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
      if (standby !== most.standby) standby.follow(this.addressOf(most.standby))
  }

  /** The old primary comes back as a standby, with a copy of what there is now. */
  async rejoin(database: Database): Promise<void> {
    await database.copyOf(this.primary)
    // A start after a copy syncs every file, one by one.
    database.set({ ...this.quorum(database), fsync: 'off' })
    database.follow(this.addressOf(this.primary))
    await database.start()
    database.set({ fsync: 'on' })
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map((database) => database.kill()))
    for (const wire of this.wires.values()) wire.close()
  }
}
