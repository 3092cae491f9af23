// Cancel on disconnect: arming is a command with all checks of one, and what was armed holds over
// the end of the connection, of the agent's rights and of the process.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { Client } from '../../src/client/client.ts'
import type { Key } from '../../src/client/key.ts'
import { signedBody } from '../../src/client/signed-body.ts'
import type { SigningType } from '../../src/protocol/signing-types.ts'
import { AnswerLost } from '../../src/sequencer/not-taken.ts'
import { until } from '../support/http/held-sockets.ts'
import { ChildExchange } from '../support/running/child-exchange.ts'
import { type Json, keyNamed, LiveExchange } from '../support/streams/live-exchange.ts'
import { type Frame, StreamClient } from '../support/streams/stream-client.ts'

const alice = keyNamed(31)
let exchange: LiveExchange
let lastTimestamp = 0

before(async () => {
  exchange = await LiveExchange.start()
  await exchange.client().sandboxSetClock({ freeze: true })
  await exchange.client().sandboxSetOracle({ symbol: 'BTC', price: '100000' })
  await exchange.fund(alice)
})
after(() => exchange.close())

type Wish = Readonly<{ type?: SigningType; agent?: Key; fields?: Json }>

function armingBody(key: Key, { type = 'cancel_on_disconnect', agent, fields = {} }: Wish = {}) {
  lastTimestamp = Math.max(lastTimestamp + 1, Date.now())
  // A restart on a busy machine may take longer than a text is valid by default.
  return signedBody(key, fields, { type, timestamp: lastTimestamp, agent, expiryWindow: 600_000 })
}

const arm = (client: StreamClient, params: unknown): Promise<Frame> =>
  client.ask({ method: 'cancel_on_disconnect', params })

const errorOf = ({ channel, data }: Frame): string => {
  assert.equal(channel, 'error', JSON.stringify(data))
  return (data as { error: string }).error
}

const open = () => StreamClient.open(exchange.wsUrl)
const order = {
  symbol: 'BTC',
  amount: '0.01',
  tif: 'ALO',
  reduce_only: false,
  side: 'bid',
} as const
const place = (key: Key) => exchange.client(key).createOrder({ ...order, price: '95000' })
const openOrders = async (key: Key) => (await exchange.client(key).getOpenOrders()).rows.length

const armedBy = (account: number) =>
  exchange.running.exchange.view.accounts
    .armedConnections()
    .filter((each) => each.account === account).length

/** The end of a connection is a command, and so is whatever we ask after it. */
async function endsWith(client: StreamClient, key: Key, orders: number): Promise<void> {
  const { accounts } = exchange.running.exchange.view
  await client.close()
  const account = accounts.idOf(key.address)
  await until(() => armedBy(account) === 0)
  assert.equal(await openOrders(key), orders)
}

test('a schedule_cancel text is refused, and the refusal names the type', async () => {
  const client = await open()
  for (const fields of [{ time: null }, {}]) {
    const body = await armingBody(alice, { type: 'schedule_cancel', fields })
    const error = errorOf(await arm(client, body))
    assert.match(error, /^INVALID_SIGNATURE: Verification failed; .*the type to sign is cancel_on_/)
  }
  const timed = await armingBody(alice, { fields: { time: Date.now() + 60_000 } })
  const message = /^MALFORMED_REQUEST: time .*the type to sign is cancel_on_disconnect/
  assert.match(errorOf(await arm(client, timed)), message)
  await client.close()
})

