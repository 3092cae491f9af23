// Connections whose requests come whole are answered on the bare socket, all others by node:http.
// The same bytes in one piece and in two take different ways, and must get the same answer.

import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { frozenSandbox } from '../support/http/live-exchange.ts'

const live = await frozenSandbox()
after(() => live.close())

/** A client that speaks bytes. */
class Talk {
  readonly socket: Socket
  readonly closed: Promise<void>
  private text = ''
  private ended = false
  private wake = () => {}

  constructor(port = live.running.port) {
    this.socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true })
    this.socket.setEncoding('latin1').on('data', (piece: string) => {
      this.text += piece
      this.wake()
    })
    this.closed = new Promise((resolve) => {
      this.socket.on('error', () => undefined)
      this.socket.on('end', () => {
        this.ended = true
        this.wake()
        this.socket.end()
        resolve()
      })
    })
  }

  send(bytes: string): void {
    this.socket.write(bytes, 'latin1')
  }

  /** The next whole reply; what there is when the server ends before it is whole. */
  async reply(): Promise<string> {
    for (;;) {
      const end = replyEnd(this.text)
      if (end !== null || this.ended) {
        const reply = this.text.slice(0, end ?? undefined)
        this.text = this.text.slice(reply.length)
        return reply
      }
      await new Promise<void>((resolve) => {
        this.wake = resolve
      })
    }
  }
}

function replyEnd(text: string): number | null {
  const head = text.indexOf('\r\n\r\n')
  if (head < 0) return null
  const length = /^content-length: (\d+)/im.exec(text.slice(0, head))?.[1] ?? '0'
  const end = head + 4 + Number.parseInt(length, 10)
  return text.length >= end ? end : null
}

/** But for what differs from one request to the next. */
const comparable = (reply: string) =>
  reply.replace(/x-request-id: \S+/, 'x-request-id').replace(/^Date: .*$/m, 'Date')

const usual = ['host: 127.0.0.1', 'content-type: application/json']

function postOf(what: string, headers: readonly string[] = [], body = '{}'): string {
  const start = `POST /api/v1/orders/${what} HTTP/1.1`
  return [start, ...usual, `content-length: ${body.length}`, ...headers, '', body].join('\r\n')
}

const read = 'GET /api/v1/time HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n'
const whole = postOf('cancel')

const messages: Readonly<Record<string, string>> = {
  'a plain POST': whole,
  'a POST that says that it stays': postOf('cancel', ['connection: keep-alive']),
  'a POST that says that it goes': postOf('cancel', ['connection: close']),
  'a read': read,
  'no route': postOf('nowhere'),
  'no JSON': postOf('cancel', [], '{'),
  'an unknown key': postOf('cancel', ['pf-api-key: none']),
  'another version': whole.replace('HTTP/1.1', 'HTTP/1.0'),
  'no host': whole.replace('host: 127.0.0.1\r\n', ''),
  'another type': whole.replace('application/json', 'text/plain'),
  'two lengths': postOf('cancel', ['content-length: 2']),
  'a length and chunks': postOf('cancel', ['transfer-encoding: chunked']),
  'an expectation that nobody meets': postOf('cancel', ['expect: the unexpected']),
  'a folded header': postOf('cancel', ['a: b', ' c']),
  'a space before a colon': postOf('cancel', ['a : b']),
  'a bare line feed': postOf('cancel', ['a: b\nc: d']),
  'a character outside ASCII': postOf('cancel', ['a: \xe9']),
  'a control character': postOf('cancel', ['a: \x01']),
  'a header without a value': postOf('cancel', ['a:']),
  'a head that is too long': postOf('cancel', [`a: ${'b'.repeat(20_000)}`]),
  'a body that is too long': postOf('cancel', [], ' '.repeat(65_537)),
  'no HTTP at all': 'Please!\r\n\r\n',
}

test('bytes in one piece and in two are answered alike', async () => {
  for (const [what, bytes] of Object.entries(messages)) {
    const one = new Talk()
    one.send(bytes)
    const two = new Talk()
    two.send(bytes.slice(0, 7))
    await sleep(10)
    two.send(bytes.slice(7))
    const [answer, other] = await Promise.all([one.reply(), two.reply()])
    const timeless = (reply: string) => comparable(reply).replace(/\d{13}/g, 'time')
    assert.equal(timeless(answer), timeless(other), what)
    assert.match(answer, /^HTTP\/1\.1 \d{3} /, what)
    for (const { socket } of [one, two]) socket.destroy()
  }
})

test('a connection goes from POSTs to anything else and back', async () => {
  const talk = new Talk()
  const asked = [whole, postOf('create'), read, whole, read, postOf('create')]
  const replies: string[] = []
  for (const bytes of asked) {
    talk.send(bytes)
    replies.push(await talk.reply())
  }
  const statuses = replies.map((reply) => reply.slice(9, 12)).join(' ')
  assert.equal(statuses, '400 400 200 400 200 400')
  assert.equal(comparable(replies[0]!), comparable(replies[3]!))
  assert.equal(comparable(replies[1]!), comparable(replies[5]!))
  talk.socket.destroy()
})

test('requests that do not wait for replies are answered in their order', async () => {
  const alone = async (bytes: string) => {
    const talk = new Talk()
    talk.send(bytes)
    const reply = await talk.reply()
    talk.socket.destroy()
    return comparable(reply)
  }
  const [cancel, create] = [await alone(whole), await alone(postOf('create'))]
  const key = await live.trader()
  const fields = { symbol: 'BTC', order_id: 1 }
  const body = await live.api.body(key, '/orders/cancel', fields)
  const slow = postOf('cancel', [], JSON.stringify(body))
  const asked = [slow, whole, postOf('create'), whole]
  // Whether the second comes with the first, while its signature is checked, or after its reply, is
  // a matter of luck: ten tries see all of it.
  for (let tries = 0; tries < 10; tries++) {
    const talk = new Talk()
    talk.send(whole)
    await talk.reply()
    if (tries === 0) talk.send(asked.join(''))
    else
      for (const bytes of asked) {
        talk.send(bytes)
        for (let turns = 0; turns < tries; turns++) await nextTurn()
      }
    await talk.reply()
    const replies = [await talk.reply(), await talk.reply(), await talk.reply()]
    assert.deepEqual(replies.map(comparable), [cancel, create, cancel])
    talk.socket.destroy()
  }
})

test('who ends after a request is answered and ended', async () => {
  const talk = new Talk()
  talk.send(whole)
  await talk.reply()
  talk.socket.end()
  await talk.closed
})

test('an exchange that closes ends the connections that wait', async () => {
  const other = await frozenSandbox()
  const silent = new Talk(other.running.port)
  const used = new Talk(other.running.port)
  used.send(whole)
  await used.reply()
  await other.close()
  await Promise.all([silent.closed, used.closed])
})
