// The history store: SQL tables made from outcomes. The seq that it has read is stored in the same
// transaction as the rows. Therefore outcomes can be fed twice, and a store that lost its last
// transactions, or all of them, is restored by feeding. Used in the history thread.

import { chmodSync, closeSync, openSync } from 'node:fs'
import { DatabaseSync } from '@photostructure/sqlite'
import { type EventType, eventTypes, kindAt, lineWidth, nextAfter } from '../../core/index.ts'
import { type Chunk, FedOutcome } from './chunk.ts'
import {
  type Database,
  type EventReader,
  type NewestRow,
  prepare,
  type Retention,
} from './projection.ts'
import { answerOf, type ReadName, writeFor } from './reads.ts'
import { pick, select } from './rows/select.ts'
import { insertInto } from './rows/table.ts'
import type { Packed } from './rows/wire-row.ts'
import { progress, snapshots } from './schema/store-table.ts'
import { fingerprint, schema } from './schema.ts'
import { deleteStoreFile } from './store-file.ts'
import type { Opening } from './tables/balances.ts'
import {
  type Marks,
  noMarks,
  type Projections,
  projectionsOf,
  resumeAll,
  type Tables,
  tablesOf,
} from './tables.ts'

export type StoreOptions = Readonly<{
  /** Path of the database, or ':memory:'. */
  file: string
  /** Id of the exchange. */
  exchange: string
  /** The newest seq of the journal. */
  journalSeq: number
  /** Addresses of the initial accounts, by id from 1. */
  reserved: readonly string[]
  /** A new store starts after this seq, because earlier history is unavailable. */
  fromSeq?: number
  /** Balances and positions of accounts at `fromSeq`. */
  opening?: Opening
  retention: Retention
  /** Number of ids per count (tables/fill-lists.ts). Tests use a small number. */
  stretch?: number
}>

const cacheKiB = 65_536
const checkpointPages = 8_000
/** Number of lines of a command between two progress reports. */
const progressEvery = 16_384

export class HistoryStore {
  seq = 0
  private uncommitted = false
  private readonly database: Database
  private readonly tables: Tables
  private readonly projections: Projections
  private readonly readers: readonly (readonly EventReader[])[]
  private readonly settlers
  private readonly saveProgress
  private readonly addSnapshot
  private readonly findSnapshot
  private readonly newestSnapshot
  private readonly dropSnapshots
  private readonly breakOff

  /** Opens the store. It is deleted first if it belongs to another exchange or version, is
   *  unreadable, or is ahead of the journal, because it can be rebuilt. */
  constructor(options: StoreOptions) {
    this.database = openDatabase(options)
    const { database } = this
    this.tables = tablesOf(database, options)
    this.projections = projectionsOf(this.tables)
    this.readers = eventTypes.map((type) => this.readersOf(type))
    const all = this.projections.map(([, projection]) => projection)
    this.settlers = all.flatMap((one) => one.settle?.bind(one) ?? [])
    this.saveProgress = prepare(database, 'UPDATE progress SET seq = ?, marks = ?')
    this.addSnapshot = insertInto(database, snapshots)
    const saved = pick(snapshots, 'seq', 'marks')
    this.findSnapshot = select(database, saved, 'FROM snapshots WHERE id = ?')
    this.newestSnapshot = select(database, saved, 'FROM snapshots ORDER BY seq DESC LIMIT 1')
    this.breakOff = prepare(database, 'UPDATE progress SET completeAfter = ?')
    this.dropSnapshots = prepare(database, 'DELETE FROM snapshots WHERE seq > ?')
    const { seq, marks } = select(database, progress.columns, 'FROM progress').get()!
    this.seq = seq
    // A new store begins with the marks of its projections.
    if (marks === noMarks) this.saveProgress.run(this.seq, JSON.stringify(this.marks()))
    else resumeAll(this.projections, JSON.parse(marks) as Marks)
    this.freeze()
  }

  private readersOf(type: EventType): readonly EventReader[] {
    return this.projections.flatMap(([, { reads: of }]) => of[type] ?? [])
  }

  /** Ingests outcomes. Outcomes that were read before are skipped, and a gap is an error. Reads
   *  see the outcomes immediately; they are durable after the next commit. After an error the
   *  store must not be used again. For a command with very many events, progress is reported. */
  ingest(chunk: Chunk, onLines: (lines: number) => void = () => undefined): void {
    if (!this.uncommitted) this.database.exec('BEGIN')
    this.uncommitted = true
    const outcome = new FedOutcome(chunk)
    for (let index = 0; index < chunk.outcomes; index++) {
      outcome.move(index)
      if (outcome.seq > this.seq) this.take(outcome, onLines)
    }
  }

