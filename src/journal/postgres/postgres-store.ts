// The store on PostgreSQL with synchronous replication. It has three connections to the primary:
// one appends, one renews the lease, one reads, so that they do not wait for each other. Apart from
// the queries about replication it uses only SQL that all databases with this protocol support.
// This module loads the driver, so it is imported only if a cluster is configured.

import { decodeFrame, type Frame } from '../frame.ts'
import { type ChainEnd, endOf, type FrameStore, isNext } from '../store/frame-store.ts'
import { LeaseWatch } from '../store/lease-watch.ts'
import type { LeaderSeen, NodeNews, NodeSeen } from '../store/node-news.ts'
import { StoreFault } from '../store/store-fault.ts'
import { readLeader, readNews, writeNews } from './cluster-status.ts'
import { faultOf, isRolledBack } from './explain.ts'
import { openPrimary, type Primary } from './find-primary.ts'
import { hostsOf } from './hosts.ts'
import { OtherPrimaries } from './other-primaries.ts'
import type { RepeatedStatement } from './repeated-statement.ts'
import { requireFlushed, requireReplicated } from './replication.ts'
import { Session } from './session.ts'
import { requireTables, type SharedFacts } from './tables.ts'

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

const takeLease = `
  UPDATE openperp_lead SET term = term + 1, beat = 0, holder = $1, lease_ms = $2, since = now()
  WHERE id = 1 AND term = $3 AND beat = $4`

const renewLease = `
  UPDATE openperp_lead SET beat = beat + 1 WHERE id = 1 AND term = $1 AND holder = $2
  RETURNING step_down = term AS "shouldStepDown"`

const returnLease = `
  UPDATE openperp_lead SET beat = beat + 1, holder = '' WHERE id = 1 AND term = $1 AND holder = $2`

/** Columns of the lease. The driver returns large numbers as text. */
type LeaseFacts = Readonly<{ term: string; beat: string; holder: string; leaseMs: number }>
type Lease = Readonly<{ term: number; holder: string }>
/** A row of the chain. `flushed`: flushed position of the log when the row was read, or an earlier
 *  one. */
type ReadRow = Readonly<{ seal: Buffer; frame: Buffer | null; flushed: string }>
/** Connections that are opened when this node tries to lead. */
type Leading = Readonly<{
  appends: Session
  inserting: RepeatedStatement
  others: OtherPrimaries
}>
type Opened = Readonly<{ primary: Primary; reads: Session; shared: SharedFacts }>

export class PostgresStore implements FrameStore {
  readonly keySecret: Buffer
  readonly venue: string
  private readonly options: PostgresStoreOptions
  private readonly primary: Primary
  private readonly renews: Session
  private readonly reads: Session
  private readonly watch: LeaseWatch
  private leading: Leading | null = null
  private lease: Lease | null = null
  private broken: StoreFault | null = null
  private holder: string | null = null

  private constructor(options: PostgresStoreOptions, { primary, reads, shared }: Opened) {
    this.keySecret = shared.keySecret
    this.venue = shared.venue
    this.options = options
    this.primary = primary
    this.renews = primary.session
    this.reads = reads
    this.watch = options.watch ?? new LeaseWatch(options.now)
  }

