// The way of a websocket through the lab: messages of the client and frames to it, each in order.

import type { Subscription } from '../../feeds/topic.ts'
import { frameSizeAt } from '../../protocol/streams/text-frame.ts'
import type { ApiError } from '../api-error.ts'
import { accountOfBody, cutStatus, opOf } from '../http/carry-request.ts'
import type { Visitor } from '../intake/door.ts'
import { Direction, type Sent } from '../lab/direction.ts'
import { givenUpOf } from '../lab/given-up.ts'
import type { Lab } from '../lab/lab.ts'
import type { Leg } from '../lab/latency-plan.ts'
import type { Traits } from '../lab/matching.ts'
import type { Incoming } from './incoming.ts'
import { type Closing, closings } from './limits.ts'

/** Maximum number of bytes on their way to a client. */
const heldBytesMax = 16 * 1_048_576
let count = 0

/** A connection, as the lab uses it. */
export type LabClient = Readonly<{
  isOpen: boolean
  visitor: Visitor
  /** The account that it acts for; `null` if it is not known. */
  account: string | null
  close(closing: Closing): void
  /** Ends the connection without a closing handshake. */
  cut(): void
  send(message: unknown): void
}>

type Reply = Readonly<{ status: number; frame: unknown }>
type Take = (incoming: Incoming) => void
type Refuse = (incoming: Incoming, error: ApiError) => void

export class LabConnection {
  private readonly lab: Lab
  private readonly connection: LabClient
  private readonly number = ++count
  private readonly received = new Direction()
  private readonly sent = new Direction()
  private heldBytes = 0
  private mutedUntilUs = Number.NEGATIVE_INFINITY

  constructor(lab: Lab, connection: LabClient) {
    this.lab = lab
    this.connection = connection
  }

  get isActive(): boolean {
    return this.lab.isActive
  }

  /** Calls `take` when the client's message arrives, with its fault if it has one. */
  receive(incoming: Incoming, take: Take, refuse: Refuse): void {
    const { lane: leg, request } = incoming.read!
    const account = accountOfBody(request?.body)
    const op = request === null ? null : opOf(request.operation)
    const traits = { ...this.traits(null, account), op }
    const sent = { leg, traits, fromUs: this.lab.nowUs(), direction: this.received }
    if (request === null) return this.lab.pass(sent, () => this.connection.isOpen && take(incoming))
    const givenUp = (why: 'stands' | 'reset', dueUs: number) =>
      this.connection.isOpen && refuse(incoming, givenUpOf(why, dueUs, false))
    const carry = () => this.connection.isOpen && this.carry(incoming, traits, take, refuse)
    this.lab.pass(sent, carry, givenUp)
  }

  private carry(incoming: Incoming, traits: Traits, take: Take, refuse: Refuse): void {
    const { connection, lab } = this
    const { body } = incoming.read!.request!
    const request = {
      traits,
      isRead: false,
      read: () => body,
      perform: (skewMs: number) =>
        new Promise<Reply>((resolve) => {
          const answered = (status: number, frame: unknown) => resolve({ status, frame })
          take({ ...incoming, skewMs, answered })
        }),
      refuse: (error: ApiError) => {
        let reply: Reply = { status: error.status, frame: null }
        refuse({ ...incoming, answered: (status, frame) => (reply = { status, frame }) }, error)
        return reply
      },
      cut(isReset: boolean) {
        if (isReset) connection.cut()
        return { status: cutStatus, frame: null }
      },
      describe: ({ status, frame }: Reply) => ({ status, body: frame }),
    }
    void lab.fated<Reply>(request).then(({ status, frame }) => {
      if (status === cutStatus || !connection.isOpen) return
      connection.send(frame)
      lab.answered(request, { status, body: frame })
    })
  }

  /** Calls `write` with each frame when it arrives. `of`: absent for replies. */
  push(frames: Buffer, of: Subscription | undefined, write: (frame: Buffer) => void): void {
    const leg = legOf(of)
    const traits = this.traits(
      of?.source ?? null,
      of?.topic.id.of === 'account' ? of.topic.id.address : null,
    )
    for (let at = 0; at < frames.length; ) {
      const size = frameSizeAt(frames, at)
      const frame = frames.subarray(at, at + size)
      at += size
      this.pass({ leg, traits, fromUs: this.lab.nowUs(), direction: this.sent }, frame, write)
    }
  }

  private pass(sent: Sent, frame: Buffer, write: (frame: Buffer) => void): void {
    const isMuted = this.mutedUntilUs > sent.fromUs
    const hold = (bytes: number) => {
      this.heldBytes += bytes
    }
    const arrive = (bytes: Buffer) => {
      if (this.connection.isOpen) write(bytes)
    }
    if (sent.traits.channel !== null)
      this.lab.sendFrame(
        {
          ...{ sent, frame, hold, write: arrive },
          cut: () => this.connection.cut(),
          silenceUntil: (atUs) => {
            this.mutedUntilUs = atUs
          },
        },
        isMuted,
      )
    else if (!isMuted) {
      hold(frame.length)
      this.lab.pass(sent, () => {
        hold(-frame.length)
        arrive(frame)
      })
    }
    if (this.heldBytes > heldBytesMax) this.connection.close(closings.slow)
  }

  private traits(channel: string | null, account: string | null): Traits {
    const { visitor } = this.connection
    return {
      account: account ?? this.connection.account,
      key: visitor.key?.prefix ?? null,
      ip: visitor.ip,
      op: null,
      channel,
      connection: this.number,
    }
  }
}

function legOf(of: Subscription | undefined): Leg {
  if (of === undefined) return 'reply'
  return of.topic.id.of === 'account' ? 'private' : 'market'
}

/** The error of a new connection that is refused; `null` to accept it. */
export function socketRefusal(
  lab: Lab,
  { ip, key, keyAccount: account }: Visitor,
): ApiError | null {
  const named = { account, ip, key: key?.prefix ?? null }
  return lab.socketRefusal({ ...named, op: null, channel: null, connection: 0 })
}
