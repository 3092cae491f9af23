// A client that sends POSTs and does not read the replies is not served further: its queue stays
// small, nothing is lost, and other clients are not affected.
import assert from 'node:assert/strict'
import { subscribe } from 'node:diagnostics_channel'
import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { until } from '../support/http/held-sockets.ts'
import { LiveExchange } from '../support/streams/live-exchange.ts'

let exchange: LiveExchange
/** Replies that have not left. */
const open = new Set<ServerResponse>()
subscribe('http.server.request.start', (message) => {
  const { response } = message as { response: ServerResponse }
  open.add(response)
  response.once('close', () => open.delete(response))
})

before(async () => {
  exchange = await LiveExchange.start()
})
after(() => exchange.close())

/** A refusal that repeats much of the request: small requests, large replies. */
const body = JSON.stringify({ symbol: 'BTC', price: '1', amount: '1', side: 'bid' })
const head = 'POST /api/v1/orders/create HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n'
const request = Buffer.from(`${head}content-length: ${body.length}\r\n\r\n${body}`)
const replies = 20_000

test('a client sending POSTs without reading is paused, and gets all replies later', async () => {
  const served = async () => {
    const text = await (await fetch(`${exchange.url}/metrics`)).text()
    const counted = /^openperp_request_seconds_count\{operation="create_order",.*\} (\d+)/m.exec(
      text,
    )
    return Number(counted?.[1] ?? 0)
  }
  const socket = connect({ port: exchange.running.port, host: '127.0.0.1' })
  socket.on('error', () => undefined)
  socket.pause()
  for (let n = 0; n < replies; n++) socket.write(request)
  // It goes on until the buffers between the two are full, and no further.
  let last = -1
  await until(async () => {
    const now = await served()
    const stands = now > 0 && now === last
    last = now
    await new Promise((later) => setTimeout(later, 500))
    return stands
  })
  assert.ok(last < replies, `${last} of ${replies} were served without a reader`)
  const { underWay, waiting } = exchange.intake.load
  assert.ok(underWay === 0, `${underWay} under way`)
  assert.ok(waiting <= 4_096, `${waiting} wait`)
  // Node:http by itself would answer all of what came in one piece.
  const written = [...open].filter(({ writableEnded }) => writableEnded).length
  assert.ok(written <= 1, `${written} replies wait for their reader`)

  let text = ''
  let count = 0
  socket.on('data', (bytes) => {
    text += bytes.toString('latin1')
    const parts = text.split('HTTP/1.1 ')
    text = parts.pop()!
    count += parts.length
  })
  socket.resume()
  await until(() => count >= replies - 1)
  socket.destroy()
})
