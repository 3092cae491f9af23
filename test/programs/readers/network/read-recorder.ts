// Clients that only read, at a leader and at a read replica, and record the replies with their
// entries. Some of it is checked immediately: a reply is never older than requested, replies on one
// connection never go back, and two of the same entry are the same.

import { setTimeout as wait } from 'node:timers/promises'
import { minSeqHeader, seqHeader } from '../../../../src/protocol/seq-headers.ts'
import type { Random } from '../../differential/random.ts'
import { HeldReads } from './held-reads.ts'

/** What was said at an entry, by path. */
export type Recorded = ReadonlyMap<number, ReadonlyMap<string, string>>

export type Recording = Readonly<{
  random: Random
  /** Relative to the mount: reads of the state. */
  paths: readonly string[]
  /** Where each of them reads; null: nowhere at the moment. */
  places: readonly (() => number | null)[]
  say: (wrong: string) => void
}>

const againMs = 20
const pauseMs = 5

export class ReadRecorder {
  readonly recorded = new Map<number, Map<string, string>>()
  /** Replies that were recorded, those of them with a requested entry, and those that said to
   *  retry. */
  readonly counts = { replies: 0, bounded: 0, sentAway: 0, lost: 0 }
  private readonly recording: Recording
  private readonly readers: readonly Promise<void>[]
  private newest = 0
  private stopped = false

  constructor(recording: Recording) {
    this.recording = recording
    this.readers = recording.places.map((place) => this.read(place))
  }

  async stop(): Promise<void> {
    this.stopped = true
    await Promise.all(this.readers)
  }

  private async read(place: () => number | null): Promise<void> {
    while (!this.stopped) {
      const port = place()
      if (port !== null) await this.readAt(await HeldReads.open(port))
      await wait(againMs)
    }
  }

  /** Until the connection is lost. */
  private async readAt(connection: HeldReads): Promise<void> {
    const { random, paths, say } = this.recording
    let last = 0
    for (; !this.stopped; await wait(pauseMs)) {
      const path = random.pick(paths)
      // The newest entry of any reply, from either node.
      const min = random.chance(0.5) ? this.newest : null
      const headers: Record<string, string> = min === null ? {} : { [minSeqHeader]: String(min) }
      const reply = await connection.get(`/api/v1${path}`, headers)
      if (reply === null) {
        this.counts.lost += 1
        break
      }
      if (reply.status !== 200) {
        this.counts.sentAway += 1
        if (reply.status !== 503) say(`${path}: ${reply.status} ${reply.body}`)
        await wait(againMs)
        continue
      }
      const seq = Number(reply.headers.get(seqHeader))
      if (min !== null && seq < min) say(`${path} is of entry ${seq}, and ${min} was requested`)
      if (seq < last) say(`${path} is of entry ${seq}, behind ${last} on one connection`)
      last = seq
      if (min !== null) this.counts.bounded += 1
      this.record(seq, path, reply.body)
    }
    connection.close()
  }

  private record(seq: number, path: string, body: string): void {
    this.newest = Math.max(this.newest, seq)
    this.counts.replies += 1
    const known = this.recorded.get(seq) ?? new Map<string, string>()
    this.recorded.set(seq, known)
    const before = known.get(path)
    if (before === undefined) known.set(path, body)
    else if (before !== body)
      this.recording.say(`${path} at entry ${seq} was ${before}, and then ${body}`)
  }
}
