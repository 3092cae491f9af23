// The audit of a data folder. It checks every seal and link of the journal, compares every snapshot
// and saved state with a replay, and checks the invariants of the state during the replay. It
// recomputes everything that can be recomputed, changes nothing, and may run next to a running
// exchange.

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { checkInvariants, nextAfter } from '../../core/index.ts'
import type { Frame } from '../../journal/frame.ts'
import { JournalFault } from '../../journal/journal-fault.ts'
import { JournalScan } from '../../journal/scan-journal.ts'
import { decodeSealed } from '../../journal/sealed-file.ts'
import { listSegments } from '../../journal/segment.ts'
import { listSnapshots } from '../../journal/snapshot-files.ts'
import { type DataFolder, readDataFolder } from '../../sequencer/data-folder.ts'
import type { Outcome } from '../../sequencer/outcome.ts'
import { recover } from '../../sequencer/replica/recover.ts'
import type { Replica } from '../../sequencer/replica/replica.ts'
import { SavedStateFiles } from '../../sequencer/snapshots/saved-state-files.ts'
import { sealState } from '../../sequencer/snapshots/sealed-state.ts'
import { stateHash, tradingHash } from '../../sequencer/snapshots/state-hash.ts'
import { diagnose, type Finding } from './diagnose.ts'

export type AuditReport = Readonly<{
  folder: string
  /** First record of the remaining journal. The replay started at `fromSeq` + 1. */
  firstSeq: number
  fromSeq: number
  seq: number
  segments: number
  frames: number
  entries: number
  events: number
  reverts: number
  /** Number of snapshots and saved states that equal the replay. */
  statesEqual: number
  /** Number of times that all invariants were checked. */
  invariantChecks: number
  tornBytes: number
  stateHash: string | null
  tradingHash: string | null
  notes: readonly string[]
  findings: readonly Finding[]
}>

export type AuditProgress = Readonly<{ seq: number; entries: number; part: number }>

export type AuditOptions = Readonly<{
  /** All invariants are checked after each interval of this many entries, at each snapshot and at
   *  the end. */
  everyEntries: number
  onProgress(progress: AuditProgress): void
}>

const progressFrames = 256

export async function auditFolder(path: string, options: AuditOptions): Promise<AuditReport> {
  return new Audit(path, options).run()
}

/** A state on disk, which is compared with the replay at its seq. */
type Kept = Readonly<{ file: string; seq: number }>

class Audit {
  private readonly path: string
  private readonly options: AuditOptions
  private readonly findings: Finding[] = []
  private readonly notes: string[] = []
  private readonly kept = new Map<number, Kept[]>()
  private readonly bytesBefore = new Map<string, number>()
  private bytesAll = 1
  private replica: Replica | null = null
  private frames = 0
  private entries = 0
  private events = 0
  private statesEqual = 0
  private invariantChecks = 0
  private checkedAt = 0
  private tornBytes = 0
  private firstSeq = 1
  private fromSeq = 0
  private segments = 0

  constructor(path: string, options: AuditOptions) {
    this.path = path
    this.options = options
  }

  async run(): Promise<AuditReport> {
    try {
      const folder = readDataFolder(this.path)
      this.prepare(folder)
      await this.replay(folder)
    } catch (error) {
      this.findings.push(this.findingOf(error))
    }
    return this.report()
  }

  private prepare(folder: DataFolder): void {
    const segments = listSegments(folder.journal)
    this.segments = segments.length
    this.firstSeq = segments[0]?.firstSeq ?? 1
    let bytes = 0
    for (const { file } of segments) {
      this.bytesBefore.set(file, bytes)
      bytes += statSync(file).size
    }
    this.bytesAll = Math.max(1, bytes)
    for (const kept of [...listSnapshots(folder.snapshots), ...savedFiles(folder.saved)])
      this.kept.set(kept.seq, [...(this.kept.get(kept.seq) ?? []), kept])
  }

  private async replay(folder: DataFolder): Promise<void> {
    const base = await recover(folder, {
      saved: new SavedStateFiles(folder.saved),
      feed: { after: 0, take: ({ outcomes }) => this.count(outcomes) },
      onWarning: (text) => this.notes.push(text),
      watch: { frame: (frame, replica) => this.frame(frame, replica) },
    })
    this.replica = base.replica
    this.fromSeq = base.from
    this.tornBytes = base.end!.tornBytes
    this.checkState(base.replica)
    this.checkOlder(folder)
    for (const kept of [...this.kept.values()].flat()) this.checkUnmet(kept)
  }

  private count(outcomes: readonly Outcome[]): void {
    for (const { log, first, end } of outcomes)
      for (let at = first; at < end; at = nextAfter(log.rows, at)) this.events += 1
    this.entries += outcomes.length
  }

  private frame(frame: Frame, replica: Replica): void {
    this.replica = replica
    this.frames += 1
    const { seq } = replica
    const kept = this.kept.get(seq)
    if (kept !== undefined) {
      this.kept.delete(seq)
      for (const each of kept) this.checkKept(each, replica, frame)
      this.checkState(replica)
    } else if (this.entries - this.checkedAt >= this.options.everyEntries) this.checkState(replica)
    if (this.frames % progressFrames === 0)
      this.options.onProgress({ seq, entries: this.entries, part: this.partOf(frame) })
  }

