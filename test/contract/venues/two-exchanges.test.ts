// One key at two exchanges. A text that names its venue has an effect there only; a text without a
// venue is accepted by both, unless they require one.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Client } from '../../../src/client/client.ts'
import { VenueMismatch } from '../../../src/client/errors.ts'
import { type Key, newKey } from '../../../src/client/key.ts'
import { signedBody } from '../../../src/client/signed-body.ts'
import type { VenuePin } from '../../../src/client/venues/venue-guard.ts'
import { signedReadHeader, writeSignedRead } from '../../../src/protocol/auth/signed-read.ts'
import type { SigningType } from '../../../src/protocol/signing-types.ts'
import { dataOf, freshTimestamp, type Row, refused } from '../../support/http/api-client.ts'
import { frozenSandbox, type Live } from '../../support/http/live-exchange.ts'
import { subaccountBody } from '../../support/http/subaccount-body.ts'
import { StreamClient } from '../../support/streams/stream-client.ts'

const here = await frozenSandbox(['--reads', 'owner'])
const there = await frozenSandbox(['--reads', 'owner'])
const strict = await frozenSandbox(['--require-venue', 'on'])
after(() => Promise.all([here.close(), there.close(), strict.close()]))

const venueOf = async ({ api }: Live) => dataOf<VenuePin & Row>(await api.get('/info/venue'))

async function funded(...exchanges: readonly Live[]): Promise<Key> {
  const key = newKey()
  for (const each of exchanges)
    dataOf(await each.sandbox('faucet', { account: key.address, amount: '1000' }))
  return key
}

async function bodyFor(live: Live | null, key: Key, type: SigningType, fields: Row = {}) {
  const venue = live === null ? undefined : (await venueOf(live)).venue
  return signedBody(key, fields, { type, timestamp: freshTimestamp(), venue })
}

const other = { status: 400, says: /^OTHER_VENUE: the text was signed for another exchange; this/ }
const missing = { status: 400, says: /^VENUE_REQUIRED: .* add "venue":"[0-9a-f]{32}" / }

test('every exchange has its own id, and reports whether it is a sandbox', async () => {
  const [one, two, three] = await Promise.all([here, there, strict].map(venueOf))
  assert.equal(new Set([one!.venue, two!.venue, three!.venue]).size, 3)
  assert.deepEqual([one!.sandbox, one!.required, three!.required], [true, false, true])
})

test('a withdrawal signed for one exchange is rejected by another', async () => {
  const key = await funded(here, there)
  const body = await new Client({ url: here.url, signer: key }).body('withdraw', { amount: '400' })
  refused(await there.api.post('/account/withdraw', body), other)
  dataOf(await here.api.post('/account/withdraw', body))
})

test('an agent bound at one exchange cannot be bound at another by the same text', async () => {
  const key = await funded(here, there)
  const client = new Client({ url: here.url, signer: key })
  const body = await client.body('bind_agent_wallet', { agent_wallet: newKey().address })
  refused(await there.api.post('/agent/bind', body), other)
  dataOf(await here.api.post('/agent/bind', body))
})

test('a subaccount and a batch of either kind belong to one exchange', async () => {
  const key = await funded(here, there)
  const client = new Client({ url: here.url, signer: key })
  const subaccount = await client.body('create_subaccount', { subaccount: newKey() })
  const all = { all_symbols: true, exclude_reduce_only: false }
  const actions = [{ type: 'CancelAll', data: all } as const]
  const each = await client.body('batch_orders', { actions })
  const whole = await client.body('batch_orders', { actions, together: true })
  for (const [path, body] of [
    ['/account/subaccount/create', subaccount],
    ['/orders/batch', each],
    ['/orders/batch', whole],
  ] as const) {
    refused(await there.api.post(path, body), other)
    dataOf(await here.api.post(path, body))
  }
})

