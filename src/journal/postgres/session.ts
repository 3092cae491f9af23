// One connection to a database, which runs one statement at a time. Notices are kept, because they
// are significant on a connection that appends. The connection can be closed immediately, even if
// the server no longer answers.

import { Socket } from 'node:net'
import pg from 'pg'
import { StoreFault } from '../store/store-fault.ts'
import { faultOf } from './explain.ts'
import type { Host } from './hosts.ts'
import { RepeatedStatement } from './repeated-statement.ts'

export type Statement = Readonly<{
  text: string
  values?: readonly unknown[]
  /** Name of the statement. A named statement is parsed once per connection. */
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
    // The current or next statement reports the error.
    this.client.on('error', () => undefined)
    this.client.on('notice', ({ message }) => {
      this.said ??= message ?? 'a notice without a text'
    })
  }

  /** Opens a connection. `msMax` limits connecting and each statement, except for statements
   *  without a limit. */
  static async open(host: Host, msMax: number): Promise<Session> {
    const session = new Session(host, msMax)
    try {
      await session.client.connect()
      // Overrides the default of the database. With "on" a commit waits until the standby has
      // flushed.
      await session.query({ text: 'SET synchronous_commit TO on' })
      return session
    } catch (error) {
      session.close()
      throw faultOf(error, host)
    }
  }

  /** The first notice; `null` if there was none. */
  get notice(): string | null {
    return this.said
  }

  /** Runs a statement. If there is no answer in time, it fails and closes the connection. */
  async query<Row>(statement: Statement): Promise<Rows<Row>> {
    const done = this.running.then(() => this.bounded<Row>(statement))
    // The caller gets this error. Later calls get their own.
    this.running = done.catch(() => undefined)
    return done
  }

  /** Runs a statement without a timeout, for callers that have their own. Throws the database's
   *  error. */
  async send<Row>({ text, values, name }: Statement): Promise<Rows<Row>> {
    const query = { text, ...(name !== undefined && { name }) }
    const { rows, rowCount } = await this.client.query<Row & pg.QueryResultRow>(query, [
      ...(values ?? []),
    ])
    return { rows, count: rowCount ?? 0 }
  }

  /** Prepares a connection to run only this statement. Throws the database's own error. */
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
