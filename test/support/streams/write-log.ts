// What the sockets of this process write, in order: replies with an order, and frames about one.

import { Socket } from 'node:net'

type Said = Readonly<{ kind: 'reply' | 'frame'; order: number }>

type Writing = Readonly<{
  write: Socket['write']
}>

export class WriteLog {
  private readonly said: Said[] = []
  private readonly before: Writing

  private constructor() {
    const { prototype } = Socket
    const before = { write: prototype.write }
    this.before = before
    const { said } = this
    prototype.write = function (this: Socket, chunk: unknown, ...rest: unknown[]) {
      if (typeof chunk === 'string' || chunk instanceof Uint8Array) take(said, `${textOf(chunk)}`)
      return Reflect.apply(before.write, this, [chunk, ...rest]) as boolean
    } as Socket['write']
  }

  static begin(): WriteLog {
    return new WriteLog()
  }

  end(): void {
    Socket.prototype.write = this.before.write
  }

  /** How many replies named an order, and the orders of which a frame was written earlier. */
  ordersBeforeReplies() {
    const replied = new Map<number, number>()
    const framed = new Map<number, number>()
    for (const [at, { kind, order }] of this.said.entries()) {
      const first = kind === 'reply' ? replied : framed
      if (!first.has(order)) first.set(order, at)
    }
    const late = [...replied].flatMap(([order, at]) => {
      const frame = framed.get(order)
      return frame === undefined || frame < at ? [order] : []
    })
    return { replies: replied.size, late }
  }
}

function textOf(chunk: string | Uint8Array): string {
  return typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('latin1')
}

function take(said: Said[], text: string): void {
  const reply = /"data":\{"order_id":(\d+),/.exec(text)
  if (reply !== null) said.push({ kind: 'reply', order: Number(reply[1]) })
  if (text.includes('"channel":"account_order_updates","data":['))
    for (const [, order] of text.matchAll(/"i":(\d+),/g))
      said.push({ kind: 'frame', order: Number(order) })
}
