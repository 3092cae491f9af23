// A server that does nothing but HTTP: reads the body of a POST and replies with as many bytes as
// the exchange does to an order. The upper limit of any server built on node:http.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const reply = JSON.stringify({
  success: true,
  data: {
    order_id: 123_456,
    client_order_id: '00000000-0000-4000-8000-000000000000',
    order_status: 'open',
  },
  error: null,
  code: null,
})
const head = { 'content-type': 'application/json; charset=utf-8', 'content-length': reply.length }

const server = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8')
  request.on('data', (text: string) => {
    body += text
  })
  request.on('end', () => {
    response.writeHead(body === '' ? 400 : 200, head)
    response.end(reply)
  })
})
server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port))
process.on('disconnect', () => process.exit())
