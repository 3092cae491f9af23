// Requests that a read node forwards. The leader treats each like a request of its own client: it
// checks body and signature and makes the command itself. Nothing that a read node says is used
// except the address of its client, so that without a signature a read node can change nothing.

import { isIP } from 'node:net'
import type { Logger } from 'pino'
import { apiError } from '../../gateway/api-error.ts'
import { asApiError } from '../../gateway/failures.ts'
import { bodyBytesMax, bodyIn } from '../../gateway/http/answer.ts'
import type { Door, Turn } from '../../gateway/intake/door.ts'
import {
  answerOf,
  type ForwardedAnswer,
  type ForwardedRequest,
  isForwarded,
} from '../../gateway/intake/forwarded.ts'
import type { Operation } from '../../gateway/operation.ts'
import { apiOperations, ccxtOperations } from '../../gateway/routes/all-operations.ts'
import { armConnection } from '../../gateway/ws/cancel-on-disconnect.ts'
import type { Params } from '../../gateway/ws/subscribe-request.ts'
import { turnOf } from '../../gateway/ws/turn.ts'

/** Maximum number of requests of a node that are in progress; a read node starts no more. */
const underWayMax = 4_096

export type ReaderRequestsParts = Readonly<{
  door: Door
  mode: 'sandbox' | 'venue'
  log: Logger
  /** Whether this node still leads. */
  mayAnswer: () => boolean
}>

type Operations = Readonly<Record<ForwardedRequest['form'], ReadonlyMap<string, Operation>>>

export class ReaderRequests {
  private readonly parts: ReaderRequestsParts
  private readonly operations: Operations

  constructor(parts: ReaderRequestsParts) {
    this.parts = parts
    const named = (all: readonly Operation[]) =>
      new Map(all.filter(isForwarded).map((each) => [each.name, each]))
    const { mode } = parts
    this.operations = { own: named(apiOperations(mode)), compat: named(ccxtOperations(mode)) }
  }

  /** Returns the function that answers the requests of one node. `owner`: prefix of the names of
   *  its connections. */
  ofNode(node: string, owner: () => string, lost: () => void) {
    const lines = new Lines()
    return async (said: unknown, text: unknown): Promise<ForwardedAnswer | undefined> => {
      const { mayAnswer, log } = this.parts
      const answer = await answerOf(
        async () => {
          if (lines.underWay >= underWayMax)
            throw apiError('NOT_READY', 'too many requests of this node wait; come again later')
          const request = requestIn(said)
          return lines.run(request, (turn) => this.run(request, text, turn, owner()))
        },
        (error) => asApiError(error, log.child({ node })),
      )
      if (mayAnswer()) return answer
      // A node that no longer leads answers nothing. The read node then asks the next leader.
      lost()
      return undefined
    }
  }

  private async run(request: ForwardedRequest, text: unknown, turn: Turn, owner: string) {
    const { door } = this.parts
    const { operation: name, form, ip, connection } = request
    if (typeof text !== 'string' || Buffer.byteLength(text) > bodyBytesMax)
      throw apiError('BODY_TOO_LARGE', `the body is not a text of at most ${bodyBytesMax} bytes`)
    const body = text === '' ? {} : bodyIn(text)
    const caller = { requestId: '', ip, keyAccount: null }
    if (connection !== null) {
      if (owner === '' || !connection.startsWith(owner))
        throw apiError('MALFORMED_REQUEST', 'the connection is not one of this node')
      return armConnection(door, { connection, params: body as Params, caller, turn })
    }
    const operation = this.operations[form].get(name)
    if (operation === undefined)
      throw apiError(
        'NOT_READY',
        `the leader does not accept ${name} from read nodes; are both nodes on the same version?`,
      )
    return door.run(operation, body, caller, turn)
  }
}

/** Keeps the requests of each connection of a node in order. */
class Lines {
  underWay = 0
  private readonly lines = new Map<number, { turn: Promise<unknown>; underWay: number }>()

  async run<T>({ line, alone }: ForwardedRequest, work: (turn: Turn) => Promise<T>): Promise<T> {
    const here = this.lines.get(line) ?? { turn: Promise.resolve(), underWay: 0 }
    this.lines.set(line, here)
    const turn = turnOf(here, alone)
    here.underWay += 1
    this.underWay += 1
    try {
      return await work(turn)
    } finally {
      turn.handedOver()
      here.underWay -= 1
      this.underWay -= 1
      if (here.underWay === 0) this.lines.delete(line)
    }
  }
}

const nameMax = 64
const connectionMax = 128

/** Throws if it is malformed. */
function requestIn(said: unknown): ForwardedRequest {
  const request = Object(said) as Readonly<Record<keyof ForwardedRequest, unknown>>
  const { operation, form, ip, line, alone, connection } = request
  const isName = typeof operation === 'string' && operation.length <= nameMax
  const isConnection =
    connection === null || (typeof connection === 'string' && connection.length <= connectionMax)
  const isPlace = Number.isSafeInteger(line) && typeof alone === 'boolean'
  const isCaller = typeof ip === 'string' && (isIP(ip) !== 0 || ip === '')
  if (isName && (form === 'own' || form === 'compat') && isCaller && isPlace && isConnection)
    return request as ForwardedRequest
  throw apiError('MALFORMED_REQUEST', 'a forwarded request is not as nodes of this version send it')
}
