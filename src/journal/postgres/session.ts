// One connection to a database, on which one statement runs at a time. Notices are kept, because a
// notice on a connection that appends matters. It can be closed immediately, even if the server no
// longer answers.

import { Socket } from 'node:net'
import pg from 'pg'
import { StoreFault } from '../store/store-fault.ts'
import { faultOf } from './explain.ts'
import type { Host } from './hosts.ts'
import { RepeatedStatement } from './repeated-statement.ts'

export type Statement = Readonly<{
  text: string
  values?: readonly unknown[]
  /** A named statement is parsed once per connection. */
  name?: string
}>

export type Rows<Row> = Readonly<{ rows: readonly Row[]; count: number }>

export class Session {
  readonly host: Host
  private readonly client: pg.Client
  private readonly socket: Socket
  private readonly msMax: number
  private said: string | null = null
  private running: Promise<unknown> = Promise.resolve()

  private constructor(host: Host, msMax: number) {
    this.host = host
    this.msMax = msMax
    this.socket = new Socket()
    this.client = new pg.Client({
      connectionString: host.url,
      application_name: 'openperp',
      connectionTimeoutMillis: msMax,
      keepAlive: true,
      stream: () => this.socket,
    })
    // Reported to the current statement, or to the next one.
    this.client.on('error', () => undefined)
    this.client.on('notice', ({ message }) => {
      this.said ??= message ?? 'a notice without a text'
    })
  }

  /** `msMax`: for connecting, and for each statement but those without a limit. */
  static async open(host: Host, msMax: number): Promise<Session> {
    const session = new Session(host, msMax)
    try {
      await session.client.connect()
      // Overrides the default of the database: with "on" the standby flushes, too.
      await session.query({ text: 'SET synchronous_commit TO on' })
      return session
    } catch (error) {
      session.close()
      throw faultOf(error, host)
    }
  }

  /** The first notice. */
  get notice(): string | null {
    return this.said
  }

  /** Fails if there is no answer in time, and closes the connection. */
  async query<Row>(statement: Statement): Promise<Rows<Row>> {
    const done = this.running.then(() => this.bounded<Row>(statement))
    // The caller gets the failure; later calls get their own.
    this.running = done.catch(() => undefined)
    return done
  }

  /** Without a timeout, for callers that have their own; throws the error of the database. */
  async send<Row>({ text, values, name }: Statement): Promise<Rows<Row>> {
    const query = { text, ...(name !== undefined && { name }) }
    const { rows, rowCount } = await this.client.query<Row & pg.QueryResultRow>(query, [
      ...(values ?? []),
    ])
    return { rows, count: rowCount ?? 0 }
  }

  /** For a connection that runs only this statement; throws the database's own error. */
  repeated(text: string): RepeatedStatement {
    return new RepeatedStatement(this.client, text)
  }

  close(): void {
    this.socket.destroy()
  }

  private async bounded<Row>(statement: Statement): Promise<Rows<Row>> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(this.late()), this.msMax)
    })
    try {
      return await Promise.race([this.send<Row>(statement), late])
    } catch (error) {
      throw faultOf(error, this.host)
    } finally {
      clearTimeout(timer)
    }
  }

  private late(): StoreFault {
    this.close()
    const text = `the database ${this.host.name} has not answered for ${this.msMax} ms`
    return new StoreFault('STORE_UNREACHABLE', text)
  }
}
