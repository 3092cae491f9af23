// GET /status and the incidents behind it, black box, over a restart.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { StatusReply } from '../../src/protocol/schemas/status.ts'
import { AdminClient } from '../support/http/admin-client.ts'
import { dataOf, type Row, refused } from '../support/http/api-client.ts'
import { type Live, liveExchange } from '../support/http/live-exchange.ts'
import { rawRequest } from '../support/http/raw-request.ts'

let live: Live = await liveExchange()
after(() => live.close())
const admin = () => new AdminClient(live)

async function statusNow(): Promise<StatusReply> {
  // Made once a second at most.
  await new Promise((resolve) => setTimeout(resolve, 1_050))
  const { status, text } = await rawRequest(`${live.url}/status`, { method: 'GET' })
  const body = JSON.parse(text) as { data: StatusReply }
  live.api.published.check('GET', '/status', status, body)
  return body.data
}

const trouble = {
  title: 'Prices of <BTC> are late',
  text: 'A source is stale & we look for it',
  impact: 'degraded',
  markets: ['BTC'],
}

test('a sandbox is operational, with its markets and without incidents', async () => {
  const { status, closed, mode, markets, incidents } = await statusNow()
  assert.deepEqual([status, closed, mode, incidents], ['operational', null, 'open', []])
  assert.ok(markets.some(({ symbol, feed }) => symbol === 'BTC' && feed === 'live'))
})

test('an incident is public from its announcement until it is resolved', async () => {
  const { id } = dataOf<{ id: string }>(await admin().post('/incidents/announce', trouble))
  dataOf(await admin().post('/incidents/update', { id, text: 'It is found' }))
  const during = await statusNow()
  assert.equal(during.status, 'degraded')
  const [incident] = during.incidents
  assert.deepEqual(
    [incident?.title, incident?.markets, incident?.updates[0]?.text, incident?.resolved_at],
    [trouble.title, ['BTC'], 'It is found', null],
  )
  const page = await fetch(`${live.url}/status`, { headers: { accept: 'text/html,*/*' } })
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
  assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/)
  const html = await page.text()
  assert.match(html, /Not everything works/)
  assert.match(html, /Prices of &#60;BTC&#62; are late/)
  assert.doesNotMatch(html, /<BTC>/)
  dataOf(await admin().post('/incidents/resolve', { id, text: 'It speaks again' }))
  const after = await statusNow()
  assert.equal(after.status, 'operational')
  assert.ok(after.incidents[0]!.resolved_at !== null)
  for (const route of ['update', 'resolve'])
    refused(await admin().post(`/incidents/${route}`, { id, text: 'more' }), {
      status: 400,
      says: /is resolved; announce another one/,
    })
})

test('the journal has the operator and reason, and a restart keeps the incidents', async () => {
  const { id } = dataOf<{ id: string }>(
    await admin().post('/incidents/announce', { ...trouble, impact: 'notice', reason: 'drill' }),
  )
  const [action] = dataOf<Row[]>(await admin().get('/journal'))
  assert.deepEqual([action?.what, action?.why], ['KeepNote', 'drill'])
  await live.running.close()
  live = await liveExchange([], live.folder)
  const { status, incidents } = await statusNow()
  assert.deepEqual([status, incidents[0]?.id], ['operational', id], 'a notice degrades nothing')
  assert.deepEqual(dataOf(await admin().get('/incidents')), incidents)
})

test('bad announcements are refused with the accepted values', async () => {
  const said = async (body: Row) => admin().post('/incidents/announce', { ...trouble, ...body })
  refused(await said({ markets: ['NOPE'] }), { status: 400, code: 3, says: /BOOK_NOT_FOUND/ })
  refused(await said({ impact: 'bad' }), { status: 400, says: /impact/ })
  refused(await said({ title: '' }), { status: 400, says: /title/ })
  refused(await said({ reason: undefined }), { status: 400, says: /reason is required/ })
  refused(await admin().post('/incidents/update', { id: 'x', text: 'y' }), {
    status: 404,
    says: /no incident is called x; GET \/incidents lists them/,
  })
})

test('incidents and their updates are bounded', async () => {
  const ids: string[] = []
  for (let n = 0; n < 19; n++)
    ids.push(dataOf<{ id: string }>(await admin().post('/incidents/announce', trouble)).id)
  refused(await admin().post('/incidents/announce', trouble), {
    status: 400,
    says: /20 incidents go on, and no more than 20 may; resolve one/,
  })
  const [id] = ids as [string]
  for (let n = 0; n < 9; n++)
    dataOf(await admin().post('/incidents/update', { id, text: `update ${n}` }))
  refused(await admin().post('/incidents/update', { id, text: 'one more' }), {
    status: 400,
    says: /has 9 updates, and no more than 9 fit; resolve it/,
  })
  for (const each of ids)
    dataOf(await admin().post('/incidents/resolve', { id: each, text: 'over' }))
  for (let n = 0; n < 19; n++) {
    const { id: next } = dataOf<{ id: string }>(
      await admin().post('/incidents/announce', { ...trouble, title: `late ${n}` }),
    )
    dataOf(await admin().post('/incidents/resolve', { id: next, text: 'over' }))
  }
  const kept = dataOf<Row[]>(await admin().get('/incidents'))
  assert.equal(kept.length, 40)
  dataOf(await admin().post('/incidents/announce', trouble))
  const then = dataOf<Row[]>(await admin().get('/incidents'))
  assert.equal(then.length, 40)
  assert.ok(
    !then.some((row) => row.id === kept.at(-1)!.id),
    'the oldest resolved incident is dropped',
  )
})
