// A thousand random requests of a few accounts, drawn from a seed and from what was replied. With
// the same seed and the same replies it asks the same things again, signed to the same bytes when
// it is given the same time to sign with.

import { type Key, keyOfSeed } from '../../../src/client/key.ts'
import { signedBody } from '../../../src/client/signed-body.ts'
import type { SigningType } from '../../../src/protocol/signing-types.ts'
import type { Connection, Reply } from '../../support/running/connection.ts'
import { Random } from '../differential/random.ts'

type Fields = Record<string, unknown>

const markets = [
  { symbol: 'BTC', tickScale: 0, start: 105_000, lots: ['0.001', '0.01', '0.1'] },
  { symbol: 'ETH', tickScale: 1, start: 35_000, lots: ['0.1', '1'] },
  { symbol: 'SOL', tickScale: 2, start: 17_000, lots: ['1', '10'] },
  { symbol: 'WIF', tickScale: 4, start: 9_000, lots: ['100', '500'] },
] as const
type Market = (typeof markets)[number]

export const seeded = (n: number): Key => keyOfSeed(new Uint8Array(32).fill(n))
export const accounts = [11, 12, 13, 14].map(seeded)
/** The first account's own. */
export const subaccount = seeded(21)
const agents = [31, 32].map(seeded)

export const windowMs = 600_000

const weights = {
  place: 34,
  market: 6,
  stop: 5,
  cancel: 12,
  edit: 8,
  tpsl: 6,
  batch: 3,
  cancelAll: 1,
  leverage: 4,
  mode: 2,
  margin: 2,
  transfer: 4,
  bind: 2,
  revoke: 1,
  byAgent: 3,
  withdraw: 1,
  schedule: 1,
  faucet: 2,
  oracle: 4,
  advance: 2,
  read: 4,
}

export class Play {
  readonly replies: string[] = []
  private readonly api: Connection
  private readonly random: Random
  private stamp: number
  private readonly orders: { account: number; symbol: string; id: number }[] = []

  constructor(api: Connection, seed: number, firstStamp: number) {
    this.api = api
    this.random = new Random(seed)
    this.stamp = firstStamp
  }

  async run(count: number): Promise<void> {
    for (let n = 0; n < count; n++) {
      const what = this.random.weighted(weights)
      const { status, body } = await this[what]()
      this.replies.push(`${what} ${status} ${JSON.stringify(body, timeless)}`)
    }
  }

  private async place(): Promise<Reply> {
    const { random } = this
    const account = random.below(accounts.length)
    const fields = this.order()
    if (random.chance(0.2)) fields.client_order_id = uuidOf(random)
    return this.keep(account, `${fields.symbol}`, await this.signed(account, 'create', fields))
  }

  private order(): Fields {
    const { random } = this
    const market = random.pick(markets)
    const side = random.pick(['bid', 'ask'])
    const tif = random.pick(['GTC', 'GTC', 'GTC', 'IOC', 'ALO', 'TOB', 'FOK'])
    const reduce_only = random.chance(0.1)
    const price = this.price(market)
    return { symbol: market.symbol, side, price, amount: this.lots(market), tif, reduce_only }
  }

  private async market(): Promise<Reply> {
    const { random } = this
    const market = random.pick(markets)
    const side = random.pick(['bid', 'ask'])
    const amount = this.lots(market)
    const order = { symbol: market.symbol, side, amount, slippage_percent: '2' }
    return this.signed(random.below(accounts.length), 'create_market', {
      ...order,
      reduce_only: random.chance(0.2),
    })
  }

  private async stop(): Promise<Reply> {
    const { random } = this
    const market = random.pick(markets)
    const account = random.below(accounts.length)
    const stop_order = { stop_price: this.price(market), amount: this.lots(market) }
    const side = random.pick(['bid', 'ask'])
    const fields = { symbol: market.symbol, side, reduce_only: random.chance(0.3), stop_order }
    return this.keep(account, market.symbol, await this.signed(account, 'stop/create', fields))
  }

  private async cancel(): Promise<Reply> {
    const { account, symbol, id } = this.known()
    return this.signed(account, 'cancel', { symbol, order_id: id })
  }

  private async edit(): Promise<Reply> {
    const { account, symbol, id } = this.known()
    const market = markets.find((each) => each.symbol === symbol)!
    const fields = { symbol, order_id: id, price: this.price(market), amount: this.lots(market) }
    return this.keep(account, symbol, await this.signed(account, 'edit', fields))
  }

  private async tpsl(): Promise<Reply> {
    const { random } = this
    const market = random.pick(markets)
    const level = () => (random.chance(0.2) ? null : { stop_price: this.price(market) })
    const side = random.pick(['bid', 'ask'])
    const fields = { symbol: market.symbol, side, take_profit: level(), stop_loss: level() }
    return this.send(random.pick(accounts), '/positions/tpsl', 'set_position_tpsl', fields)
  }

  private async batch(): Promise<Reply> {
    const account = accounts[this.random.below(accounts.length)]!
    const actions: unknown[] = []
    for (let n = this.random.between(1, 5); n > 0; n--) {
      const data = await signedBody(account, this.order(), this.signing('create_order'))
      actions.push({ type: 'Create', data })
    }
    return this.api.post('/api/v1/orders/batch', { actions })
  }

  private cancelAll(): Promise<Reply> {
    const { symbol } = this.random.pick(markets)
    const fields = { all_symbols: this.random.chance(0.3), exclude_reduce_only: false, symbol }
    return this.signed(this.random.below(accounts.length), 'cancel_all', fields)
  }

