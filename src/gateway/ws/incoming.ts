// Parses a client's message: the requested operation and its lane, or the error. A message is
// parsed once, when the intake decides its turn.

import { batchLevelsMax, parseStrict } from '../../protocol/strict-json.ts'
import { type LaneName, laneOf } from '../intake/line.ts'
import type { Operation } from '../operation.ts'
import type { RequestId } from './replies.ts'
import type { Params } from './subscribe-request.ts'

/** `{"params":{<op>:` adds two levels around a body. */
const levelsMax = batchLevelsMax + 2
export const idLengthMax = 64

/** A message as received, and its content once it has been parsed. */
export type Incoming = {
  readonly bytes: Buffer
  readonly isBinary: boolean
  read: Read | null
  /** How far the clock that checks its signature is ahead. */
  readonly skewMs?: number
  /** Gets the reply, in place of the client. */
  readonly answered?: (status: number, frame: unknown) => void
}

/** `problem`: the message is malformed. `request`: it requests an operation. */
export type Read = Readonly<{
  lane: LaneName
  problem: string | null
  message: Message | null
  request: Request | null
}>

const unreadable = (problem: string): Read => ({
  lane: 'read',
  problem,
  message: null,
  request: null,
})

export type Message = Readonly<{ id: RequestId | null; method: unknown; params: unknown }>

export type Request = Readonly<{ id: RequestId; type: string; operation: Operation; body: unknown }>

export class MessageReader {
  private readonly operations: ReadonlyMap<string, Operation>
  private readonly bytesMax: number

  constructor(operations: ReadonlyMap<string, Operation>, bytesMax: number) {
    this.operations = operations
    this.bytesMax = bytesMax
  }

  readOf(incoming: Incoming): Read {
    incoming.read ??= incoming.isBinary
      ? unreadable('binary messages are not read; send text')
      : this.textOf(incoming.bytes)
    return incoming.read
  }

  private textOf(bytes: Buffer): Read {
    if (bytes.length > this.bytesMax) return unreadable('a message may have 65536 bytes')
    const parsed = parseStrict(bytes.toString(), levelsMax)
    if (!parsed.ok) return unreadable(parsed.problem.replace('body', 'message'))
    const message = messageOf(parsed.value)
    if (typeof message === 'string') return unreadable(message)
    if (message.method !== undefined) return { lane: 'read', problem: null, message, request: null }
    const request = this.requestOf(message)
    const lane = request === null ? 'read' : laneOf(request.operation, () => request.body)
    return { lane, problem: null, message, request }
  }

  /** Returns `null` if the message names no operation. */
  private requestOf({ id, params }: Message): Request | null {
    if (id === null || !isObject(params)) return null
    const ops = Object.keys(params)
    const operation = ops.length === 1 ? this.operations.get(ops[0]!) : undefined
    if (operation === undefined) return null
    return { id, type: ops[0]!, operation, body: params[ops[0]!] }
  }
}

export function isObject(value: unknown): value is Params {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The parsed message, or what is wrong with it. */
function messageOf(value: unknown): Message | string {
  if (!isObject(value)) return 'a message must be an object'
  const { id = null, method, params } = value
  const isText = typeof id === 'string' && id.length <= idLengthMax
  if (id !== null && !isText && typeof id !== 'number')
    return `id must be a text of at most ${idLengthMax} characters`
  return { id: id as RequestId | null, method: method ?? undefined, params }
}
