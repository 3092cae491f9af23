// One connection that sends signed orders to the leader, each after the reply to the last. An order
// without a reply is sent again unchanged: it is executed once.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { replyEnd } from '../../../../bench/http/reply-end.ts'
import { Trader } from '../../../../bench/http/signed-orders.ts'

export type Leading = Readonly<{
  /** The port of the leader; null: none leads. */
  port: () => number | null
  /** An answer came. */
  answered: (seq: number) => void
  /** An order was accepted, under this id. */
  accepted: (orderId: number, clientId: string) => void
}>

const againMs = 20
const replyMsMax = 30_000

export class OrderStream {
  readonly trader: Trader
  /** What was refused, and why it was the first time. */
  refused = 0
  refusal = ''
  private readonly leading: Leading
  private socket: Socket | null = null
  private stopped = false
  private rest: Buffer = Buffer.alloc(0)

  constructor(at: number, leading: Leading) {
    this.trader = new Trader(at)
    this.leading = leading
  }

  /** Resolves when it was stopped and has its last answer. */
  async run(): Promise<void> {
    while (!this.stopped) {
      const { path, body } = await this.trader.signed()
      const { client_order_id: clientId } = body as { client_order_id?: string }
      const reply = await this.sent(requestOf(path, JSON.stringify(body)))
      const [head, text] = reply.split('\r\n\r\n') as [string, string]
      const seq = Number(/openperp-seq: (\d+)/i.exec(head)?.[1] ?? 0)
      this.leading.answered(seq)
      if (!head.startsWith('HTTP/1.1 200')) {
        this.refused += 1
        this.refusal ||= text
      } else if (path === '/orders/create') {
        const { order_id } = JSON.parse(text).data as { order_id: number }
        this.leading.accepted(order_id, clientId ?? '')
      }
    }
    this.socket?.destroy()
  }

  stop(): void {
    this.stopped = true
  }

  private async sent(request: string): Promise<string> {
    for (;;) {
      try {
        const socket = this.socket ?? (await this.open())
        socket.write(request)
        return await this.reply(socket)
      } catch {
        // The leader has failed: the next one gets the request.
        this.socket?.destroy()
        this.socket = null
        await wait(againMs)
      }
    }
  }

  private async open(): Promise<Socket> {
    const port = this.leading.port()
    if (port === null) throw new Error('no node leads')
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    socket.setTimeout(replyMsMax, () => socket.destroy())
    // It is followed by the close.
    socket.on('error', () => undefined)
    this.rest = Buffer.alloc(0)
    await once(socket, 'connect')
    this.socket = socket
    return socket
  }

  private reply(socket: Socket): Promise<string> {
    return new Promise((resolve, reject) => {
      const read = (bytes: Buffer) => {
        this.rest = this.rest.length === 0 ? bytes : Buffer.concat([this.rest, bytes])
        const end = replyEnd(this.rest)
        if (end < 0 || end > this.rest.length) return
        socket.off('data', read)
        socket.off('close', gone)
        const text = this.rest.toString('utf8', 0, end)
        this.rest = this.rest.subarray(end)
        resolve(text)
      }
      const gone = () => reject(new Error('no answer'))
      socket.on('data', read)
      socket.once('close', gone)
    })
  }
}

function requestOf(path: string, text: string): string {
  const head = `POST /api/v1${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n`
  return `${head}content-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`
}