  /** Finds the primary and this exchange's tables on it, and creates the tables if needed. If the
   *  machine is no longer the primary, a new store has to be opened. */
  static async open(options: PostgresStoreOptions): Promise<PostgresStore> {
    const { connectionString, leaseMs } = options
    const primary = await openPrimary(hostsOf(connectionString), leaseMs)
    try {
      const shared = await requireTables(primary.session, options)
      const reads = await Session.open(primary.session.host, readMsMax)
      // This connection writes only status reports of nodes, which need not wait for a standby.
      await reads.query({ text: 'SET synchronous_commit TO local' })
      return new PostgresStore(options, { primary, reads, shared })
    } catch (error) {
      primary.session.close()
      throw error
    }
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

  async lead(holder: string): Promise<number | null> {
    const { renews } = this
    this.leading ??= await this.openLeading()
    await requireReplicated(renews)
    const { rows } = await renews.query<LeaseFacts>({ text: leaseRow })
    const { leaseMs, ...row } = rows[0]!
    const [term, beat] = [Number(row.term), Number(row.beat)]
    this.holder = row.holder === '' ? null : row.holder
    // A row with our own name belongs to an earlier leadership of this process, which has ended.
    const isFree = row.holder === holder || this.watch.isFree({ ...row, term, beat, leaseMs })
    if (!isFree) return null
    await this.leading.others.requireNone()
    const sentAt = this.options.now()
    const values = [holder, this.options.leaseMs, term, beat]
    const { count } = await renews.query({ text: takeLease, values })
    if (renews.notice !== null) throw this.noticed(renews.notice)
    if (count !== 1) return null
    await this.leading.others.requireStillNone()
    this.lease = { term: term + 1, holder }
    this.holder = holder
    return sentAt
  }

  async renew(): Promise<boolean> {
    const { others, lease } = this.requireLead()
    const { renews } = this
    const values = [lease.term, lease.holder]
    const statement = { name: 'renew', text: renewLease, values }
    const { rows } = await renews.query<{ shouldStepDown: boolean }>(statement)
    if (rows.length !== 1) throw new StoreFault('LEAD_LOST', 'another node has taken the lead')
    if (renews.notice !== null) throw this.noticed(renews.notice)
    await requireReplicated(renews)
    others.requireNoneSeen()
    return rows[0]!.shouldStepDown
  }

  async append(frame: Frame): Promise<void> {
    const leading = this.requireLead()
    if (this.broken !== null) throw this.broken
    try {
      await this.insert(leading, frame)
    } catch (error) {
      this.broken = error as StoreFault
      throw error
    }
  }

  async resign(): Promise<void> {
    const { lease } = this.requireLead()
    await this.renews.query({ text: returnLease, values: [lease.term, lease.holder] })
  }

  close(): void {
    this.reads.close()
    this.renews.close()
    this.leading?.appends.close()
    this.leading?.others.close()
  }

  private async insert({ appends: session, inserting }: Leading, frame: Frame): Promise<void> {
    const { firstSeq, before, seal, bytes, start, end } = frame
    const values = [endOf(frame).seq, before, seal, bytes.subarray(start, end), firstSeq - 1]
    let names: string | null
    try {
      names = await inserting.run(values)
    } catch (error) {
      throw refusal(error, session, firstSeq)
    }
    if (session.notice !== null) throw this.noticed(session.notice)
    if (names === null) throw moved(firstSeq)
    if (names === '')
      throw new StoreFault(
        'FATE_UNKNOWN',
        'synchronous_standby_names of the database was emptied while we led: a frame went in ' +
          'that may be on one machine only',
      )
  }

  /** Returns the fault of a notice. If a commit is cancelled while it waits for its standby,
   *  PostgreSQL reports success with a notice. Therefore the commit may not be replicated after any
   *  notice. */
  private noticed(notice: string): StoreFault {
    return new StoreFault(
      'FATE_UNKNOWN',
      `the database ${this.reads.host.name} said "${notice}": what it acknowledges may be on one ` +
        'machine only',
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

  private requireLead(): Leading & Readonly<{ lease: Lease }> {
    const { leading, lease } = this
    if (leading === null || lease === null)
      throw new StoreFault('LEAD_LOST', 'this node does not lead')
    return { ...leading, lease }
  }

  private async openLeading(): Promise<Leading> {
    const { connectionString, leaseMs } = this.options
    const appends = await Session.open(this.renews.host, leaseMs)
    const hosts = hostsOf(connectionString)
    const others = new OtherPrimaries(this.primary, hosts)
    return { appends, inserting: appends.repeated(appending), others }
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