test('a venue that no signature covers is malformed', async () => {
  const key = await funded(here)
  const { venue } = await venueOf(here)
  const all = { all_symbols: true, exclude_reduce_only: false }
  const data = await bodyFor(here, key, 'cancel_all_orders', all)
  const outside = { venue, actions: [{ type: 'CancelAll', data }] }
  const says = /^MALFORMED_REQUEST: venue goes into the data of every action/
  refused(await here.api.post('/orders/batch', outside), { status: 400, says })
  const inside = [{ type: 'CancelAll', data: { ...all, venue } }]
  const whole = await bodyFor(here, key, 'batch_orders', { actions: inside })
  const names = /^MALFORMED_REQUEST: actions\[0\]\.data\.venue is not a field of this request/
  refused(await here.api.post('/orders/batch', whole), { status: 400, says: names })
})

test('a signed read for one exchange shows nothing at another', async () => {
  const key = await funded(here, there)
  const read = await bodyFor(here, key, 'read_account')
  const headers = { [signedReadHeader]: writeSignedRead(read) }
  const account = { account: key.address }
  dataOf(await here.api.get('/account', account, headers))
  refused(await there.api.get('/account', account, headers), other)
  const without = { [signedReadHeader]: writeSignedRead({ ...read, venue: null }) }
  refused(await here.api.get('/account', account, without), {
    status: 400,
    says: /^INVALID_SIGNATURE: /,
  })
})

test('the websocket accepts texts of its own exchange only', async () => {
  const key = await funded(here, there)
  const ask = async (live: Live, message: Row) => {
    const stream = await StreamClient.open(`${live.url.replace('http', 'ws')}/ws`)
    const reply = await stream.ask(message)
    await stream.close()
    return JSON.stringify(reply)
  }
  const all = { all_symbols: true, exclude_reduce_only: false }
  const messages = [
    {
      id: 'one',
      params: { cancel_all_orders: await bodyFor(here, key, 'cancel_all_orders', all) },
    },
    { method: 'authenticate', params: await bodyFor(here, key, 'read_account') },
    { method: 'cancel_on_disconnect', params: await bodyFor(here, key, 'cancel_on_disconnect') },
  ]
  for (const message of messages) {
    assert.match(await ask(there, message), /OTHER_VENUE/)
    assert.doesNotMatch(await ask(here, message), /OTHER_VENUE|"error"/)
  }
})

test('a text without a venue is accepted unless one is required', async () => {
  const key = await funded(here, there, strict)
  const body = await bodyFor(null, key, 'withdraw', { amount: '400' })
  for (const live of [here, there]) dataOf(await live.api.post('/account/withdraw', body))
  refused(await strict.api.post('/account/withdraw', body), missing)
  const sub = await subaccountBody(key, newKey())
  refused(await strict.api.post('/account/subaccount/create', sub), missing)
  const read = { [signedReadHeader]: writeSignedRead(await bodyFor(null, key, 'read_account')) }
  refused(await strict.api.get('/account', { account: key.address }, read), missing)
  const named = await bodyFor(strict, key, 'withdraw', { amount: '400' })
  dataOf(await strict.api.post('/account/withdraw', named))
})

test('the routes of existing clients follow the same rules', async () => {
  const key = await funded(here, there)
  const path = '/ccxt/api/v1/account/withdraw'
  const body = await bodyFor(here, key, 'withdraw', { amount: '100' })
  refused(await there.api.post(path, body), other)
  dataOf(await here.api.post(path, body))
  dataOf(await there.api.post(path, await bodyFor(null, key, 'withdraw', { amount: '100' })))
})

test('the typed client works where a venue is required, and keeps the venue of a key', async () => {
  const key = await funded(strict, here)
  const client = new Client({ url: strict.url, signer: key })
  assert.equal(await client.checkVenue(), (await venueOf(strict)).venue)
  await client.withdraw({ amount: '100' })
  assert.equal((await client.getBalanceHistory()).rows.length, 2)
  const pinned: VenuePin = { venue: 'f'.repeat(32), sandbox: false }
  const venues = { get: () => pinned, set: () => assert.fail('a venue is never replaced') }
  let signed = 0
  const signer = {
    address: key.address,
    sign: (text: string) => {
      signed += 1
      return key.sign(text)
    },
  }
  const wrong = new Client({ url: here.url, signer, venues, signReads: true })
  for (const work of [wrong.withdraw({ amount: '1' }), wrong.getAccount(), wrong.checkVenue()])
    await assert.rejects(work, VenueMismatch)
  assert.equal(signed, 0)
})
