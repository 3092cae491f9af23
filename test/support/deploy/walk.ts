// The whole of deploy/ on one machine, as in docs/operating/cluster.md: three databases kept by
// pg_auto_failover, two traders, a reader, Caddy in front. Then the leader dies, then the primary
// of the databases, while a client trades through the proxy. Fails when anything acknowledged is
// lost.

import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { ownerlessAddress } from '../../../src/sources/ownerless-address.ts'
import { openperp } from '../cli/run-openperp.ts'
import { until } from '../http/held-sockets.ts'
import { steadyPorts } from '../http/steady-ports.ts'
import { LoopbackDatabases, type User } from './loopback-databases.ts'
import { LoopbackNode, LoopbackProxy, operatorToken, priceTokens } from './loopback-nodes.ts'
import { OrderFlow, traders } from './order-flow.ts'
import { Proxied } from './proxied.ts'

type Say = (text: string) => void
export type WalkPlaces = Readonly<{ cluster: string; folder: string; user: User; say: Say }>

/** Only against waiting for ever: a slow machine is not a failure. */
const msMax = 180_000

export async function walk({ cluster, folder, user, say }: WalkPlaces): Promise<void> {
  const began = performance.now()
  const seconds = () => `${((performance.now() - began) / 1_000).toFixed(1)} s`
  const [monitorPort, ...rest] = await steadyPorts(17)
  const ports = rest as number[]
  const databases = new LoopbackDatabases(
    { cluster, folder, monitorPort: monitorPort!, ports: ports.splice(0, 3) },
    user,
  )
  const places = { cluster, folder, url: databases.url }
  const three = () => {
    const [port, adminPort, linkPort] = ports.splice(0, 3) as [number, number, number]
    return { port, adminPort, linkPort }
  }
  const nodes = [
    new LoopbackNode('read-one', 'read', three(), places),
    new LoopbackNode('trade-left', 'trade', three(), places),
    new LoopbackNode('trade-right', 'trade', three(), places),
  ]
  const [http, https, admin, control] = ports as [number, number, number, number]
  let proxy: LoopbackProxy | null = null
  try {
    await startDatabases(databases)
    say(`databases: good, by openperp cluster doctor, after ${seconds()}`)
    for (const node of nodes) node.start()
    proxy = new LoopbackProxy(places, { http, https, admin, control }, nodes)
    await until(() => proxy!.certificate() !== null, msMax)
    const site = new Proxied(https, proxy.certificate()!)
    const plane = new Plane(new Proxied(admin, proxy.certificate()!))
    await until(async () => (await statusOf(site, '/serving')) === 200, msMax)
    say(`nodes: serving through Caddy after ${seconds()}`)
    await beginTrading(site, plane)
    say(`market: live after ${seconds()}`)
    await seenAddress(site, nodes)
    await blows({ site, plane, databases, nodes, say })
  } finally {
    await proxy?.stop()
    await Promise.all(nodes.map((node) => node.stop()))
    await databases.stop()
  }
}

async function startDatabases(databases: LoopbackDatabases): Promise<void> {
  databases.startMonitor()
  await until(() => databases.asks(['show', 'settings']).includes('formation'), msMax)
  databases.start(0)
  await until(() => databases.asks(['show', 'state']).includes('single'), msMax)
  databases.start(1)
  databases.start(2)
  await until(() => isGood(databases), msMax)
}

async function isGood({ url }: LoopbackDatabases): Promise<boolean> {
  return (await openperp(['cluster', 'doctor', '--cluster', url])).code === 0
}

async function statusOf(site: Proxied, path: string): Promise<number> {
  return (await site.ask(path).catch(() => ({ status: 0 }))).status
}

/** Operators and price sources, through the proxy's admin site. */
class Plane {
  private readonly to: Proxied
  private pushing = true

  constructor(to: Proxied) {
    this.to = to
  }

  async post(path: string, fields: object, token = operatorToken): Promise<number> {
    const headers = { authorization: `Bearer ${token}` }
    const body = JSON.stringify({ ...fields, reason: 'a trial' })
    const { status } = await this.to.ask(path, { method: 'POST', headers, body })
    return status
  }

  /** As an operator does it: again when there was no answer, until it is done or was before. */
  async done(path: string, fields: object): Promise<void> {
    let tries = 0
    await until(async () => {
      const status = await this.post(path, fields).catch(() => 0)
      tries += 1
      return status === 200 || (tries > 1 && status >= 400 && status < 500)
    }, msMax)
  }

  /** Both sources, every second, on any leader. */
  async push(): Promise<void> {
    const prices = [{ symbol: 'BTC', price: '100000' }]
    while (this.pushing) {
      for (const token of priceTokens)
        await this.post('/prices', { prices }, token).catch(() => undefined)
      await wait(1_000)
    }
  }

  stop(): void {
    this.pushing = false
    this.to.close()
  }
}

