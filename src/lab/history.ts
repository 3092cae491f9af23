// The history of an exchange as the lab plays it again: a data folder, or the entries of an
// embedded exchange. Playing changes nothing.

import type { ClosedState } from '../core/index.ts'
import { listSegments } from '../journal/segment.ts'
import { type DataFolder, readDataFolder } from '../sequencer/data-folder.ts'
import type { Outcome } from '../sequencer/outcome.ts'
import { recover } from '../sequencer/replica/recover.ts'
import type { Replica } from '../sequencer/replica/replica.ts'
import { SavedStateFiles } from '../sequencer/snapshots/saved-state-files.ts'
import type { Point } from './fork/point.ts'
import { oldestSeq, seqAt } from './fork/seq-at.ts'

export type History = Readonly<{
  /** How messages name it. */
  name: string
  /** Whether addresses were replaced, so that accounts cannot be compared. */
  anonymised: boolean
  /** The first entry after which the state is known; 0: the beginning. */
  oldest: number
  /** The entry at a point. */
  seqAt(point: Point): number
  /** A saved state of a snapshot before an entry; `null` if it is not there any more. */
  savedState(id: string, before: number): Promise<ClosedState | null>
  /** The state after an entry. */
  at(seq: number): Promise<Replica>
  /** Plays the entries after `after`, up to `to` (default: all). */
  play(range: Readonly<{ after: number; to?: number }>, take: Take): Promise<Replica>
}>

export class FolderHistory implements History {
  readonly name: string
  private readonly saved: SavedStateFiles
  private readonly folder: DataFolder

  constructor(path: string) {
    this.name = path
    this.folder = readDataFolder(path)
    this.saved = new SavedStateFiles(this.folder.saved)
  }

  get anonymised(): boolean {
    return this.folder.genesis.fork?.anonymised === true
  }

  get oldest(): number {
    const first = listSegments(this.folder.journal)[0]?.firstSeq ?? 1
    return first === 1 ? 0 : oldestSeq(this.folder)
  }

  seqAt(point: Point): number {
    return seqAt(this.folder, point)
  }

  async savedState(id: string, before: number): Promise<ClosedState | null> {
    return (await this.saved.load(id, before))?.state ?? null
  }

  async at(seq: number): Promise<Replica> {
    return (await recover(this.folder, { saved: this.saved, to: seq })).replica
  }

  async play({ after, to }: Readonly<{ after: number; to?: number }>, take: Take) {
    let played: Replica | null = null
    const { replica } = await recover(this.folder, {
      saved: this.saved,
      ...(to !== undefined && { to }),
      feed: {
        after,
        take: async ({ outcomes }) => {
          for (const outcome of outcomes) await take(outcome, played!)
        },
      },
      watch: {
        begin: (begun) => {
          played = begun
        },
      },
    })
    return replica
  }
}

/** Receives each entry, whose events can be read until the promise resolves. */
export type Take = (outcome: Outcome, replica: Replica) => void | Promise<void>
