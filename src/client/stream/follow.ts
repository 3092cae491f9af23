// Frames as an async iterator with a bounded buffer. Channels that send a state keep only the
// newest value. Other channels report a gap if the reader falls behind, because rows must not be
// dropped silently.

import { channelOfSource, type Declaration, declared } from '../../protocol/streams/channels.ts'
import type { Source } from '../methods.ts'
import type { Frame, Gap } from './frames.ts'
import type { Handlers } from './subscription.ts'

/** Thrown when the loop reads more slowly than frames arrive. */
export class SlowReader extends Error {
  /** Name of the class. */
  override readonly name = 'SlowReader'
}

type Waiting<S extends Source> = Readonly<{
  resolve(result: IteratorResult<Frame<S>, undefined>): void
  reject(error: Error): void
}>

export class Follow<S extends Source> implements AsyncIterableIterator<Frame<S>, undefined> {
  /** Resolves when the exchange has acknowledged the subscription; rejects when it refused. */
  ready: Promise<void> = Promise.resolve()
  private readonly source: S
  private readonly bufferMax: number
  private readonly keepsNewest: boolean
  private frames: Frame<S>[] = []
  private waiting: Waiting<S>[] = []
  private error: Error | null = null
  private done = false
  private end: () => void = () => undefined

  constructor(source: S, bufferMax: number) {
    this.source = source
    this.bufferMax = bufferMax
    const { sends, inParts }: Declaration = declared[channelOfSource(source)!]
    this.keepsNewest = sends === 'state' && inParts !== true
  }

  /** The handlers of the subscription that fills this iterator. */
  handlers(): Handlers<S> {
    return { frame: (frame) => this.push(frame), refused: (error) => this.fail(error) }
  }

  /** `end` is called when the reader stops. */
  begin(ready: Promise<void>, end: () => void): this {
    this.ready = ready
    this.end = end
    return this
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<IteratorResult<Frame<S>, undefined>> {
    const value = this.frames.shift()
    if (value !== undefined) return Promise.resolve({ value, done: false })
    if (this.error !== null) return Promise.reject(this.error)
    if (this.done) return Promise.resolve({ value: undefined, done: true })
    return new Promise((resolve, reject) => this.waiting.push({ resolve, reject }))
  }

  return(): Promise<IteratorResult<Frame<S>, undefined>> {
    this.finish()
    return Promise.resolve({ value: undefined, done: true })
  }

  /** Ends the loop after the buffered frames. */
  finish(): void {
    if (this.done) return
    this.done = true
    this.end()
    for (const { resolve } of this.waiting.splice(0)) resolve({ value: undefined, done: true })
  }

  private push(frame: Frame<S>): void {
    const waiting = this.waiting.shift()
    if (waiting !== undefined) return waiting.resolve({ value: frame, done: false })
    if (this.keepsNewest) this.frames = [mergedWith(this.frames[0], frame)]
    else this.frames.push(frame)
    if (this.frames.length <= this.bufferMax) return
    this.frames = []
    this.fail(new SlowReader(`more than ${this.bufferMax} frames of ${this.source} were not read`))
  }

  private fail(error: Error): void {
    this.error = error
    this.done = true
    this.end()
    for (const { reject } of this.waiting.splice(0)) reject(error)
  }
}

/** Returns the newer frame, with the gap of the older one. */
function mergedWith<S extends Source>(older: Frame<S> | undefined, newer: Frame<S>): Frame<S> {
  if (older === undefined) return newer
  const gap: Gap | null = newer.gap ?? older.gap
  return { ...newer, begins: newer.begins || older.begins, gap }
}
