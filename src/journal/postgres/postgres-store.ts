// The store on PostgreSQL with synchronous replication. It has two connections to the primary, one
// that appends and one that reads, so that they do not wait for each other, and a thread with its
// own connections that renews the lease. Apart from the queries about replication it uses only SQL
// that all databases with this protocol support.
// This module loads the driver, so it is imported only if a cluster is configured.

import { decodeFrame, type Frame } from '../frame.ts'
import { type ChainEnd, endOf, isNext, type Lease } from '../store/frame-store.ts'
import { LeaseWatch } from '../store/lease-watch.ts'
import type { LeaderSeen, NodeNews, NodeSeen } from '../store/node-news.ts'
import type { LeavingStore, Stage } from '../store/stage.ts'
import { StoreFault } from '../store/store-fault.ts'
import { readLeadChanges, readLeader, readNews, writeNews } from './cluster-status.ts'
import { faultOf, isRolledBack } from './explain.ts'
import { openPrimary } from './find-primary.ts'
import { type Host, hostsOf } from './hosts.ts'
import { type Held, noticed, notLeading } from './postgres-lease.ts'
import { excessiveRights, grantReaders } from './reader-rights.ts'
import { RenewalThread } from './renewal-thread.ts'
import type { RepeatedStatement } from './repeated-statement.ts'
import { requireFlushed, requireReplicated } from './replication.ts'
import { Session } from './session.ts'
import { markLeft, requireLive } from './stages.ts'
import { requireTables, type SharedFacts, type StoredFacts } from './tables.ts'

export type PostgresStoreOptions = Readonly<{
  connectionString: string
  /** First seal of the chain: the hash of the exchange's genesis. */
  origin: Buffer
  /** Format of its records. */
  format: number
  leaseMs: number
  now: () => number
  /** Observations of the lease. Passing the same watch when the store is opened again preserves
   *  them, even if the primary is another machine. */
  watch?: LeaseWatch
  /** Accepted stages, and what to do without tables, if not that of a node. */
  stages?: readonly Stage[]
  adopted?: SharedFacts | null
  /** At a read node, which only needs to read: called with rights that its user should not have. */
  onExcess?: (rights: string) => void
}>

/** Timeout in ms for reading frames. Operations of the lease use its duration. */
const readMsMax = 10_000

const appending = `
  INSERT INTO openperp_frame (last, before, seal, frame)
  SELECT $1::bigint, $2::bytea, $3::bytea, $4::bytea
  WHERE EXISTS (SELECT 1 FROM openperp_frame WHERE last = $5::bigint AND seal = $2::bytea)
  RETURNING current_setting('synchronous_standby_names') AS names`

const reading = `
  SELECT seal, CASE WHEN last > $1::bigint THEN frame END AS frame,
    (SELECT pg_current_wal_flush_lsn()) AS flushed
  FROM openperp_frame WHERE last >= $1::bigint ORDER BY last LIMIT $2::int`

const newest = 'SELECT last, seal FROM openperp_frame ORDER BY last DESC LIMIT 1'

const leaseRow = `
  SELECT term, beat, holder, lease_ms AS "leaseMs"
  FROM openperp_lead WHERE id = 1`

/** Columns of the lease. The driver returns large numbers as text. */
type LeaseFacts = Readonly<{ term: string; beat: string; holder: string; leaseMs: number }>
/** A row of the chain. `flushed`: flushed position of the log when the row was read, or an earlier
 *  one. */
type ReadRow = Readonly<{ seal: Buffer; frame: Buffer | null; flushed: string }>
type Opened = Readonly<{ appends: Session; reads: Session; shared: StoredFacts }>

export class PostgresStore implements LeavingStore {
  readonly stage: Stage
  readonly move: string
  private readonly secret: Buffer | null
  readonly venue: string
  private readonly options: PostgresStoreOptions
  private readonly appends: Session
  private readonly inserting: RepeatedStatement
  private readonly reads: Session
  private readonly watch: LeaseWatch
  private renewals: RenewalThread | null = null
  private held: Held | null = null
  private broken: StoreFault | null = null
  private holder: string | null = null

  private constructor(options: PostgresStoreOptions, { appends, reads, shared }: Opened) {
    this.secret = shared.keySecret ?? null
    this.venue = shared.venue
    this.stage = shared.stage
    this.move = shared.move
    this.options = options
    this.appends = appends
    this.inserting = appends.repeated(appending)
    this.reads = reads
    this.watch = options.watch ?? new LeaseWatch(options.now)
  }

  /** Finds the primary and this exchange's tables on it, and creates the tables if needed. If the
   *  machine is no longer the primary, a new store has to be opened. */
  static async open(options: PostgresStoreOptions): Promise<PostgresStore> {
    const { connectionString, leaseMs } = options
    const { session: appends } = await openPrimary(hostsOf(connectionString), leaseMs)
    try {
      const shared = await requireTables(appends, options, options.onExcess !== undefined)
      const reads = await openReads(appends.host, options)
      return new PostgresStore(options, { appends, reads, shared })
    } catch (error) {
      appends.close()
      throw error
    }
  }

  /** A read node has none. */
  get keySecret(): Buffer {
    if (this.secret === null) throw new Error('a read node has no secret')
    return this.secret
  }

  leader(): string | null {
    return this.holder
  }

  async exchangeNews(own: NodeNews): Promise<readonly NodeSeen[]> {
    await writeNews(this.reads, own, hostsOf(this.options.connectionString))
    return readNews(this.reads)
  }

  async whoLeads(): Promise<LeaderSeen | null> {
    const seen = await readLeader(this.reads)
    this.holder = seen?.holder ?? null
    return seen
  }

