// The history store of another process, opened read-only. Each read sees one commit, which contains
// all rows and the marks of the projections.

import { statSync } from 'node:fs'
import { DatabaseSync } from '@photostructure/sqlite'
import type { Database } from '../projection.ts'
import { answerOf, type ReadName } from '../reads.ts'
import { select } from '../rows/select.ts'
import type { Packed } from '../rows/wire-row.ts'
import { progress } from '../schema/store-table.ts'
import { fingerprint } from '../schema.ts'
import { retentionOf } from '../store-file.ts'
import {
  type Marks,
  noMarks,
  type Projections,
  projectionsOf,
  resumeAll,
  type Tables,
  tablesOf,
} from '../tables.ts'

export type ReaderStart = Readonly<{
  file: string
  /** Number of ids per count; must be that of the writer's store. */
  stretch?: number
}>

/** A writer locks the file briefly while it starts. */
const busyMs = 100

export class StoreReader {
  private readonly file: string
  private readonly inode: bigint
  private readonly database: Database
  private readonly tables: Tables
  private readonly projections: Projections
  private readonly progress
  /** Seq of the loaded marks. */
  private seq = -1

  /** Throws if there is no store, if it is being created, or if it has another version. */
  constructor({ file, ...counts }: ReaderStart) {
    this.file = file
    this.inode = inodeOf(file)
    this.database = new DatabaseSync(file, { readOnly: true, timeout: busyMs })
    const { database } = this
    try {
      this.progress = select(database, progress.columns, 'FROM progress')
      this.found()
      this.tables = tablesOf(database, { reserved: [], retention: retentionOf({}), ...counts })
      this.projections = projectionsOf(this.tables)
      this.inTransaction(() => undefined)
      if (this.isReplaced()) throw new Error('the store is being rebuilt')
    } catch (error) {
      database.close()
      throw error
    }
  }

  /** Runs `work` on one commit and passes the seq of the commit. After an error the reader must
   *  not be used again. */
  inTransaction<Result>(work: (seq: number) => Result): Result {
    this.database.exec('BEGIN')
    this.resume()
    const result = work(this.seq)
    this.database.exec('COMMIT')
    return result
  }

  /** Loads the marks of the commit. Equal seqs have equal marks, because each commit has its own
   *  seq. */
  private resume(): void {
    const { seq, marks } = this.found()
    if (seq === this.seq) return
    resumeAll(this.projections, JSON.parse(marks) as Marks)
    this.seq = seq
  }

  private found() {
    const found = this.progress.get()
    if (found === undefined || found.marks === noMarks) throw new Error('the store is being made')
    if (found.fingerprint !== fingerprint)
      throw new Error('the store is of another version of openperp')
    return found
  }

  read(name: ReadName, args: readonly unknown[]): Packed {
    return answerOf(this.tables, name, args)
  }

  /** Whether the file was deleted or rebuilt since it was opened. */
  isReplaced(): boolean {
    return inodeOf(this.file) !== this.inode
  }

  close(): void {
    this.database.close()
  }
}

/** The inode of the file, which is not reused while the file is open. */
function inodeOf(file: string): bigint {
  return statSync(file, { bigint: true, throwIfNoEntry: false })?.ino ?? -1n
}