  /** Commits many outcomes in one transaction, because they change the same pages repeatedly. A
   *  commit contains only complete outcomes, and all cached data, because other processes read it
   *  (reader/). */
  commit(): void {
    if (!this.uncommitted) return
    this.flush()
    for (const [, projection] of this.projections) projection.finish?.()
    this.saveProgress.run(this.seq, JSON.stringify(this.marks()))
    this.database.exec('COMMIT')
    this.uncommitted = false
  }

  private flush(): void {
    for (const [, projection] of this.projections) projection.flush?.()
  }

  private take(outcome: FedOutcome, onLines: (lines: number) => void): void {
    if (outcome.seq !== this.seq + 1)
      throw new Error(`history: fed ${outcome.seq} after ${this.seq}, with a gap between`)
    this.tables.operatorActions.take(outcome)
    if (outcome.kind === 'snapshot') this.snapshot(outcome)
    else if (outcome.kind === 'revert') this.revert(outcome)
    else this.takeRows(outcome, onLines)
    this.seq = outcome.seq
  }

  private takeRows(outcome: FedOutcome, onLines: (lines: number) => void): void {
    const { rows, end } = outcome
    let reported = outcome.first
    for (let at = outcome.first; at < end; at = nextAfter(rows, at)) {
      for (const read of this.readers[kindAt(rows, at)]!) read(outcome, at)
      if (at - reported < progressEvery * lineWidth) continue
      onLines((at - reported) / lineWidth)
      reported = at
    }
    for (const settle of this.settlers) settle()
  }

  private snapshot({ seq, id }: FedOutcome): void {
    for (const [, projection] of this.projections) projection.save?.(seq)
    this.addSnapshot({ seq, id, marks: JSON.stringify(this.marks()) })
    this.freeze()
  }

  /** Deletes the rows after the snapshot; ids continue from there. Snapshots taken after it are
   *  removed too. */
  private revert({ seq, id }: FedOutcome): void {
    const found = this.findSnapshot.get(id)
    if (found === undefined) throw new Error(`history: a revert to ${id}, which it does not know`)
    const marks = JSON.parse(found.marks) as Marks
    this.flush()
    for (const [name, projection] of this.projections) projection.revert(marks[name], found.seq)
    this.dropSnapshots.run(found.seq)
    this.breakOff.run(seq)
    resumeAll(this.projections, marks)
    this.freeze()
  }

  private marks(): Marks {
    return Object.fromEntries(
      this.projections.map(([name, projection]) => [name, projection.mark()]),
    ) as Marks
  }

  private freeze(): void {
    const found = this.newestSnapshot.get()
    const marks = found === undefined ? null : (JSON.parse(found.marks) as Marks)
    for (const [name, projection] of this.projections)
      projection.freeze?.(marks === null ? { last: 0 } : (marks[name] as NewestRow))
  }

  read(name: ReadName, args: readonly unknown[]): Packed {
    this.flush()
    writeFor(this.tables, name, args)
    return answerOf(this.tables, name, args)
  }

  close(): void {
    this.commit()
    this.database.close()
  }
}

function openDatabase(options: StoreOptions): Database {
  const { file } = options
  const found = file === ':memory:' ? null : openFitting(options)
  if (found !== null) return found
  deleteStoreFile(file)
  const database = connect(file)
  database.exec('BEGIN')
  database.exec(schema)
  const { exchange, fromSeq = 0 } = options
  const place = { seq: fromSeq, completeAfter: fromSeq }
  insertInto(database, progress)({ exchange, fingerprint, ...place, marks: noMarks })
  database.exec('COMMIT')
  return database
}

/** Opens the existing store; `null` if it cannot be continued. */
function openFitting({ file, exchange, journalSeq }: StoreOptions): Database | null {
  let database: Database | null = null
  try {
    database = connect(file)
    const found = select(database, progress.columns, 'FROM progress').get()
    const fits =
      found !== undefined &&
      found.exchange === exchange &&
      found.fingerprint === fingerprint &&
      found.seq <= journalSeq
    if (fits) return database
  } catch {
    // Not a database, or not a store of this program. It is rebuilt, as with another schema.
  }
  database?.close()
  return null
}

// Commits are not synced. A power failure may lose the last transactions, but never part of one,
// and the journal has them.
function connect(file: string): Database {
  if (file !== ':memory:') closeToOthers(file)
  const database = new DatabaseSync(file)
  database.exec(`PRAGMA page_size = 4096; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
    PRAGMA cache_size = -${cacheKiB}; PRAGMA temp_store = MEMORY;
    PRAGMA wal_autocheckpoint = ${checkpointPages};
    PRAGMA journal_size_limit = 67108864`)
  return database
}

/** Creates the file before SQLite does, because SQLite gives its additional files the same mode. */
function closeToOthers(file: string): void {
  closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o600)
}