  /** Lower bound of the journal bytes read, because the current file is unknown. */
  private partOf({ end }: Frame): number {
    const { seq } = this.replica!
    let before = 0
    for (const [file, bytes] of this.bytesBefore)
      if (Number.parseInt(file.slice(-20, -4), 10) <= seq) before = bytes
    return Math.min(1, (before + end) / this.bytesAll)
  }

  /** Compares a snapshot byte for byte with the replay at its seq. */
  private checkKept({ file, seq }: Kept, { state }: Replica, frame: Frame): void {
    const sealed = this.readSealed(file, seq)
    if (sealed === null) return
    const { facts, content } = sealed
    const wrong = (what: string) => {
      this.findings.push({ kind: 'wrong', file, offset: null, seq, what })
    }
    if (facts.seal !== undefined && facts.seal !== frame.seal.toString('hex'))
      return wrong(`the snapshot of seq ${seq} is of another history`)
    if (Buffer.compare(content, sealState(state)) !== 0)
      return wrong(`the state in it is not what history gives at seq ${seq}`)
    this.statesEqual += 1
  }

  private readSealed(file: string, seq: number) {
    try {
      return decodeSealed<Readonly<{ seal?: string }>>(file, readFileSync(file))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
        this.notes.push(`${file} was removed meanwhile`)
        return null
      }
      const what = 'the file does not match its seal: bytes of it were changed'
      this.findings.push({ kind: 'changed', file, offset: null, seq, what })
      return null
    }
  }

  private checkState(replica: Replica): void {
    this.checkedAt = this.entries
    this.invariantChecks += 1
    for (const what of checkInvariants(replica.state))
      this.findings.push({
        kind: 'wrong',
        file: join(this.path, 'journal'),
        offset: null,
        seq: replica.seq,
        what: `the state breaks invariant ${what} (docs/rules/invariants.md)`,
      })
  }

  /** Checks seals and links of the journal before the state with which the replay began. */
  private checkOlder(folder: DataFolder): void {
    if (this.fromSeq < this.firstSeq) return
    const { origin } = folder
    const range = { origin, after: this.firstSeq - 1, seal: null, to: this.fromSeq }
    for (const _ of new JournalScan(folder.journal, range).frames()) this.frames += 1
  }

  /** Reports a state whose seq is not the end of a frame: it is older than the replay, or belongs
   *  to another journal. */
  private checkUnmet({ file, seq }: Kept): void {
    if (this.readSealed(file, seq) === null) return
    if (seq <= this.fromSeq) {
      this.notes.push(`${file} is older than the journal that could be played; its seal holds`)
      return
    }
    // A snapshot that the exchange wrote during the audit is not a finding.
    if (seq > this.replica!.seq) return
    const what = `no frame of the journal ends with seq ${seq}`
    this.findings.push({ kind: 'wrong', file, offset: null, seq, what })
  }

  private findingOf(error: unknown): Finding {
    const seq = (this.replica?.seq ?? 0) + 1
    if (error instanceof JournalFault) {
      if (error.damage !== null) return diagnose(error.damage)
      return { kind: 'changed', file: this.path, offset: null, seq, what: error.message }
    }
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== undefined && code !== 'ENTRY_NOT_EXACT') throw error
    return this.inapplicable(seq, `the record is sealed, and cannot be applied: ${message}`)
  }

  /** Finding for an inserted record that is impossible in history. If the chain is broken after it,
   *  that finding is more precise and is reported instead. */
  private inapplicable(seq: number, what: string): Finding {
    const { journal, origin } = readDataFolder(this.path)
    const range = { origin, after: this.firstSeq - 1, seal: null }
    let offset: number | null = null
    try {
      for (const { firstSeq, count, start } of new JournalScan(journal, range).frames())
        if (firstSeq <= seq && seq < firstSeq + count) offset = start
    } catch (error) {
      if (error instanceof JournalFault && error.damage !== null) return diagnose(error.damage)
      throw error
    }
    const { file } = listSegments(journal).findLast(({ firstSeq }) => firstSeq <= seq)!
    return { kind: 'wrong', file, offset, seq, what }
  }

  private report(): AuditReport {
    const { replica, findings } = this
    const whole = replica !== null && findings.length === 0
    return {
      folder: this.path,
      firstSeq: this.firstSeq,
      fromSeq: this.fromSeq,
      seq: replica?.seq ?? 0,
      segments: this.segments,
      frames: this.frames,
      entries: this.entries,
      events: this.events,
      reverts: replica?.timeline ?? 0,
      statesEqual: this.statesEqual,
      invariantChecks: this.invariantChecks,
      tornBytes: this.tornBytes,
      stateHash: whole ? stateHash(replica.state) : null,
      tradingHash: whole ? tradingHash(replica.state) : null,
      notes: this.notes,
      findings,
    }
  }
}

function savedFiles(folder: string): readonly Kept[] {
  return readdirSync(folder)
    .filter((name) => /^\d{16}-[\w-]+\.snap$/.test(name))
    .map((name) => ({ file: join(folder, name), seq: Number.parseInt(name, 10) }))
}