  private leverage(): Promise<Reply> {
    const { symbol } = this.random.pick(markets)
    const fields = { symbol, leverage: this.random.between(1, 20) }
    return this.send(this.random.pick(accounts), '/account/leverage', 'update_leverage', fields)
  }

  private mode(): Promise<Reply> {
    const { symbol } = this.random.pick(markets)
    const fields = { symbol, is_isolated: this.random.chance(0.5) }
    return this.send(this.random.pick(accounts), '/account/margin', 'update_margin_mode', fields)
  }

  private margin(): Promise<Reply> {
    const { symbol } = this.random.pick(markets)
    const fields = { symbol, amount: `${this.random.between(-20, 50)}` }
    const path = '/positions/add_isolated_margin'
    return this.send(this.random.pick(accounts), path, 'add_isolated_margin', fields)
  }

  private transfer(): Promise<Reply> {
    const back = this.random.chance(0.4)
    const [from, to] = back ? [subaccount, accounts[0]!] : [accounts[0]!, subaccount]
    const fields = { to_account: to.address, amount: `${this.random.between(1, 500)}.25` }
    return this.send(from, '/account/subaccount/transfer', 'transfer_funds', fields)
  }

  private bind(): Promise<Reply> {
    const fields = { agent_wallet: this.random.pick(agents).address }
    return this.send(this.random.pick(accounts), '/agent/bind', 'bind_agent_wallet', fields)
  }

  private revoke(): Promise<Reply> {
    const fields = { agent_wallet: this.random.pick(agents).address }
    return this.send(this.random.pick(accounts), '/agent/revoke', 'revoke_agent_wallet', fields)
  }

  private async byAgent(): Promise<Reply> {
    const [account, agent] = [this.random.pick(accounts), this.random.pick(agents)]
    const signing = { ...this.signing('create_order'), agent }
    const body = await signedBody(account, this.order(), signing)
    return this.api.post('/api/v1/orders/create', body)
  }

  private withdraw(): Promise<Reply> {
    const fields = { amount: `${this.random.between(1, 20)}` }
    return this.send(this.random.pick(accounts), '/account/withdraw', 'withdraw', fields)
  }

  private async schedule(): Promise<Reply> {
    const clock = await this.api.get('/api/v1/sandbox/clock')
    const { engine_now } = (clock.body as { data: { engine_now: number } }).data
    const time = engine_now + this.random.between(5_000, 60_000)
    return this.signed(this.random.below(accounts.length), 'schedule_cancel', { time })
  }

  private faucet(): Promise<Reply> {
    const account = this.random.pick(accounts).address
    return this.api.post('/api/v1/sandbox/faucet', { account, amount: '1000' })
  }

  private oracle(): Promise<Reply> {
    const market = this.random.pick(markets)
    const price = this.price(market)
    return this.api.post('/api/v1/sandbox/oracle', { symbol: market.symbol, price })
  }

  private advance(): Promise<Reply> {
    const advance_ms = this.random.between(1, 20_000)
    return this.api.post('/api/v1/sandbox/clock', { advance_ms })
  }

  private read(): Promise<Reply> {
    const { address } = this.random.pick(accounts)
    const { symbol } = this.random.pick(markets)
    const path = this.random.pick([
      `/account?account=${address}`,
      `/positions?account=${address}`,
      `/orders?account=${address}`,
      `/orders/history?account=${address}&limit=20`,
      `/book?symbol=${symbol}`,
      `/trades?symbol=${symbol}`,
    ])
    return this.api.get(`/api/v1${path}`)
  }

  /** An order that was placed in this play; mostly a late one. */
  private known(): { account: number; symbol: string; id: number } {
    const late = this.orders.slice(-30)
    return this.random.any(late) ?? { account: 0, symbol: 'BTC', id: 1 }
  }

  private keep(account: number, symbol: string, reply: Reply): Reply {
    const { data } = reply.body as { data?: { order_id?: number } | null }
    if (data?.order_id !== undefined) this.orders.push({ account, symbol, id: data.order_id })
    return reply
  }

  private price({ tickScale, start }: Market): string {
    const ticks = start + Math.round((start * this.random.between(-150, 150)) / 10_000)
    const digits = `${ticks}`.padStart(tickScale + 1, '0')
    if (tickScale === 0) return digits
    return `${digits.slice(0, -tickScale)}.${digits.slice(-tickScale)}`
  }

  private lots({ lots }: Market): string {
    return this.random.pick<string>(lots)
  }

  private signed(account: number, path: keyof typeof orderTypes, fields: Fields): Promise<Reply> {
    return this.send(accounts[account]!, `/orders/${path}`, orderTypes[path], fields)
  }

  private async send(key: Key, path: string, type: SigningType, fields: Fields): Promise<Reply> {
    return this.api.post(`/api/v1${path}`, await signedBody(key, fields, this.signing(type)))
  }

  private signing(type: SigningType) {
    this.stamp += 1
    return { type, timestamp: this.stamp, expiryWindow: windowMs }
  }
}

const orderTypes = {
  create: 'create_order',
  create_market: 'create_market_order',
  'stop/create': 'create_stop_order',
  cancel: 'cancel_order',
  edit: 'edit_order',
  cancel_all: 'cancel_all_orders',
  schedule_cancel: 'schedule_cancel',
} as const satisfies Record<string, SigningType>

const untold = new Set(['last_order_id', 'li', 'now', 'offset_ms'])

/** Of a reply, without its place in all history and without the machine's time. */
export function timeless(name: string, value: unknown): unknown {
  return untold.has(name) ? undefined : value
}

function uuidOf(random: Random): string {
  const hex = (length: number) =>
    Array.from({ length }, () => random.below(16).toString(16)).join('')
  return `${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`
}
