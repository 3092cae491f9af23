// A client that means well: it has orders in the book and cancels one now and then, each time on
// the connection that it keeps. What it waits for is measured.

import { Agent, request } from 'node:http'
import { newKey } from '../../../src/client/key.ts'
import { signedBody } from '../../../src/client/signed-body.ts'

export type Wait = Readonly<{ ms: number; answered: boolean }>

/** A cancel without an answer by then is lost. */
const answerMsMax = 60_000
const order = { symbol: 'BTC', side: 'bid', amount: '0.001', tif: 'ALO', reduce_only: false }

export class HonestClient {
  readonly key = newKey()
  readonly waits: Wait[] = []
  private readonly port: number
  private readonly agent: Agent
  private readonly options: Readonly<{ host: string; localAddress: string }>
  private readonly placed: string[] = []
  private stopped = false
  private texts = 0

  constructor(port: number, localAddress: string) {
    this.port = port
    this.agent = new Agent({ keepAlive: true, maxSockets: 1 })
    this.options = { host: '127.0.0.1', localAddress }
  }

  /** The number of orders that rest in the book. */
  async prepare(orders: number): Promise<void> {
    await this.post('/sandbox/faucet', { account: this.key.address, amount: '1000000' })
    for (let n = 0; n < orders; n++) {
      const client_order_id = crypto.randomUUID()
      const price = `${50_000 + n * 10}`
      const { status, text } = await this.signed('/orders/create', 'create_order', {
        ...order,
        price,
        client_order_id,
      })
      if (status !== 200) throw new Error(`an order before the flood: ${status} ${text}`)
      this.placed.push(client_order_id)
    }
  }

  /** Cancels one every so often until it is stopped or none is left. */
  async run(everyMs: number): Promise<void> {
    while (!this.stopped && this.placed.length > 0) {
      const next = performance.now() + everyMs
      this.waits.push(await this.cancel())
      await new Promise((later) => setTimeout(later, Math.max(0, next - performance.now())))
    }
  }

  async cancel(): Promise<Wait> {
    const client_order_id = this.placed.shift()
    const fields = { symbol: 'BTC', client_order_id }
    const startedAt = performance.now()
    const reply = await this.signed('/orders/cancel', 'cancel_order', fields).catch(() => null)
    return { ms: performance.now() - startedAt, answered: reply?.status === 200 }
  }

  stop(): void {
    this.stopped = true
  }

  end(): void {
    this.stop()
    this.agent.destroy()
  }

  private async signed(path: string, type: 'create_order' | 'cancel_order', fields: object) {
    this.texts += 1
    const options = { type, timestamp: Date.now() - (this.texts % 1_000), expiryWindow: 60_000 }
    return this.post(path, await signedBody(this.key, { ...fields }, options))
  }

  private post(path: string, body: unknown): Promise<{ status: number; text: string }> {
    const { port, agent } = this
    const headers = { 'content-type': 'application/json' }
    return new Promise((resolve, reject) => {
      const options = { ...this.options, port, agent, headers, method: 'POST' }
      const sent = request({ ...options, path: `/api/v1${path}` }, (reply) => {
        let text = ''
        reply.setEncoding('utf8').on('data', (piece: string) => {
          text += piece
        })
        reply.on('end', () => resolve({ status: reply.statusCode!, text }))
      })
      sent.setTimeout(answerMsMax, () => sent.destroy(new Error('no reply')))
      sent.on('error', reject)
      sent.end(JSON.stringify(body))
    })
  }
}
