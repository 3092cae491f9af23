// History of an embedded exchange: the same store as in a service, but in memory and in this
// thread. It is created at the first read and updated at each read, by replaying the stored
// commands. Without reads it costs nothing (docs/adr explains why).

import { createState, EventLog, type Genesis } from '../../core/index.ts'
import { apiError } from '../../gateway/api-error.ts'
import { type Explanation, explainPast, type Job } from '../../projections/explain/explain.ts'
import { ChunkWriter } from '../../projections/history/chunk.ts'
import type { OpenHistory } from '../../projections/history/create-history.ts'
import { HistoryBehind } from '../../projections/history/history.ts'
import { type AllHistory, historyOf } from '../../projections/history/history-of.ts'
import {
  type ReadArgs,
  type ReadName,
  type ReadRow,
  rowsOf,
} from '../../projections/history/reads.ts'
import type { HistoryStore } from '../../projections/history/store.ts'
import { retentionOf, storeOwner } from '../../projections/history/store-file.ts'
import { outcomeOf } from '../../sequencer/outcome.ts'
import { beginning, Replica } from '../../sequencer/replica/replica.ts'
import { botHistory } from '../../sources/bots/bot-accounts.ts'
import type { KeptCommands } from './kept-commands.ts'
import { keptPast } from './kept-past.ts'
import { applyEntry } from './replay.ts'
import { SavedBytes } from './saved-bytes.ts'

const chunkLines = 4_096

export class LazyHistory {
  readonly history: AllHistory = historyOf((seq, name, ...args) => this.rows(seq, name, args))
  private readonly genesis: Genesis
  private readonly kept: KeptCommands
  private opening: Promise<Reader> | null = null
  private closed = false

  constructor(genesis: Genesis, kept: KeptCommands) {
    this.genesis = genesis
    this.kept = kept
  }

  /** Interface of the feeds. Without stored history they start with the current state. */
  readonly asOf: OpenHistory['asOf'] = async (seq, name, ...args) => {
    const rows = this.kept.missing() === null ? await this.rows(seq, name, args) : []
    return { seq: this.kept.length, rows }
  }

  readonly explain = (job: Job): Promise<Explanation> =>
    explainPast(keptPast(this.genesis, this.kept), job, null)

  async close(): Promise<void> {
    this.closed = true
    const reader = await this.opening?.catch(() => null)
    reader?.close()
  }

  private async rows<N extends ReadName>(_: number, name: N, args: ReadArgs<N>) {
    if (this.closed) throw new HistoryBehind('the exchange is closed')
    const missing = this.kept.missing()
    if (missing !== null) throw apiError('NOT_FOUND', missing)
    this.opening ??= this.open()
    const reader = await this.opening
    return reader.read(name, args)
  }

  /** Opens the store. The database is a native library, loaded at first use. */
  private async open(): Promise<Reader> {
    const { HistoryStore } = await import('../../projections/history/store.ts')
    const { feesAddress, insuranceAddress, deficitAddress } = this.genesis
    const store = new HistoryStore({
      file: ':memory:',
      exchange: storeOwner,
      journalSeq: Number.MAX_SAFE_INTEGER,
      reserved: [feesAddress, insuranceAddress, deficitAddress],
      retention: retentionOf({ churn: botHistory }),
    })
    return new Reader(store, this.genesis, this.kept)
  }
}

/** The store, and a second core whose events are written to it. */
class Reader {
  private readonly store: HistoryStore
  private readonly kept: KeptCommands
  private readonly replica: Replica
  private readonly log = new EventLog()
  private readonly saved = new SavedBytes()
  private readonly written = new ChunkWriter()

  constructor(store: HistoryStore, genesis: Genesis, kept: KeptCommands) {
    this.store = store
    this.kept = kept
    this.replica = new Replica(createState(genesis), beginning)
  }

  read<N extends ReadName>(name: N, args: ReadArgs<N>): readonly ReadRow<N>[] {
    this.catchUp()
    return rowsOf(name, this.store.read(name, args))
  }

  close(): void {
    this.store.close()
  }

  private catchUp(): void {
    const { kept, replica, log, written } = this
    while (replica.seq < kept.length) {
      const placed = kept.at(replica.seq + 1)
      log.clear()
      applyEntry(placed, replica, log, this.saved)
      written.add(outcomeOf(placed, log, 0), written.addTexts(log.texts))
      if (written.lines >= chunkLines) this.store.ingest(written.take())
    }
    if (!written.isEmpty()) this.store.ingest(written.take())
  }
}
