// What is done to a sandbox between its deaths, drawn at random: everything that drives its prices,
// and traders who hold thin positions and resting orders meanwhile.

import type { SigningType } from '../../../src/protocol/signing-types.ts'
import { scenarioNames } from '../../../src/sources/prices/scenarios.ts'
import { sandboxListings } from '../../../src/sources/sandbox-markets.ts'
import { Connection, dataOf, type Reply } from '../../support/running/connection.ts'
import type { Random } from '../differential/random.ts'
import { Client, drawnKey, Ticker } from './action.ts'
import type { RestartCheck } from './restart-check.ts'

const deeds = {
  scenario: 6,
  path: 3,
  price: 1,
  resume: 1,
  bots: 2,
  freeze: 2,
  advance: 2,
  snapshot: 1,
  revert: 1,
  trade: 4,
} as const
export type Deed = keyof typeof deeds

const symbols = sandboxListings.map(({ params }) => params.symbol)
/** Millionths of a tick in a dollar, of the markets that paths are drawn for. */
const grids = { BTC: { market: 1, perDollar: 1_000_000, around: 105_000 } } as const

export class RestartPlay {
  readonly played: Record<string, number> = {}
  private readonly random: Random
  private readonly check: RestartCheck
  private readonly clients: readonly Client[]
  /** The last acknowledged value; null: unknown. */
  private running: boolean | null = true
  private frozen: boolean | null = false
  private snapshots: string[] = []

  constructor(random: Random, check: RestartCheck) {
    this.random = random
    this.check = check
    const ticker = new Ticker()
    this.clients = Array.from({ length: 3 }, () => new Client(drawnKey(random), ticker))
  }

  get addresses(): readonly string[] {
    return this.clients.map(({ key }) => key.address)
  }

  get isFrozen(): boolean {
    return this.frozen === true
  }

  connect(port: number): void {
    for (const client of this.clients) client.connection = new Connection(port)
  }

  disconnect(): void {
    for (const client of this.clients) client.connection?.close()
  }

  async open(api: Connection): Promise<void> {
    for (const account of this.addresses)
      dataOf(await api.post('/api/v1/sandbox/faucet', { account, amount: '5000' }))
  }

  /** These deeds, or some that are drawn, one after the other. */
  async some(api: Connection, given?: readonly Deed[]): Promise<void> {
    if (this.frozen !== false && (given !== undefined || this.random.chance(0.6)))
      await this.clock(api, { resume: true })
    for (const deed of given ?? []) await this.does[deed](api)
    if (given !== undefined) return
    for (let count = this.random.between(1, 3); count > 0; count--) await this.one(api)
  }

  /** Its result is unknown until it is answered. */
  async one(api: Connection): Promise<void> {
    const deed = this.random.weighted(deeds)
    await this.does[deed](api)
  }

  /** After a restart. */
  async verify(api: Connection, frozen: boolean): Promise<readonly string[]> {
    const wrong: string[] = []
    const bots = dataOf<{ running: boolean }>(await api.get('/api/v1/sandbox/bots'))
    if (this.running !== null && bots.running !== this.running)
      wrong.push(`bots run: ${bots.running}, and were set to ${this.running}`)
    const clock = dataOf<{ frozen: boolean }>(await api.get('/api/v1/sandbox/clock'))
    if (clock.frozen !== frozen || (this.frozen !== null && frozen !== this.frozen))
      wrong.push(`the clock is frozen: ${clock.frozen}, and was set to ${this.frozen}`)
    this.running = bots.running
    this.frozen = clock.frozen
    const list = dataOf<{ id: string }[]>(await api.get('/api/v1/sandbox/snapshots'))
    this.snapshots = list.map(({ id }) => id)
    return wrong
  }

  private readonly does: Readonly<Record<Deed, (api: Connection) => Promise<void>>> = {
    scenario: (api) => this.scenario(api),
    path: (api) => this.path(api, this.random.between(2, 60)),
    price: (api) => this.path(api, 1),
    resume: async (api) => {
      this.count('resume')
      await this.post(api, 'oracle', { symbol: 'BTC', resume: true })
    },
    bots: async (api) => {
      const running = this.random.chance(0.6)
      this.count(running ? 'bots on' : 'bots off')
      this.running = null
      await this.post(api, 'bots', { running })
      this.running = running
    },
    freeze: async (api) => {
      this.count('freeze clock')
      await this.clock(api, { freeze: true })
    },
    advance: async (api) => {
      this.count('advance')
      await this.post(api, 'clock', { advance_ms: this.random.between(1, 120_000) })
    },
    snapshot: async (api) => {
      this.count('snapshot')
      const { id } = dataOf<{ id: string }>(await this.post(api, 'snapshot', {}))
      this.snapshots.push(id)
    },
    revert: (api) => this.revert(api),
    trade: (api) => this.trade(api),
  }

  private async scenario(api: Connection): Promise<void> {
    const name = this.random.pick(scenarioNames)
    this.count(name)
    await this.post(api, 'scenario', { name, symbol: this.random.pick(symbols) })
  }

  private async path(api: Connection, length: number): Promise<void> {
    const { random } = this
    this.count(length === 1 ? 'held price' : 'path')
    const { market, perDollar, around } = grids.BTC
    const path = Array.from({ length }, () => around + random.between(-2_000, 2_000))
    this.check.request(
      market,
      path.map((dollars) => dollars * perDollar),
    )
    const prices = path.map(String)
    const wish = length === 1 ? { price: prices[0] } : { path: prices }
    await this.post(api, 'oracle', { symbol: 'BTC', ...wish })
  }

  private async clock(api: Connection, wish: object): Promise<void> {
    this.frozen = null
    this.frozen = dataOf<{ frozen: boolean }>(await this.post(api, 'clock', wish)).frozen
  }

  private async revert(api: Connection): Promise<void> {
    const id = this.random.any(this.snapshots)
    if (id === undefined) return
    this.count('revert')
    this.running = null
    this.frozen = null
    await this.post(api, 'revert', { id })
    // Later ones are of a past that is no more.
    this.snapshots = this.snapshots.slice(0, this.snapshots.indexOf(id) + 1)
  }

  /** Thin positions, orders that rest, slices that fall due. */
  private async trade(api: Connection): Promise<void> {
    this.count('trade')
    const { random } = this
    const client = random.pick(this.clients)
    const account = client.key.address
    await this.post(api, 'faucet', { account, amount: '2000' })
    const side = random.pick(['bid', 'ask'])
    const order = { symbol: 'BTC', side, reduce_only: false }
    const market = { ...order, amount: '0.5', slippage_percent: '2' }
    await this.signed(client, '/orders/create_market', 'create_market_order', market)
    const price = side === 'bid' ? '90000' : '120000'
    const rests = { ...order, amount: '0.01', price, tif: 'GTC' }
    await this.signed(client, '/orders/create', 'create_order', rests)
    const twap = { ...order, amount: '0.01', slippage_percent: '2', duration_in_seconds: 60 }
    await this.signed(client, '/orders/twap/create', 'create_twap_order', twap)
  }

  /** Refused or not: a thin account is refused often. */
  private async signed(client: Client, path: string, type: SigningType, fields: object) {
    if (!(await client.send(await client.sign(path, type, { ...fields }))))
      throw new Error('killed')
  }

  private async post(api: Connection, what: string, body: object): Promise<Reply> {
    const reply = await api.post(`/api/v1/sandbox/${what}`, body)
    dataOf(reply)
    return reply
  }

  private count(what: string): void {
    this.played[what] = (this.played[what] ?? 0) + 1
  }
}
