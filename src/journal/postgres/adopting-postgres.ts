// Copies a chain into PostgreSQL, many frames in one statement. As in a cluster, each frame has to
// follow the newest one and is flushed on two machines.

import type { Frame } from '../frame.ts'
import { type ChainEnd, endOf } from '../store/frame-store.ts'
import type { AdoptingStore, Stage } from '../store/stage.ts'
import { StoreFault } from '../store/store-fault.ts'
import { openPrimary } from './find-primary.ts'
import { hostsOf } from './hosts.ts'
import { PostgresStore, type PostgresStoreOptions } from './postgres-store.ts'
import { requireReplicated } from './replication.ts'
import type { Session } from './session.ts'
import { changed, markAdopted, reopenLeft } from './stages.ts'
import { requireTables, type SharedFacts } from './tables.ts'

export type AdoptingOptions = Omit<PostgresStoreOptions, 'stages' | 'watch'> &
  Readonly<{ adopted: SharedFacts }>

const stages: readonly Stage[] = ['live', 'adopting', 'left']

const adding = `
  INSERT INTO openperp_frame (last, before, seal, frame)
  SELECT added.last, added.before, added.seal, added.frame
  FROM unnest($1::bigint[], $2::bytea[], $3::bytea[], $4::bytea[])
    AS added (last, before, seal, frame)
  WHERE EXISTS (SELECT 1 FROM openperp_frame WHERE last = $5::bigint AND seal = $6::bytea)
    AND EXISTS (SELECT 1 FROM openperp_exchange WHERE id = 1 AND stage = 'adopting')`

export class AdoptingPostgres implements AdoptingStore {
  readonly venue: string
  readonly keySecret: Buffer
  readonly stage: Stage
  readonly move: string
  private readonly store: PostgresStore
  private readonly writes: Session

  private constructor(store: PostgresStore, writes: Session) {
    this.store = store
    this.writes = writes
    this.venue = store.venue
    this.keySecret = store.keySecret
    this.stage = store.stage
    this.move = store.move
  }

  /** Creates the tables if there are none. */
  static async open(options: AdoptingOptions): Promise<AdoptingPostgres> {
    const hosts = hostsOf(options.connectionString)
    const { session: writes } = await openPrimary(hosts, options.leaseMs)
    try {
      await requireReplicated(writes)
      await requireTables(writes, { ...options, stages })
      return new AdoptingPostgres(await PostgresStore.open({ ...options, stages }), writes)
    } catch (error) {
      writes.close()
      throw error
    }
  }

  newest(): Promise<ChainEnd> {
    return this.store.newest()
  }

  read(after: ChainEnd, max: number): Promise<readonly Frame[]> {
    return this.store.read(after, max)
  }

  async reopen(): Promise<void> {
    await reopenLeft(this.writes)
    this.requireSilence()
  }

  async add(before: ChainEnd, frames: readonly Frame[]): Promise<void> {
    const { writes } = this
    const values = [
      frames.map((frame) => endOf(frame).seq),
      frames.map((frame) => frame.before),
      frames.map(({ seal }) => seal),
      frames.map(({ bytes, start, end }) => bytes.subarray(start, end)),
      before.seq,
      before.seal,
    ]
    const { count } = await writes.query({ name: 'add', text: adding, values })
    if (count !== frames.length) throw changed(writes)
    this.requireSilence()
  }

  async finish(end: ChainEnd): Promise<void> {
    await requireReplicated(this.writes)
    await markAdopted(this.writes, end)
    this.requireSilence()
  }

  close(): void {
    this.store.close()
    this.writes.close()
  }

  /** A commit that did not wait for its standby is reported as a success with a notice. */
  private requireSilence(): void {
    const { notice, host } = this.writes
    if (notice === null) return
    throw new StoreFault(
      'STORE_NOT_REPLICATED',
      `the database ${host.name} said "${notice}": what was copied may be on one machine only. ` +
        'Run this again',
    )
  }
}
