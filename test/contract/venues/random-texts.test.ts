// Two exchanges that differ only in their ids: the same markets, prices, accounts and agents.
// Random texts of every signed operation, by owners and agents, alone and in batches, name the
// first one. A text executed by the second exchange would change its hash: the first one executes
// hundreds of them, and so does the second when they name no exchange.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newKey } from '../../../src/client/key.ts'
import { signedBody } from '../../../src/client/signed-body.ts'
import { createExchange, type EmbeddedExchange } from '../../../src/embed/embed.ts'
import { Random } from '../../programs/differential/random.ts'
import { drawSigned, type SignedDraw, type SignedWorld } from '../../support/fuzz/draw-signed.ts'

const texts = 1_000
const names = ['alice', 'bob', 'carol', 'dave']
const exchangeOf = (seed: string) => {
  const exchange = createExchange({ markets: ['BTC', 'ETH'], prices: 'held', seed })
  for (const name of names) exchange.fund(name, '100000')
  return exchange
}
const here = exchangeOf('here')
const there = exchangeOf('there')
after(() => Promise.all([here.close(), there.close()]))

type Row = Readonly<Record<string, unknown>>

async function sent(to: EmbeddedExchange, { path, body }: Pick<SignedDraw, 'path' | 'body'>) {
  const headers = { 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body: JSON.stringify(body) }
  const reply = await to.fetch(`${to.url}${path}`, init)
  const { error = null } = (await reply.json()) as Row
  return { status: reply.status, error: error === null ? null : String(error) }
}

async function worldOf(venue: string | undefined): Promise<SignedWorld> {
  const keys = names.map((name) => here.key(name))
  const agentOf = new Map(keys.map((key) => [key, newKey()]))
  for (const [key, { address: agent_wallet }] of agentOf)
    for (const exchange of [here, there]) {
      const options = { type: 'bind_agent_wallet' as const, timestamp: Date.now() }
      const body = await signedBody(key, { agent_wallet }, options)
      assert.deepEqual(await sent(exchange, { path: '/api/v1/agent/bind', body }), {
        status: 200,
        error: null,
      })
    }
  const addresses = [...keys, ...agentOf.values()].map(({ address }) => address)
  const named = venue === undefined ? {} : { venue }
  return { symbols: ['BTC', 'ETH'], orderIds: [], token: '', keys, agentOf, addresses, ...named }
}

const nameIn = (error: string | null) => error?.replace(/:.*/s, '') ?? 'done'

test(`of ${texts} random texts that name one exchange none has an effect on another`, async () => {
  const world = await worldOf(here.venue)
  const random = new Random(20)
  const { seq } = there
  const hash = there.hash()
  const before = here.seq
  const answers: Record<string, number> = {}
  const done = new Set<string>()
  for (let n = 0; n < texts; n++) {
    const draw = await drawSigned(world, random)
    const refused = await sent(there, draw)
    // A text that does not fit its schema is rejected before the venue is checked.
    const name = nameIn(refused.error)
    assert.ok(['OTHER_VENUE', 'MALFORMED_REQUEST'].includes(name), JSON.stringify([draw, refused]))
    assert.equal(there.seq, seq, JSON.stringify(draw))
    answers[name] = (answers[name] ?? 0) + 1
    const { error } = await sent(here, draw)
    assert.notEqual(nameIn(error), 'OTHER_VENUE', draw.name)
    if (error === null) done.add(draw.name)
  }
  assert.equal(there.hash(), hash)
  assert.ok(answers.OTHER_VENUE! >= 0.8 * texts, JSON.stringify(answers))
  assert.ok(here.seq - before >= 0.3 * texts, `${here.seq - before} commands`)
  assert.ok(done.size >= 20, `carried out: ${[...done]}`)
})

test('the same texts without a venue have an effect on both', async () => {
  const world = await worldOf(undefined)
  const random = new Random(21)
  const both: Record<string, number> = {}
  for (let n = 0; n < 200; n++) {
    const draw = await drawSigned(world, random)
    const [one, other] = [await sent(here, draw), await sent(there, draw)]
    for (const { error } of [one, other]) assert.notEqual(nameIn(error), 'OTHER_VENUE', draw.name)
    if (one.error === null && other.error === null) both[draw.name] = (both[draw.name] ?? 0) + 1
  }
  assert.ok(Object.keys(both).length >= 10, JSON.stringify(both))
})
