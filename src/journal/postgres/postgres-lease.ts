// The lease on PostgreSQL, by its own connection: it is taken, renewed and released here. The
// renewal thread uses this class, so that nothing in the trading thread can delay a renewal.

import { StoreFault } from '../store/store-fault.ts'
import { openPrimary } from './find-primary.ts'
import { type Host, hostsOf } from './hosts.ts'
import { OtherPrimaries } from './other-primaries.ts'
import { requireReplicated } from './replication.ts'
import type { Session } from './session.ts'

export type PostgresLeaseOptions = Readonly<{
  connectionString: string
  /** The primary. */
  host: Host
  leaseMs: number
  now: () => number
}>

/** What a node saw of the lease when it was free, its own name, and its own position. */
export type Taking = Readonly<{ term: number; beat: number; holder: string; seq: number }>

/** A node that is further behind the newest entry than this does not take the lead, because it
 *  would hold the lead while it catches up. */
const behindMax = 1_000

/** All terms of the last days are kept for `openperp cluster status`. */
const takeLease = `
  WITH taken AS (
    UPDATE openperp_lead SET term = term + 1, beat = 0, holder = $1, lease_ms = $2, since = now()
    WHERE id = 1 AND term = $3 AND beat = $4
      AND (SELECT max(last) FROM openperp_frame) <= $5::bigint + ${behindMax}
    RETURNING term, holder, since
  ), forgotten AS (
    DELETE FROM openperp_term WHERE since < now() - interval '7 days'
  )
  INSERT INTO openperp_term (term, holder, since) SELECT term, holder, since FROM taken`

const renewLease = `
  UPDATE openperp_lead SET beat = beat + 1 WHERE id = 1 AND term = $1 AND holder = $2
  RETURNING step_down = term AS "shouldStepDown"`

const returnLease = `
  UPDATE openperp_lead SET beat = beat + 1, holder = '' WHERE id = 1 AND term = $1 AND holder = $2`

/** A lease that was taken. */
export type Held = Readonly<{ term: number; holder: string }>

export class PostgresLease {
  private readonly options: PostgresLeaseOptions
  private readonly session: Session
  private readonly others: OtherPrimaries
  private held: Held | null = null

  private constructor(options: PostgresLeaseOptions, session: Session, others: OtherPrimaries) {
    this.options = options
    this.session = session
    this.others = others
  }

  static async open(options: PostgresLeaseOptions): Promise<PostgresLease> {
    const { connectionString, host, leaseMs } = options
    const primary = await openPrimary([host], leaseMs)
    const others = new OtherPrimaries(primary, hostsOf(connectionString))
    return new PostgresLease(options, primary.session, others)
  }

  /** Takes the lease, and returns the time of the request; `null` if another node was faster, or if
   *  this node is too far behind. */
  async take({ term, beat, holder, seq }: Taking): Promise<number | null> {
    const { session, others, options } = this
    await others.requireNone()
    const sentAt = options.now()
    const values = [holder, options.leaseMs, term, beat, seq]
    const { count } = await session.query({ text: takeLease, values })
    this.requireNoNotice()
    if (count !== 1) return null
    await others.requireStillNone()
    this.held = { term: term + 1, holder }
    return sentAt
  }

  /** Renews the lease from the time of this call. Returns `true` if its release was requested.
   *  Throws LEAD_LOST if another node has taken it. */
  async renew(): Promise<boolean> {
    const { session } = this
    const { term, holder } = this.requireHeld()
    const statement = { name: 'renew', text: renewLease, values: [term, holder] }
    const { rows } = await session.query<{ shouldStepDown: boolean }>(statement)
    if (rows.length !== 1) throw new StoreFault('LEAD_LOST', 'another node has taken the lead')
    this.requireNoNotice()
    return rows[0]!.shouldStepDown
  }

  /** Throws STORE_NOT_REPLICATED if acknowledged frames would not be on two machines. */
  async check(): Promise<void> {
    await requireReplicated(this.session)
    this.others.requireNoneSeen()
  }

  async resign(): Promise<void> {
    const { term, holder } = this.requireHeld()
    await this.session.query({ text: returnLease, values: [term, holder] })
  }

  close(): void {
    this.session.close()
    this.others.close()
  }

  private requireNoNotice(): void {
    const { notice, host } = this.session
    if (notice !== null) throw noticed(notice, host)
  }

  private requireHeld(): Held {
    if (this.held === null) throw notLeading()
    return this.held
  }
}

/** Returns the fault of a notice. If a commit is cancelled while it waits for its standby,
 *  PostgreSQL reports success with a notice. Therefore the commit may not be replicated after any
 *  notice. */
export function noticed(notice: string, { name }: Host): StoreFault {
  return new StoreFault(
    'FATE_UNKNOWN',
    `the database ${name} said "${notice}": what it acknowledges may be on one machine only`,
  )
}

export function notLeading(): StoreFault {
  return new StoreFault('LEAD_LOST', 'this node does not lead')
}