test('a text arms once, on the websocket alone, and the connection may take it back', async () => {
  const client = await open()
  const body = await armingBody(alice, { fields: { keep_protective: false } })
  const answer = await arm(client, body)
  const data = { armed: true, account: alice.address, keep_protective: false }
  assert.deepEqual(answer, { channel: 'cancel_on_disconnect', data })
  assert.match(errorOf(await arm(client, body)), /^REPLAYED: /)
  const headers = { 'content-type': 'application/json' }
  for (const path of ['/orders/schedule_cancel', '/orders/cancel_on_disconnect', '/ws']) {
    const sent = { method: 'POST', headers, body: JSON.stringify(body) }
    const reply = await fetch(`${exchange.url}/api/v1${path}`, sent)
    assert.ok(reply.status === 400 || reply.status === 404, `${path} ${reply.status}`)
  }
  await place(alice)
  const taken = { armed: false, account: null, keep_protective: null }
  assert.deepEqual((await arm(client, null)).data, taken)
  await endsWith(client, alice, 1)
  const again = await open()
  assert.match(errorOf(await arm(again, body)), /^REPLAYED: /)
  await arm(again, await armingBody(alice))
  await endsWith(again, alice, 0)
})

test('arming holds when its answer is lost', async () => {
  const other = await LiveExchange.start(['--gateways', '0'])
  try {
    await other.client().sandboxSetClock({ freeze: true })
    await other.client().sandboxSetOracle({ symbol: 'BTC', price: '100000' })
    await other.fund(alice)
    // As a node that reads meets it, whose leader dies between the entry and its answer.
    const { exchange: lossy } = other.running
    const submit = lossy.submit.bind(lossy)
    const lost: typeof submit = async (command, ...rest) => {
      const outcome = await submit(command, ...rest)
      if (command.type === 'ArmConnection') throw new AnswerLost('gone')
      return outcome
    }
    Object.assign(lossy, { submit: lost })
    await other.client(alice).createOrder({ ...order, price: '95000' })
    const client = await StreamClient.open(other.wsUrl)
    const error = errorOf(await arm(client, await armingBody(alice)))
    assert.match(error, /whether this was carried out is not known/)
    await client.close()
    const { accounts } = lossy.view
    await until(() => accounts.armedConnections().length === 0)
    assert.equal((await other.client(alice).getOpenOrders()).rows.length, 0)
  } finally {
    await other.close()
  }
})

test('arming while the connection ends holds too', async () => {
  const client = await open()
  await place(alice)
  client.send({ method: 'cancel_on_disconnect', params: await armingBody(alice) })
  await client.close()
  await until(async () => (await openOrders(alice)) === 0)
})

test('an agent needs its permissions to arm, and again when the connection ends', async () => {
  const [agent, owner] = [keyNamed(32), exchange.client(alice)]
  const agent_wallet = agent.address
  const refused = await open()
  const unbound = errorOf(await arm(refused, await armingBody(alice, { agent })))
  assert.match(unbound, /^AGENT_NOT_BOUND: /)
  await owner.bindAgentWallet({ agent_wallet })
  await owner.addAgentWhitelistedIp({ agent_wallet, ip_address: '10.1.1.1' })
  await owner.setAgentIpWhitelistEnabled({ agent_wallet, enabled: true })
  const outside = errorOf(await arm(refused, await armingBody(alice, { agent })))
  assert.match(outside, /^AGENT_NOT_ALLOWED: /)
  await refused.close()
  const armed = async () => {
    const client = await open()
    const answer = await arm(client, await armingBody(alice, { agent }))
    assert.equal(answer.channel, 'cancel_on_disconnect', JSON.stringify(answer.data))
    return client
  }
  await owner.setAgentIpWhitelistEnabled({ agent_wallet, enabled: false })
  await place(alice)
  const first = await armed()
  await owner.setAgentIpWhitelistEnabled({ agent_wallet, enabled: true })
  await endsWith(first, alice, 1)
  await owner.setAgentIpWhitelistEnabled({ agent_wallet, enabled: false })
  const second = await armed()
  await owner.revokeAgentWallet({ agent_wallet })
  await endsWith(second, alice, 1)
  await owner.bindAgentWallet({ agent_wallet })
  await endsWith(await armed(), alice, 0)
})

