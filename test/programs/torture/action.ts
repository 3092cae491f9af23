// One signed request of a client and what the client knows of it. Time is a counter here: it says
// what surely came before what, which is all that a client can know.

import { type Key, keyOfSeed } from '../../../src/client/key.ts'
import { signedBody } from '../../../src/client/signed-body.ts'
import { signedReadHeader, writeSignedRead } from '../../../src/protocol/auth/signed-read.ts'
import type { SigningType } from '../../../src/protocol/signing-types.ts'
import { type Connection, errorOf, type Reply } from '../../support/running/connection.ts'
import type { Random } from '../differential/random.ts'

/** `doubt`: sent, and no reply came. */
export type Known = 'ok' | 'refused' | 'doubt'

export type Action = {
  readonly path: string
  /** The signed body, to be sent again as it is. */
  readonly text: string
  readonly signedAtMs: number
  sentAt: number
  /** Infinity while there is none. */
  repliedAt: number
  known: Known
  reply: Reply | null
}

/** When a sandbox snapshot was requested, and when it was there. */
export type Mark = Readonly<{ id: string; from: number; to: number }>

const windowMs = 300_000
/** A text older than this is not sent again: it might expire on the way. */
export const resendMsMax = 200_000

export class Ticker {
  private count = 0

  next(): number {
    this.count += 1
    return this.count
  }
}

export function drawnKey(random: Random): Key {
  return keyOfSeed(Uint8Array.from({ length: 32 }, () => random.below(256)))
}

export class Client {
  readonly key: Key
  readonly ticker: Ticker
  connection: Connection | null = null
  /** Two texts of one client never bear the same time. */
  private lastMs = 0

  constructor(key: Key, ticker: Ticker) {
    this.key = key
    this.ticker = ticker
  }

  /** Headers of a read as the owner, which includes waiting orders. */
  async readHeaders(): Promise<Readonly<Record<string, string>>> {
    const options = { type: 'read_account', timestamp: Date.now(), expiryWindow: windowMs } as const
    return { [signedReadHeader]: writeSignedRead(await signedBody(this.key, {}, options)) }
  }

  async sign(
    path: string,
    type: SigningType,
    fields: Readonly<Record<string, unknown>>,
  ): Promise<Action> {
    this.lastMs = Math.max(this.lastMs + 1, Date.now())
    const options = { type, timestamp: this.lastMs, expiryWindow: windowMs }
    const text = JSON.stringify(await signedBody(this.key, fields, options))
    const never = Number.POSITIVE_INFINITY
    return {
      path: `/api/v1${path}`,
      text,
      signedAtMs: this.lastMs,
      sentAt: never,
      repliedAt: never,
      known: 'doubt',
      reply: null,
    }
  }

  /** Sends it for the first time, or again. False: no reply came. */
  async send(action: Action): Promise<boolean> {
    const isFirst = action.sentAt === Number.POSITIVE_INFINITY
    action.sentAt = Math.min(action.sentAt, this.ticker.next())
    try {
      const reply = await this.connection!.post(action.path, action.text)
      action.reply = reply
      action.known = knownBy(reply, isFirst)
      action.repliedAt = this.ticker.next()
      return true
    } catch {
      // The process was killed, or is stopping: the result is unknown.
      return false
    }
  }
}

/** Refused at the door is refused for certain; any other failure may have come too late. */
function knownBy(reply: Reply, isFirst: boolean): Known {
  if (reply.status === 200) return 'ok'
  // A clock was wrong, and an attempt before this one may have been carried out.
  if (errorOf(reply).startsWith('EXPIRED')) return isFirst ? 'refused' : 'doubt'
  const atTheDoor = errorOf(reply).startsWith('NOT_READY: the exchange is shutting down')
  return reply.status < 500 || atTheDoor ? 'refused' : 'doubt'
}

export function isReplayed(action: Action): boolean {
  return action.reply !== null && errorOf(action.reply).startsWith('REPLAYED')
}

/** What a client may still believe after a return to the snapshot; null: it never happened. */
export function afterRevert(action: Action, { from, to }: Mark): Known | null {
  if (action.sentAt > to) return null
  return action.repliedAt < from ? action.known : 'doubt'
}