const listing = {
  symbol: 'BTC',
  base_asset: 'BTC',
  tick_size: '1',
  lot_size: '0.00001',
  min_tick: '1',
  max_tick: '10000000',
  isolated_only: false,
  oracle: '100000',
  backstop_address: ownerlessAddress('backstop of a trial'),
  max_leverage: 50,
  min_order_size: '10',
  max_order_size: '1000000',
  band_near_percent: '30',
  band_far_percent: '90',
  speedbump_ms: 0,
  open_interest_cap: '1000',
  open_interest_lower: '0',
  open_interest_upper: '0',
  impact_notional: '1000',
  backstop_value_max: '100000',
  backstop_daily_loss_max: '10000',
  risk_tiers: [],
}

async function beginTrading(site: Proxied, plane: Plane): Promise<void> {
  await plane.done('/markets/list', listing)
  for (const { address: account } of traders)
    await plane.done('/deposits', { account, amount: '100000', reference: account })
  void plane.push()
  await until(async () => (await statusOf(site, '/ready')) === 200, msMax)
}

/** What a client writes of its address is thrown away; what the proxy writes is believed. */
async function seenAddress(site: Proxied, nodes: readonly LoopbackNode[]): Promise<void> {
  const served = await Promise.all(
    nodes.map(async ({ ports }) => (await fetch(`http://127.0.0.1:${ports.port}/serving`)).ok),
  )
  const { ports } = nodes[served.indexOf(true)]!
  const left = (text: string | null) => Number(/r=(\d+)/.exec(text ?? '')?.[1])
  const direct = async (address: string) => {
    const headers = { 'x-forwarded-for': address }
    const reply = await fetch(`http://127.0.0.1:${ports.port}/api/v1/time`, { headers })
    return left(reply.headers.get('ratelimit'))
  }
  const before = await direct('127.0.0.1')
  for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3'])
    await site.ask('/api/v1/time', { headers: { 'x-forwarded-for': address } })
  const after = await direct('127.0.0.1')
  assert.ok(after <= before - 4, 'the proxy passed on what a client wrote')
  assert.ok((await direct('192.0.2.1')) > after, 'the node does not believe the proxy')
}

type Trial = Readonly<{
  site: Proxied
  plane: Plane
  databases: LoopbackDatabases
  nodes: readonly LoopbackNode[]
  say: Say
}>

async function blows({ site, plane, databases, nodes, say }: Trial): Promise<void> {
  const socket = site.socket()
  let frames = 0
  let ended: number | null = null
  socket.on('open', () => {
    socket.send(JSON.stringify({ method: 'subscribe', params: { source: 'prices' } }))
  })
  socket.on('message', () => {
    frames += 1
  })
  socket.on('close', (code) => {
    ended ??= code
  })
  const flow = new OrderFlow(site)
  await until(() => flow.acknowledged.length > 100 && frames > 1, msMax)
  say(await statusText(databases))
  flow.takeLongest()
  const leader = await leaderOf(databases)
  nodes.find(({ name }) => name === leader)!.crash()
  await recovered(flow, databases)
  say(`leader killed: ${flow.takeLongest()} ms without an order`)
  const first = databases.primary()!
  databases.kill(first)
  await recovered(flow, databases)
  say(`primary of the databases killed: ${flow.takeLongest()} ms without an order`)
  databases.start(first)
  await until(() => isGood(databases), msMax)
  say('the database came back as a standby: good again, by openperp cluster doctor')
  await flow.stop()
  say(await statusText(databases))
  const { lost, odd } = await flow.compare()
  const others = [...flow.others].map(([what, count]) => `${what} ${count}`).join(', ')
  say(`${flow.acknowledged.length} orders acknowledged, ${lost} lost, ${odd} odd; also: ${others}`)
  say(`websocket: ${frames} frames, ${ended === null ? 'never closed' : `closed with ${ended}`}`)
  socket.terminate()
  plane.stop()
  site.close()
  assert.deepEqual([lost, odd], [0, 0])
  // The reader that serves it was never hurt.
  assert.equal(ended, null)
}

/** An order is taken again, on another leadership, and the lead stays where it is. */
async function recovered(flow: OrderFlow, databases: LoopbackDatabases): Promise<void> {
  const term = await termOf(databases)
  await wait(1_000)
  let seen = flow.acknowledged.length
  await until(async () => {
    if ((await termOf(databases)) === term && flow.acknowledged.length === seen) return false
    seen = flow.acknowledged.length
    await wait(5_000)
    return flow.acknowledged.length > seen + 20
  }, msMax)
}

type Status = Readonly<{ leader: string | null; term: number }>

async function statusOfCluster({ url }: LoopbackDatabases): Promise<Status | null> {
  const { out } = await openperp(['cluster', 'status', '--cluster', url, '--json'])
  try {
    return JSON.parse(out) as Status
  } catch {
    // The database does not answer.
    return null
  }
}

const leaderOf = async (databases: LoopbackDatabases) =>
  (await statusOfCluster(databases))?.leader ?? null
const termOf = async (databases: LoopbackDatabases) => (await statusOfCluster(databases))?.term ?? 0

async function statusText({ url }: LoopbackDatabases): Promise<string> {
  return (await openperp(['cluster', 'status', '--cluster', url])).out.trimEnd()
}
