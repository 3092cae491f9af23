// The history store of another process, opened read-only: each read sees one commit. All that
// reads need is in the file then: rows, and the marks of the
// projections.

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
  /** Ids to a count, as the store that is read has them. */
  stretch?: number
}>

/** A start of the writer holds its locks for a moment. */
const busyMs = 100

export class StoreReader {
  private readonly file: string
  private readonly inode: bigint
  private readonly database: Database
  private readonly tables: Tables
  private readonly projections: Projections
  private readonly progress
  /** Where the projections stand. */
  private seq = -1

  /** Fails when there is no store, when it is being made, or when it is of another version. */
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

  /** Everything that `work` reads is as of the seq that it gets. A reader that failed here must
   *  not be used any more. */
  inTransaction<Result>(work: (seq: number) => Result): Result {
    this.database.exec('BEGIN')
    this.resume()
    const result = work(this.seq)
    this.database.exec('COMMIT')
    return result
  }

  /** Every commit has a seq of its own, so that the same one means the same marks. */
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

/** It does not come back for another file while this one is open. */
function inodeOf(file: string): bigint {
  return statSync(file, { bigint: true, throwIfNoEntry: false })?.ino ?? -1n
}
