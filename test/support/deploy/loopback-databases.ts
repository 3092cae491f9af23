// deploy/'s databases on one machine: a monitor and three, each with a port of its own, made and
// run by database.sh with the environment file that an operator fills in.

import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, cpSync, mkdirSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { filledIn, type Values } from './env-file.ts'
import { Supervised } from './supervised.ts'

export type User = Readonly<{ uid: number; gid: number }>

/** PostgreSQL refuses root; Debian made a user for it. Null: we cannot be one that may. */
export function databaseUser(): User | null {
  const own = userInfo()
  if (own.username === 'postgres') return { uid: own.uid, gid: own.gid }
  if (own.uid !== 0) return null
  const id = (flag: string) => Number(spawnSync('id', [flag, 'postgres']).stdout.toString())
  const user = { uid: id('-u'), gid: id('-g') }
  return user.uid > 0 ? user : null
}

export type Places = Readonly<{
  /** A copy of deploy/cluster that the databases' user may read. */
  cluster: string
  folder: string
  monitorPort: number
  ports: readonly number[]
}>

const host = 'localhost'
const exchangePassword = 'exchange-password-of-a-trial'
const monitorOf = (ports: readonly number[]) => ports.length - 1

export class LoopbackDatabases {
  private readonly places: Places
  private readonly user: User
  private readonly tls: string
  private monitor: Supervised | null = null
  private readonly databases: (Supervised | null)[] = []

  constructor(places: Places, user: User) {
    this.places = places
    this.user = user
    this.tls = join(places.folder, 'tls')
    const home = join(places.folder, 'postgres')
    mkdirSync(home, { recursive: true })
    chownSync(home, user.uid, user.gid)
    chmodSync(places.folder, 0o755)
    this.makeCertificates()
  }

  /** As OPENPERP_CLUSTER. */
  get url(): string {
    const hosts = this.places.ports.map((port) => `${host}:${port}`).join(',')
    const ca = join(this.tls, 'ca.crt')
    const tls = `sslmode=verify-full&sslrootcert=${ca}`
    return `postgres://openperp:${exchangePassword}@${hosts}/openperp?${tls}`
  }

  startMonitor(): void {
    this.monitor = this.run('monitor', this.environment(0))
  }

  /** Machine 0, 1 or 2; the last one is next to the monitor. */
  start(n: number): void {
    this.databases[n] = this.run('database', this.environment(n))
  }

  /** The machine fails: keeper and database together. */
  kill(n: number): void {
    this.databases[n]?.kill()
    this.databases[n] = null
  }

  /** Which of them is the primary, as the monitor has it; null: none at the moment. */
  primary(): number | null {
    const states = JSON.parse(this.asks(['show', 'state', '--json']) || '[]') as readonly {
      nodeport: number
      current_group_state: string
      assigned_group_state: string
    }[]
    const found = states.find(
      (each) => each.current_group_state === 'primary' && each.assigned_group_state === 'primary',
    )
    return found === undefined ? null : this.places.ports.indexOf(found.nodeport)
  }

  /** What `pg_autoctl` prints about all of them. */
  asks(args: readonly string[]): string {
    const { MONITOR_FOLDER, ...environment } = this.environment(0)
    const ran = spawnSync('pg_autoctl', [...args, '--pgdata', MONITOR_FOLDER!], {
      env: { PATH: process.env.PATH, ...environment },
      cwd: this.places.folder,
      encoding: 'utf8',
      timeout: 10_000,
      ...this.user,
    })
    return ran.stdout ?? ''
  }

  async stop(): Promise<void> {
    await Promise.all(this.databases.map((each) => each?.stop()))
    await this.monitor?.stop()
  }

  private makeCertificates(): void {
    const { cluster, folder } = this.places
    const script = join(cluster, 'database.sh')
    const made = join(folder, 'certificates')
    const ran = spawnSync(script, ['certificates', made, host], { encoding: 'utf8' })
    if (ran.status !== 0) throw new Error(`certificates: ${ran.stderr}`)
    cpSync(join(made, host), this.tls, { recursive: true })
    chmodSync(this.tls, 0o755)
    for (const name of ['server.key', 'server.crt'])
      chownSync(join(this.tls, name), this.user.uid, this.user.gid)
  }

  private environment(n: number): Values {
    const { cluster, folder, monitorPort, ports } = this.places
    const values = filledIn(join(cluster, 'env/database.env'), {
      DATABASE_HOST: host,
      DATABASE_PORT: String(ports[n]),
      DATABASE_FOLDER: join(folder, 'postgres', `database-${n + 1}`),
      DATABASE_PRIORITY: n === monitorOf(ports) ? '0' : '50',
      MONITOR_HOST: host,
      MONITOR_PORT: String(monitorPort),
      MONITOR_FOLDER: join(folder, 'postgres/monitor'),
      NETWORKS: '127.0.0.1/32',
      TLS_FOLDER: this.tls,
      MONITOR_PASSWORD: 'monitor-password-of-a-trial',
      REPLICATION_PASSWORD: 'replication-password-of-a-trial',
      EXCHANGE_PASSWORD: exchangePassword,
    })
    return { ...values, HOME: join(folder, 'postgres') }
  }

  private run(verb: 'monitor' | 'database', environment: Values): Supervised {
    const { cluster, folder } = this.places
    const name = verb === 'monitor' ? verb : `${verb}-${environment.DATABASE_PORT}`
    return new Supervised({
      command: [join(cluster, 'database.sh'), verb],
      environment,
      folder: join(folder, 'postgres'),
      log: join(folder, `${name}.log`),
      user: this.user,
    })
  }
}