  async newest(): Promise<ChainEnd> {
    const { rows } = await this.reads.query<{ last: string; seal: Buffer }>({ text: newest })
    const [{ last, seal }] = rows as [{ last: string; seal: Buffer }]
    return { seq: Number(last), seal }
  }

  async read(after: ChainEnd, max: number): Promise<readonly Frame[]> {
    const values = [after.seq, max + 1]
    const { rows } = await this.reads.query<ReadRow>({ name: 'read', text: reading, values })
    const [known, ...following] = rows
    if (known === undefined || known.frame !== null || !known.seal.equals(after.seal))
      throw new StoreFault(
        'CHAIN_OTHER',
        `the frame that ends with seq ${after.seq} here is not part of the chain in the database ` +
          `${this.reads.host.name}: this node has to be rebuilt from the store. Keep its data ` +
          'folder aside, and start it with an empty one',
      )
    // A visible row may exist only on this machine, if its commit was cancelled while it waited, or
    // if the machine was restarted since.
    if (following.length > 0) await requireFlushed(this.reads, following[0]!.flushed, readMsMax)
    let end = after
    return following.map(({ frame: bytes }) => {
      const frame = this.follows(end, bytes!)
      end = endOf(frame)
      return frame
    })
  }

  async lead(holder: string, seq: number): Promise<Lease | null> {
    const { appends } = this
    await requireReplicated(appends)
    this.renewals ??= this.startRenewals()
    await this.renewals.opened
    const { rows } = await appends.query<LeaseFacts>({ name: 'lease', text: leaseRow })
    const { leaseMs, ...row } = rows[0]!
    const [term, beat] = [Number(row.term), Number(row.beat)]
    this.holder = row.holder === '' ? null : row.holder
    // A row with our own name belongs to an earlier leadership of this process, which has ended.
    const isFree = row.holder === holder || this.watch.isFree({ ...row, term, beat, leaseMs })
    if (appends.notice !== null) throw noticed(appends.notice, appends.host)
    if (!isFree) return null
    await requireLive(appends)
    if (!(await this.renewals.take({ term, beat, holder, seq }))) return null
    this.held = { term: term + 1, holder }
    this.holder = holder
    return this.renewals
  }

  async leadChanges(): Promise<number> {
    return readLeadChanges(this.reads)
  }

  async append(frame: Frame): Promise<void> {
    if (this.held === null) throw notLeading()
    if (this.broken !== null) throw this.broken
    try {
      await this.insert(frame)
    } catch (error) {
      this.broken = error as StoreFault
      throw error
    }
  }

  async resign(): Promise<void> {
    if (this.held === null) throw notLeading()
    await this.renewals!.resign()
  }

  async leave(end: ChainEnd, move: string): Promise<void> {
    const { appends, held } = this
    if (held === null) throw notLeading()
    await requireReplicated(appends)
    await markLeft(appends, { lease: held, end, move })
    if (appends.notice !== null) throw noticed(appends.notice, appends.host)
  }

  close(): void {
    this.reads.close()
    this.appends.close()
    this.renewals?.close()
  }

  private async insert(frame: Frame): Promise<void> {
    const { appends: session, inserting } = this
    const { firstSeq, before, seal, bytes, start, end } = frame
    const values = [endOf(frame).seq, before, seal, bytes.subarray(start, end), firstSeq - 1]
    let names: string | null
    try {
      names = await inserting.run(values)
    } catch (error) {
      throw refusal(error, session, firstSeq)
    }
    if (session.notice !== null) throw noticed(session.notice, session.host)
    if (names === null) throw moved(firstSeq)
    if (names === '')
      throw new StoreFault(
        'FATE_UNKNOWN',
        'synchronous_standby_names of the database was emptied while we led: a frame went in ' +
          'that may be on one machine only',
      )
  }

  private follows(end: ChainEnd, bytes: Buffer): Frame {
    const frame = decodeFrame(bytes, 0)
    if (frame !== undefined && frame.end === bytes.length && isNext(frame, end)) return frame
    throw new StoreFault(
      'STORE_DAMAGED',
      `the frame behind seq ${end.seq} in the database ${this.reads.host.name} is not what was ` +
        'written: restore the database from a backup, or from a standby that has it',
    )
  }

  private startRenewals(): RenewalThread {
    const { connectionString, leaseMs } = this.options
    return new RenewalThread({ connectionString, leaseMs, host: this.appends.host })
  }
}

/** Opens the connection that reads. It writes only status reports and rights of read nodes, which
 *  need not wait for a standby. */
async function openReads(host: Host, { onExcess }: PostgresStoreOptions): Promise<Session> {
  const reads = await Session.open(host, readMsMax)
  try {
    await reads.query({ text: 'SET synchronous_commit TO local' })
    if (onExcess === undefined) await grantReaders(reads)
    const excess = onExcess === undefined ? null : await excessiveRights(reads)
    if (excess !== null) onExcess?.(excess)
    return reads
  } catch (error) {
    reads.close()
    throw error
  }
}

function moved(firstSeq: number): StoreFault {
  return new StoreFault('CHAIN_MOVED', `another node has written seq ${firstSeq} before us`)
}

function refusal(error: unknown, { host, notice }: Session, firstSeq: number): StoreFault {
  if ((error as { code?: string }).code === '23505') return moved(firstSeq)
  const fault = faultOf(error, host)
  if (isRolledBack(error) && notice === null) return fault
  return new StoreFault('FATE_UNKNOWN', `an append has had no answer: ${fault.message}`, fault)
}
