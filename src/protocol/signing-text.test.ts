import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  hardwareMessage,
  signingText,
  subaccountConfirmText,
  subaccountInitiateText,
  UnsignableError,
} from './signing-text.ts'
import { agentIsPayload, signingTypes } from './signing-types.ts'

const ascii = fc.string({ unit: 'binary-ascii', maxLength: 8 })
const integer = fc.maxSafeInteger().map((n) => n + 0)
const values = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    ascii,
    integer,
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(ascii, tie('value'), { maxKeys: 4 }),
  ),
})).value
const headerKeys = [
  ...['account', 'user', 'signature', 'timestamp', 'expiry_window', 'venue', 'agent_wallet'],
]
const bodies = fc
  .tuple(
    fc.dictionary(ascii, values, { maxKeys: 5 }),
    fc.record(
      {
        account: ascii,
        user: ascii,
        signature: values,
        timestamp: fc.option(integer),
        expiry_window: fc.option(integer),
        venue: fc.option(ascii),
        agent_wallet: fc.option(ascii),
        symbol: ascii,
      },
      { requiredKeys: [] },
    ),
  )
  .map(([some, header]): Record<string, unknown> => ({ ...some, ...header }))

/** JSON.stringify writes the fields of an array of keys in the array's order, at every depth; all
 *  keys of a value, sorted, thus give sorted JSON. It skips none and escapes as JSON demands. */
function sortedJson(value: unknown): string {
  const keys = new Set<string>()
  JSON.stringify(value, (key, inner) => {
    keys.add(key)
    return inner
  })
  return JSON.stringify(value, [...keys].sort())
}

test('the text is the sorted JSON of data, expiry_window, timestamp, type and venue', () => {
  fc.assert(
    fc.property(fc.constantFrom(...signingTypes), bodies, (type, body) => {
      const data = structuredClone(body)
      const { timestamp, expiry_window, venue } = body
      for (const key of headerKeys) {
        if (key !== 'agent_wallet' || !agentIsPayload.has(type)) delete data[key]
      }
      const outer: Record<string, unknown> = { data, type }
      if (timestamp !== null) outer.timestamp = timestamp
      if (expiry_window !== null) outer.expiry_window = expiry_window
      if (venue !== null) outer.venue = venue
      assert.equal(signingText(type, body), sortedJson(outer))
    }),
    { numRuns: 1_000 },
  )
})

test('the order of fields and undefined ones make no difference', () => {
  const body = { a: 1, symbol: 'BTC', b: { y: 1, x: 2 }, timestamp: 5 }
  const other = { timestamp: 5, b: { x: 2, y: 1 }, c: undefined, symbol: 'BTC', a: 1 }
  assert.equal(signingText('cancel_order', body), signingText('cancel_order', other))
})

test('a request the exchange would refuse cannot be signed', () => {
  const deep = (levels: number): unknown => (levels === 0 ? 1 : { a: deep(levels - 1) })
  assert.ok(signingText('create_order', deep(16) as { a: unknown }))
  const cases = [{ a: 1.5 }, { a: -0 }, { a: 2 ** 53 }, { a: Number.NaN }, { a: '\u00e9' }]
  const more = [{ '\u00e9': 1 }, { a: 1n }, { a: () => 1 }, { a: [undefined] }, deep(17)]
  for (const body of [...cases, ...more]) {
    assert.throws(() => signingText('create_order', body as { a: unknown }), UnsignableError)
  }
})

test('a subaccount signs whose it becomes, the main account signs that signature', () => {
  const header = { timestamp: 5, expiry_window: 6 }
  assert.equal(
    subaccountInitiateText('Main', header),
    '{"data":{"account":"Main"},"expiry_window":6,"timestamp":5,"type":"subaccount_initiate"}',
  )
  assert.equal(
    subaccountInitiateText('Main', { venue: 'Id', timestamp: 5 }),
    '{"data":{"account":"Main"},"timestamp":5,"type":"subaccount_initiate","venue":"Id"}',
  )
  assert.equal(
    subaccountConfirmText('Sig', { timestamp: 5, venue: 'Id' }),
    '{"data":{"signature":"Sig"},"timestamp":5,"type":"subaccount_confirm","venue":"Id"}',
  )
  assert.equal(
    subaccountConfirmText('Sig', { timestamp: 5 }),
    '{"data":{"signature":"Sig"},"timestamp":5,"type":"subaccount_confirm"}',
  )
  assert.equal(
    subaccountConfirmText({ value: 'Sig', type: 'hardware' }, { timestamp: 5 }),
    '{"data":{"signature":{"type":"hardware","value":"Sig"}},"timestamp":5,' +
      '"type":"subaccount_confirm"}',
  )
})

test('the hardware form has a head of 20 bytes', () => {
  const text = 'x'.repeat(0x123)
  const expected = Buffer.concat([
    Buffer.from('ff736f6c616e61206f6666636861696e', 'hex'),
    Buffer.from([0, 0, 0x23, 0x01]),
    Buffer.from(text),
  ])
  assert.deepEqual(Buffer.from(hardwareMessage(text)), expected)
  assert.equal(hardwareMessage('x'.repeat(0xffff)).length, 0xffff + 20)
  assert.throws(() => hardwareMessage('x'.repeat(0x10000)), UnsignableError)
})