test('one account takes no one else’s places, and an agent not its owner’s', async () => {
  const [bob, agent] = [keyNamed(33), keyNamed(34)]
  await exchange.fund(bob)
  await exchange.client(bob).bindAgentWallet({ agent_wallet: agent.address })
  const clients = await Promise.all(Array.from({ length: 18 }, open))
  for (const client of clients.slice(0, 4))
    assert.equal(
      (await arm(client, await armingBody(bob, { agent }))).channel,
      'cancel_on_disconnect',
    )
  const fifth = errorOf(await arm(clients[4]!, await armingBody(bob, { agent })))
  assert.match(fifth, /^LIMIT_REACHED: .*\b4\b/)
  for (const client of clients.slice(0, 16))
    assert.equal((await arm(client, await armingBody(bob))).channel, 'cancel_on_disconnect')
  assert.match(errorOf(await arm(clients[16]!, await armingBody(bob))), /^LIMIT_REACHED: .*\b16\b/)
  const other = await arm(clients[16]!, await armingBody(alice))
  assert.equal(other.channel, 'cancel_on_disconnect')
  await Promise.all(clients.map((client) => client.close()))
})

test('arming costs credits, also when the signature fails', async () => {
  const limited = await LiveExchange.start(['--rate-limit', 'on', '--credits', '4'])
  const client = await StreamClient.open(limited.wsUrl)
  const forged = { ...(await armingBody(alice)), account: keyNamed(35).address }
  const said: string[] = []
  for (let n = 0; n < 6; n++) said.push(errorOf(await arm(client, forged)).split(':')[0]!)
  const invalid = 'INVALID_SIGNATURE'
  assert.deepEqual(said, [invalid, invalid, invalid, invalid, 'RATE_LIMITED', 'RATE_LIMITED'])
  await client.close()
  await limited.close()
})

test('a revert restores the arming of connections that are still open', async () => {
  const carol = keyNamed(36)
  await exchange.fund(carol)
  const [stays, goes] = [await open(), await open()]
  for (const client of [stays, goes]) await arm(client, await armingBody(carol))
  await place(carol)
  const { id } = await exchange.client().sandboxSnapshot({})
  await goes.close()
  await until(async () => (await openOrders(carol)) === 0)
  await exchange.client().sandboxRevert({ id })
  assert.equal(await openOrders(carol), 1)
  const account = exchange.running.exchange.view.accounts.idOf(carol.address)
  await until(() => armedBy(account) === 1)
  assert.equal(await openOrders(carol), 1, 'a closed connection is disarmed, and cancels nothing')
  await endsWith(stays, carol, 0)
})

test('the death of the process ends its connections: the next start cancels first', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'openperp-armed-'))
  const flags = ['--bots', 'off']
  const start = async (): Promise<[ChildExchange, Client]> => {
    const child = new ChildExchange(folder, flags)
    const { port } = await child.ready
    return [child, new Client({ url: `http://127.0.0.1:${port}`, signer: alice })]
  }
  try {
    const [child, client] = await start()
    const { port } = await child.ready
    await client.sandboxFaucet({ amount: '100000' })
    const prices = await client.getPrices()
    const mark = Number(prices.find(({ symbol }) => symbol === 'BTC')!.mark)
    const price = `${Math.round(mark * 0.9)}`
    const [going, staying] = [keyNamed(37), keyNamed(38)]
    for (const key of [going, staying]) {
      const own = new Client({ url: `http://127.0.0.1:${port}`, signer: key })
      await own.sandboxFaucet({ amount: '100000' })
      await own.createOrder({ ...order, price })
    }
    const socket = await StreamClient.open(`ws://127.0.0.1:${port}/ws`)
    const body = await armingBody(going)
    assert.equal((await arm(socket, body)).channel, 'cancel_on_disconnect')
    child.kill('SIGKILL')
    await child.ended
    const [next, reader] = await start()
    const left = async (key: Key) =>
      (await reader.getOpenOrders({ account: key.address })).rows.length
    assert.deepEqual([await left(going), await left(staying)], [0, 1])
    const again = await StreamClient.open(`ws://127.0.0.1:${(await next.ready).port}/ws`)
    assert.match(errorOf(await arm(again, body)), /^REPLAYED: /)
    await again.close()
    next.kill('SIGKILL')
    await next.ended
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
