// A client with an account that sends a node one request: an order that rests, to see from when on
// one is accepted; or, while the node is stopped, requests that it must never answer.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { signedBody } from '../../../../src/client/signed-body.ts'
import { HeldSocket, until } from '../../../support/http/held-sockets.ts'
import { Connection, dataOf } from '../../../support/running/connection.ts'
import { StreamClient } from '../../../support/streams/stream-client.ts'
import type { Random } from '../../differential/random.ts'
import { drawnKey } from '../action.ts'

const againMs = 5
/** A node that is loaded takes its time until it leads. */
const acceptedMsMax = 180_000
/** The longest that the exchange takes. */
const expiryWindow = 600_000

type Signed = Readonly<{ clientId: string; text: string }>

export class Outsider {
  private readonly key
  private price = ''
  private lastMs = 0

  constructor(random: Random) {
    this.key = drawnKey(random)
  }

  async open(api: Connection): Promise<void> {
    const account = this.key.address
    dataOf(await api.post('/api/v1/sandbox/faucet', { account, amount: '1000000' }))
    const prices = dataOf<{ symbol: string; mark: string }[]>(await api.get('/api/v1/info/prices'))
    const { mark } = prices.find(({ symbol }) => symbol === 'BTC')!
    this.price = String(Math.round(Number(mark) * 0.9))
  }

  /** Resolves with the moment at which the leader accepted an order. */
  async accepted(port: () => number | null): Promise<number> {
    const deadline = performance.now() + acceptedMsMax
    for (let said = 'nothing'; ; ) {
      const at = port()
      if (at !== null) {
        const api = new Connection(at)
        try {
          dataOf(await api.post('/api/v1/orders/create', (await this.order()).text))
          const moment = performance.now()
          dataOf(await api.post('/api/v1/orders/cancel_all', await this.cancelAll()))
          return moment
        } catch (error) {
          said = String(error)
        } finally {
          api.close()
        }
      }
      if (performance.now() > deadline) {
        const now = at === null ? 'no node leads' : 'a node leads'
        throw new Error(`no order is accepted: ${now}, and the last answer was ${said}`)
      }
      await wait(againMs)
    }
  }

  /** Asks a node for a read, an order and a word on a stream. */
  async ask(port: number, stop: () => void | Promise<void>): Promise<Unanswered> {
    const [reads, orders] = [await HeldSocket.open(port), await HeldSocket.open(port)]
    assert.match(await reads.get('/api/v1/info'), /200 OK/)
    const streams = await StreamClient.open(`ws://127.0.0.1:${port}/ws`)
    const order = await this.order()
    await stop()
    reads.said = ''
    reads.socket.write('GET /api/v1/info HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n')
    const { length } = order.text
    const head = `content-type: application/json\r\ncontent-length: ${length}\r\n`
    orders.socket.write(
      `POST /api/v1/orders/create HTTP/1.1\r\nhost: 127.0.0.1\r\n${head}\r\n${order.text}`,
    )
    streams.frames.length = 0
    streams.send({ method: 'ping' })
    return { order, reads, orders, streams }
  }

  /** All of it is closed, and nothing was said. */
  async requireSilence({ reads, orders, streams }: Unanswered): Promise<void> {
    await until(() => reads.closed && orders.closed && streams.closed !== null)
    assert.deepEqual([reads.said, orders.said, streams.frames], ['', '', []])
  }

  /** Reads may have been answered, as long as the lease lasted. */
  async requireNoOrder({ reads, orders, streams }: Unanswered): Promise<void> {
    await until(() => reads.closed && orders.closed && streams.closed !== null)
    assert.equal(orders.said, '')
  }

  /** It was never accepted, according to the present leader. */
  async requireUnknown({ order }: Unanswered, api: Connection): Promise<void> {
    const account = this.key.address
    const reply = await api.get(`/api/v1/orders/history?account=${account}&limit=100`)
    const rows = dataOf<readonly { client_order_id: string | null }[]>(reply)
    assert.ok(rows.every(({ client_order_id }) => client_order_id !== order.clientId))
  }

  private async order(): Promise<Signed> {
    const clientId = randomUUID()
    const standard = { symbol: 'BTC', amount: '0.001', tif: 'ALO', reduce_only: false, side: 'bid' }
    const fields = { ...standard, price: this.price, client_order_id: clientId }
    return { clientId, text: await this.sign('create_order', fields) }
  }

  private cancelAll(): Promise<string> {
    return this.sign('cancel_all_orders', { all_symbols: true, exclude_reduce_only: false })
  }

  private async sign(type: 'create_order' | 'cancel_all_orders', fields: object): Promise<string> {
    this.lastMs = Math.max(this.lastMs + 1, Date.now())
    const signing = { type, timestamp: this.lastMs, expiryWindow }
    return JSON.stringify(await signedBody(this.key, fields as Record<string, unknown>, signing))
  }
}

export type Unanswered = Readonly<{
  order: Signed
  reads: HeldSocket
  orders: HeldSocket
  streams: StreamClient
}>
