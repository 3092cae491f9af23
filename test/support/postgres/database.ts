// One real PostgreSQL server that a test can kill, pause, promote and have follow another. It
// listens on a socket in its own folder, so that it needs no port.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { until } from '../http/held-sockets.ts'
import { signalTree } from './process-tree.ts'
import type { RunFolder } from './run-folder.ts'
import { copyFolder } from './template.ts'

const settings = {
  listen_addresses: '',
  shared_buffers: '16MB',
  wal_keep_size: '512MB',
  max_wal_size: '512MB',
  autovacuum: 'off',
  // By default a standby that lost its primary looks for it every five seconds.
  wal_retrieve_retry_interval: '50ms',
  log_min_messages: 'warning',
} as const

const severe = / (?:WARNING|ERROR|FATAL|PANIC): /
const severeLines = 5
/** A commit that no standby acknowledges would wait for ever. */
const queryMsMax = 180_000

export type Settings = Readonly<Record<string, string>>

export class Database {
  readonly name: string
  readonly folder: string
  private readonly run: RunFolder
  private own: Settings = {}
  private child: ChildProcess | null = null

  constructor(name: string, run: RunFolder) {
    this.name = name
    this.run = run
    this.folder = run.place()
  }

  /** Where it listens. */
  get socket(): string {
    return join(this.folder, '.s.PGSQL.5432')
  }

  get pid(): number {
    if (this.child === null) throw new Error(`the database ${this.name} does not run`)
    return this.child.pid!
  }

  /** For libpq, in `primary_conninfo`. */
  get address(): string {
    return `host=${this.folder} port=5432`
  }

  /** What it wrote to its log. */
  log(): string {
    return readFileSync(`${this.folder}.log`, 'utf8')
  }

  /** The last lines of it that say more than that it goes on. */
  lastSaid(): string {
    const lines = this.log().split('\n')
    return lines
      .filter((line) => severe.test(line))
      .slice(-severeLines)
      .join('\n')
  }

  /** Adds these settings; a running server reads them immediately. */
  set(changed: Settings): void {
    this.own = { ...this.own, ...changed }
    const all = { ...settings, unix_socket_directories: this.folder, ...this.own }
    const lines = Object.entries(all).map(([key, value]) => `${key} = '${value}'\n`)
    writeFileSync(join(this.folder, 'postgresql.conf'), lines.join(''))
    this.child?.kill('SIGHUP')
  }

  /** A standby of the server at this address. */
  follow(address: string): void {
    const signal = join(this.folder, 'standby.signal')
    if (this.child === null) {
      writeFileSync(signal, '')
      this.give(signal)
    }
    this.set({ primary_conninfo: `${address} user=openperp application_name=${this.name}` })
  }

  async start(): Promise<void> {
    const { postgres, env, owner } = this.run.binaries
    // Of a server that was killed; its socket, too.
    for (const left of ['postmaster.pid', '.s.PGSQL.5432.lock'])
      rmSync(join(this.folder, left), { force: true })
    const log = openSync(`${this.folder}.log`, 'a')
    const child = spawn(postgres, ['-D', this.folder], {
      env,
      ...owner,
      stdio: ['ignore', 'ignore', log],
    })
    closeSync(log)
    // A test that fails does not wait for its databases; the guardian ends them.
    child.unref()
    this.child = child
    this.run.started(child.pid!)
    child.once('exit', () => {
      this.run.ended(child.pid!)
      if (this.child === child) this.child = null
    })
    await until(() => {
      if (this.child === null) throw new Error(`${this.name} has ended: ${this.log()}`)
      const file = join(this.folder, 'postmaster.pid')
      return existsSync(file) && /^(?:ready|standby)\s*$/m.test(readFileSync(file, 'utf8'))
    })
  }

  /** As when a machine loses its power: none of its processes says another word. */
  async kill(): Promise<void> {
    const { child } = this
    if (child === null) return
    child.ref()
    const ended = once(child, 'exit')
    signalTree(child.pid!, 'SIGKILL')
    await ended
  }

  pause(): void {
    signalTree(this.pid, 'SIGSTOP')
  }

  wake(): void {
    signalTree(this.pid, 'SIGCONT')
  }

  /** Resolves when it takes writes. */
  async promote(): Promise<void> {
    await this.query('SELECT pg_promote(true, 30)')
  }

  /** One query on a connection of its own. */
  async query<Row extends pg.QueryResultRow>(text: string): Promise<readonly Row[]> {
    const client = await this.connect()
    try {
      return (await client.query<Row>(text)).rows
    } finally {
      await client.end()
    }
  }

  /** A new copy of a running server, to follow it: the earlier content is removed. */
  async copyOf(source: Database): Promise<void> {
    await this.kill()
    rmSync(this.folder, { recursive: true, force: true })
    const client = await source.connect()
    try {
      await client.query(`SELECT pg_backup_start('${this.name}', true)`)
      await this.copyFiles(source)
      const stopped = await client.query('SELECT labelfile FROM pg_backup_stop(false)')
      const label = join(this.folder, 'backup_label')
      writeFileSync(label, stopped.rows[0].labelfile)
      this.give(label)
    } finally {
      await client.end()
    }
    for (const left of ['postmaster.pid', 'standby.signal', 'postgresql.auto.conf'])
      rmSync(join(this.folder, left), { force: true })
  }

  private async connect(): Promise<pg.Client> {
    const place = { host: this.folder, port: 5432 }
    const limit = { query_timeout: queryMsMax }
    const client = new pg.Client({ ...place, ...limit, user: 'openperp', database: 'postgres' })
    // If the server is killed meanwhile, the query reports it.
    client.on('error', () => undefined)
    await client.connect()
    return client
  }

  private async copyFiles(source: Database): Promise<void> {
    // A file that goes away meanwhile is written again from the log.
    await copyFolder(source.folder, this.folder, this.run.binaries.owner).catch(() => wait(0))
    if (!existsSync(join(this.folder, 'global', 'pg_control')))
      throw new Error(`${source.name} could not be copied`)
  }

  private give(file: string): void {
    const { uid, gid } = this.run.binaries.owner
    if (uid !== undefined && gid !== undefined) chownSync(file, uid, gid)
  }
}
