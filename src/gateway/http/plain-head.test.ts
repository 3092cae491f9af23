import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PlainHeads } from './plain-head.ts'

const heads = new PlainHeads()
const usual = ['Host: 127.0.0.1', 'content-type: application/json', 'Content-Length: 2']

function bytesOf(headers: readonly string[], start = 'POST /orders HTTP/1.1', body = '{}'): Buffer {
  return Buffer.from(`${[start, ...headers].join('\r\n')}\r\n\r\n${body}`, 'latin1')
}

test('a plain POST is read: its path, its headers in lower case, where its body begins', () => {
  const bytes = bytesOf([...usual, 'Connection: Keep-Alive', 'X-Two:a b', '__proto__: x'])
  const post = heads.postIn(bytes)!
  assert.equal(post.path, '/orders')
  assert.equal(bytes.toString('latin1', post.bodyAt), '{}')
  assert.deepEqual(Object.entries(post.headers), [
    ['host', '127.0.0.1'],
    ['content-type', 'application/json'],
    ['content-length', '2'],
    ['connection', 'Keep-Alive'],
    ['x-two', 'a b'],
    ['__proto__', 'x'],
  ])
})

const without = (name: string) => usual.filter((line) => !line.toLowerCase().startsWith(name))
const many = Array.from({ length: 40 }, (_, n) => `x-${n}: 1`)

const notPlain: Readonly<Record<string, Buffer>> = {
  nothing: Buffer.alloc(0),
  'a GET': bytesOf(usual, 'GET /orders HTTP/1.1'),
  'a method in small letters': bytesOf(usual, 'post /orders HTTP/1.1'),
  'another version': bytesOf(usual, 'POST /orders HTTP/1.0'),
  'no end of the head': Buffer.from('POST /orders HTTP/1.1\r\nhost: a\r\n'),
  'a bare line feed': bytesOf([...usual, 'a: b\nc: d']),
  'a bare return': bytesOf([...usual, 'a: b\rc: d']),
  'a zero': bytesOf([...usual, 'a: b\0c']),
  'a folded line': bytesOf([...usual, 'a: b', ' c']),
  'a space before the colon': bytesOf([...usual, 'a : b']),
  'a space before the name': bytesOf([...usual, ' a: b']),
  'no colon': bytesOf([...usual, 'a']),
  'a tab': bytesOf([...usual, 'a:\tb']),
  'no value': bytesOf([...usual, 'a:']),
  'a value outside ASCII': bytesOf([...usual, 'a: \xe9']),
  'a name twice': bytesOf([...usual, 'a: 1', 'A: 1']),
  'two lengths': bytesOf([...usual, 'content-length: 2']),
  'no length': bytesOf(without('content-length')),
  'a length with a sign': bytesOf([...without('content-length'), 'content-length: +2']),
  'a length with a zero before it': bytesOf([...without('content-length'), 'content-length: 02']),
  'two lengths in one': bytesOf([...without('content-length'), 'content-length: 2, 2']),
  'a body that is longer': bytesOf(usual, undefined, '{} '),
  'a body that is shorter': bytesOf(usual, undefined, '{'),
  'no body': bytesOf([...without('content-length'), 'content-length: 0'], undefined, ''),
  'no host': bytesOf(without('host')),
  'another type': bytesOf([...without('content-type'), 'content-type: text/plain']),
  'chunks too': bytesOf([...usual, 'Transfer-Encoding: chunked']),
  'an expectation': bytesOf([...usual, 'expect: 100-continue']),
  'an upgrade': bytesOf([...usual, 'connection: upgrade', 'upgrade: websocket']),
  'a last request': bytesOf([...usual, 'connection: close']),
  'a last request of a proxy': bytesOf([...usual, 'proxy-connection: close']),
  'too many headers': bytesOf([...usual, ...many]),
  'a long head': bytesOf([...usual, `a: ${'b'.repeat(4_096)}`]),
}

for (const [what, bytes] of Object.entries(notPlain))
  test(`${what}: not plain`, () => assert.equal(heads.postIn(bytes), null))

test('a head that was seen before is read alike, and its body is still measured', () => {
  const again = new PlainHeads()
  const first = again.postIn(bytesOf(usual))
  assert.deepEqual(again.postIn(bytesOf(usual, undefined, '[]')), first)
  assert.equal(again.postIn(bytesOf(usual, undefined, '[1]')), null)
  assert.equal(again.size, 1)
})

test('no more heads are remembered than may be, and none that is not plain', () => {
  const few = new PlainHeads(3)
  for (let n = 0; n < 10; n++) {
    assert.equal(few.postIn(bytesOf([...usual, `x: ${n}`]))!.headers.x, `${n}`)
    assert.ok(few.size <= 3)
  }
  const none = new PlainHeads()
  for (const bytes of Object.values(notPlain)) none.postIn(bytes)
  assert.ok(none.size <= 2, 'but for the two whose bodies are of another length')
})
