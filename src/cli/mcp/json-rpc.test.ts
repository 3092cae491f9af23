// Messages as a client may send them: whole, in parts, malformed, too long, too many, cancelled.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { JsonRpc, messageBytesMax, RpcError, rpcCodes } from './json-rpc.ts'

type Reply = Readonly<{ id: unknown; result?: unknown; error?: { code: number; message: string } }>

/** Replies to this input, in the order in which they were written. */
async function repliesTo(chunks: readonly (string | Uint8Array)[]): Promise<readonly Reply[]> {
  const written: Reply[] = []
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const methods = {
    echo: (params: object) => params,
    refuse: () => {
      throw new RpcError('invalidParams', 'refused')
    },
    wait: async (_: object, signal: AbortSignal) => {
      await Promise.race([released, once(signal, 'abort')])
      return 'waited'
    },
    release: () => release(),
  }
  const rpc = new JsonRpc(methods, (line) => written.push(JSON.parse(line)))
  await rpc.serve(
    (async function* () {
      for (const chunk of chunks) {
        await new Promise(setImmediate)
        yield Buffer.from(chunk)
      }
    })(),
  )
  return written
}

const message = (id: unknown, method: string, params: unknown = {}) =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`
const codesOf = (replies: readonly Reply[]) =>
  replies.map(({ id, error }) => [id, error?.code ?? null])

test('messages arrive in any parts, and the last one needs no line end', async () => {
  const text = message('a', 'echo', { word: 'ü' }) + message(2, 'echo').trimEnd()
  const bytes = [...Buffer.from(text)].map((byte) => Uint8Array.of(byte))
  const expected = [
    { jsonrpc: '2.0', id: 'a', result: { word: 'ü' } },
    { jsonrpc: '2.0', id: 2, result: {} },
  ]
  assert.deepEqual(await repliesTo([text]), expected)
  assert.deepEqual(await repliesTo(bytes), expected)
})

test('an invalid message gets an error, and the next one its reply', async () => {
  const { parseError, invalidRequest, methodNotFound, invalidParams } = rpcCodes
  for (const [input, id, code] of [
    ['{"jsonrpc":\n', null, parseError],
    [Uint8Array.of(0x22, 0xff, 0x22, 10), null, parseError],
    ['"text"\n', null, invalidRequest],
    ['[]\n', null, invalidRequest],
    ['{"jsonrpc":"1.0","id":1,"method":"echo"}\n', null, invalidRequest],
    ['{"jsonrpc":"2.0","id":null,"method":"echo"}\n', null, invalidRequest],
    ['{"jsonrpc":"2.0","id":1.5,"method":"echo"}\n', null, invalidRequest],
    ['{"jsonrpc":"2.0","id":1,"method":7}\n', null, invalidRequest],
    [message(1, 'none'), 1, methodNotFound],
    [message(1, 'toString'), 1, methodNotFound],
    [message(1, 'echo', ['positional']), 1, invalidParams],
    [message(1, 'refuse'), 1, invalidParams],
    [`${'x'.repeat(messageBytesMax + 1)}\n`, null, invalidRequest],
  ] as const)
    assert.deepEqual(codesOf(await repliesTo([input, message('next', 'echo')])), [
      [id, code],
      ['next', null],
    ])
})

test('a message that is too long is not kept, however it arrives', async () => {
  const part = 'x'.repeat(100_000)
  const replies = await repliesTo([...Array(50).fill(part), '\n', message(1, 'echo')])
  assert.deepEqual(codesOf(replies), [
    [null, rpcCodes.invalidRequest],
    [1, null],
  ])
})

test('notifications, replies and empty lines get no reply', async () => {
  const note = '{"jsonrpc":"2.0","method":"notifications/initialized"}\n'
  const cancel = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9}}\n'
  const reply = '{"jsonrpc":"2.0","id":1,"result":{}}\n'
  assert.deepEqual(await repliesTo([note, cancel, reply, '\n', '  \r\n']), [])
})

test('a list of messages gets a list of replies', async () => {
  const two = [message(1, 'echo'), message(2, 'none')].map((line) => line.trim())
  const [list] = await repliesTo([`[${two.join(',')},{"jsonrpc":"2.0","method":"note"}]\n`])
  assert.deepEqual(codesOf(list as unknown as readonly Reply[]), [
    [1, null],
    [2, rpcCodes.methodNotFound],
  ])
})

test('a cancelled request gets no reply, and one in progress is waited for', async () => {
  const cancel = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}\n'
  const input = [message(1, 'wait'), message(2, 'wait'), cancel, message(3, 'release')]
  const replies = await repliesTo(input)
  assert.deepEqual(replies.map(({ id }) => id).toSorted(), [2, 3])
})

test('requests beyond the limit, and an id in use, are refused', async () => {
  const waiting = Array.from({ length: 16 }, (_, at) => message(at, 'wait'))
  const cancel = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":0}}\n'
  const input = [
    ...waiting,
    message(3, 'echo'),
    message(16, 'echo'),
    cancel,
    message(17, 'release'),
  ]
  const replies = await repliesTo(input)
  assert.deepEqual(codesOf(replies.slice(0, 3)), [
    [3, rpcCodes.invalidRequest],
    [16, rpcCodes.busy],
    [17, null],
  ])
  const waited = replies.slice(3).map(({ id }) => id as number)
  assert.deepEqual(
    waited.toSorted((a, b) => a - b),
    waiting.map((_, at) => at).slice(1),
  )
})
