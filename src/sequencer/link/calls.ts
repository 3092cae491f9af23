// Remote calls between the processes of one exchange, in addition to frames and records. A call has
// a name, arguments and an answer, as JSON, in both directions. An answer arrives after every frame
// that was sent before it.

import { NodeOutdated, OutsideWindow, Overloaded, SequencerStopped } from '../not-taken.ts'
import { ANSWER, CALL, encodeMessage, type Message } from './messages.ts'

/** The calls that this end serves, by name. */
export type Served = Readonly<Record<string, (...args: never[]) => unknown>>

/** Maximum number of pending calls. */
const waitingMax = 10_000

type Question = Readonly<{ id: number; name: string; args: readonly unknown[] }>
type Failure = Readonly<{ message: string; code?: string }>
type Answer = Readonly<{ id: number; value?: unknown; failure?: Failure }>
type Waiting = Readonly<{ resolve: (value: unknown) => void; reject: (error: Error) => void }>

export class Calls {
  private readonly send: (message: Buffer) => void
  private readonly served: Served
  private readonly onServed: () => void
  private readonly waiting = new Map<number, Waiting>()
  private lastId = 0
  private ended: Error | null = null
  /** Number of calls of the other end that are not answered yet. */
  serving = 0

  /** `onServed` is called after each answer. */
  constructor(
    send: (message: Buffer) => void,
    served: Served,
    onServed: () => void = () => undefined,
  ) {
    this.send = send
    this.served = served
    this.onServed = onServed
  }

  /** Number of calls that the other end has not answered yet. */
  get waitingCount(): number {
    return this.waiting.size
  }

  /** Calls the other end; resolves with its answer or rejects with its error. */
  ask<T>(name: string, ...args: readonly unknown[]): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.ended !== null) throw this.ended
      if (this.waiting.size >= waitingMax) throw new Overloaded(`${waitingMax} questions wait`)
      this.lastId += 1
      this.waiting.set(this.lastId, { resolve: resolve as Waiting['resolve'], reject })
      this.send(encode(CALL, { id: this.lastId, name, args }))
    })
  }

  /** Makes a one-way call without an answer. */
  notify(name: string, ...args: readonly unknown[]): void {
    if (this.ended === null) this.send(encode(CALL, { id: 0, name, args }))
  }

  /** Processes a call message; returns `false` if the message is not a call. Throws if it is
   *  malformed. */
  take({ kind, bytes }: Message): boolean {
    if (kind === CALL) void this.serve(questionIn(bytes))
    else if (kind === ANSWER) this.settle(JSON.parse(bytes.toString('utf8')) as Answer)
    else return false
    return true
  }

  /** Rejects all pending and future calls. */
  end(why: Error): void {
    this.ended ??= why
    for (const { reject } of this.waiting.values()) reject(why)
    this.waiting.clear()
  }

  private async serve({ id, name, args }: Question): Promise<void> {
    this.serving += 1
    const answer = await this.answerTo(name, args)
    this.serving -= 1
    if (id !== 0 && this.ended === null) this.send(encode(ANSWER, { id, ...answer }))
    this.onServed()
  }

  private async answerTo(name: string, args: readonly unknown[]): Promise<Omit<Answer, 'id'>> {
    try {
      const handler = Object.hasOwn(this.served, name) ? this.served[name] : undefined
      if (handler === undefined) throw new RangeError(`unknown call ${name}`)
      return { value: await handler(...(args as never[])) }
    } catch (error) {
      // Includes the fields that identify the error: the name and numbers of a rule, or a code.
      return { failure: { ...(error as object), message: (error as Error).message } }
    }
  }

  private settle({ id, value, failure }: Answer): void {
    const waiting = this.waiting.get(id)
    this.waiting.delete(id)
    if (failure === undefined) waiting?.resolve(value)
    else waiting?.reject(errorOf(failure))
  }
}

/** Recreates an error of the other end, with the class that its code identifies. */
export function errorOf({ message, ...fields }: Failure): Error {
  const { code } = fields
  if (code === 'OVERLOADED') return new Overloaded(message)
  if (code === 'NODE_OUTDATED') return new NodeOutdated(message)
  if (code === 'EXPIRED') return new OutsideWindow(message)
  if (code === 'SEQUENCER_STOPPED') return new SequencerStopped(message)
  return Object.assign(new Error(message), fields)
}

function questionIn(bytes: Buffer): Question {
  const said = JSON.parse(bytes.toString('utf8')) as Partial<Question> | null
  const { id, name, args } = said ?? {}
  if (typeof id !== 'number' || typeof name !== 'string' || !Array.isArray(args))
    throw new RangeError('malformed call')
  return { id, name, args }
}

function encode(kind: number, content: Question | Answer): Buffer {
  return encodeMessage(kind, Buffer.from(JSON.stringify(content)))
}
