// Places orders and cancels them, each with an id of its own, and remembers every reply.

import { randomUUID } from 'node:crypto'
import type { Key } from '../../../src/client/key.ts'
import { Connection, dataOf, type Reply } from '../../support/running/connection.ts'
import type { Random } from '../differential/random.ts'
import {
  type Action,
  afterRevert,
  Client,
  isReplayed,
  type Mark,
  resendMsMax,
  type Ticker,
} from './action.ts'
import type { Trader } from './trader.ts'

/** Markets with their tick and lot: prices are drawn around mark. */
const grids = [
  { symbol: 'BTC', tickScale: 0, lots: ['0.001', '0.002', '0.01'] },
  { symbol: 'ETH', tickScale: 1, lots: ['0.01', '0.05', '0.1'] },
  { symbol: 'SOL', tickScale: 2, lots: ['0.5', '1', '2'] },
] as const

const liveMax = 25

type Order = {
  readonly clientId: string
  readonly symbol: string
  readonly side: 'bid' | 'ask'
  readonly price: string
  readonly amount: string
  readonly place: Action
  cancel: Action | null
  cancelsDoubted: number
}

type Row = Readonly<{
  order_id: number
  client_order_id: string | null
  symbol: string
  side: string
  initial_price: string
  amount: string
  order_status: string
  reason: string | null
}>

export class OrderTrader implements Trader {
  readonly name: string
  private readonly client: Client
  private readonly random: Random
  private orders: Order[] = []
  private live: Order[] = []
  private marks = new Map<string, number>()
  /** Rows up to this id have been looked at. */
  private seenId = 0
  private doubted = 0
  private readonly wrong: string[] = []

  constructor(name: string, key: Key, { random, ticker }: { random: Random; ticker: Ticker }) {
    this.name = name
    this.random = random
    this.client = new Client(key, ticker)
  }

  connect(port: number): void {
    this.client.connection = new Connection(port)
  }

  disconnect(): void {
    this.client.connection?.close()
  }

  async open(api: Connection): Promise<void> {
    const account = this.client.key.address
    dataOf(await api.post('/api/v1/sandbox/faucet', { account, amount: '1000000' }))
  }

  counts() {
    const known = this.orders.filter(({ place }) => place.known !== 'doubt').length
    return { known, doubted: this.doubted }
  }

  async step(): Promise<boolean> {
    const { random, live } = this
    if (live.length > 0 && random.chance(live.length >= liveMax ? 1 : 0.4))
      return this.cancel(live[random.below(live.length)]!)
    return this.place()
  }

  reverted(mark: Mark): void {
    this.orders = this.orders.filter(({ place }) => afterRevert(place, mark) !== null)
    for (const order of this.orders) {
      order.place.known = afterRevert(order.place, mark)!
      if (order.cancel === null) continue
      const known = afterRevert(order.cancel, mark)
      if (known === null) order.cancel = null
      else order.cancel.known = known
    }
    this.live = this.orders.filter((order) => isLive(order))
    this.seenId = 0
  }

  async verify(api: Connection, all: boolean): Promise<readonly string[]> {
    if (all) this.seenId = 0
    const wrong = this.wrong.splice(0)
    const say = (order: Order, what: string) =>
      wrong.push(`${this.name}: order ${order.clientId} ${what}`)
    await this.readMarks(api)
    const before = await this.read(api)
    for (const [clientId, rows] of before.rows)
      if (rows.length > 1) wrong.push(`${this.name}: ${rows.length} orders ${clientId}`)
    for (const order of this.orders) this.check(order, before, (what) => say(order, what))
    await this.resolve(before, say)
    this.seenId = Math.max(this.seenId, ...[...before.rows.values()].flat().map(idOf))
    this.live = this.orders.filter((order) => isLive(order) && before.open.has(order.clientId))
    return wrong
  }

  private async place(): Promise<boolean> {
    const { random, client } = this
    const { symbol, tickScale, lots } = random.pick(grids)
    const mark = this.marks.get(symbol)!
    const side = random.pick(['bid', 'ask'] as const)
    // Most rest well away from the middle; some trade.
    const away = random.chance(0.75) ? random.between(100, 300) : random.between(-20, 20)
    const off = 1 + (side === 'bid' ? -away : away) / 10_000
    const price = textOf(Math.round(mark * off * 10 ** tickScale), tickScale)
    const order = { clientId: randomUUID(), symbol, side, price, amount: random.pick(lots) }
    const { clientId: client_order_id, amount } = order
    const fields = { symbol, side, price, amount, client_order_id, tif: 'GTC', reduce_only: false }
    const place = await client.sign('/orders/create', 'create_order', fields)
    const placed = { ...order, place, cancel: null, cancelsDoubted: 0 }
    this.orders.push(placed)
    const idMin = this.idMax()
    if (!(await client.send(place))) return false
    if (place.known !== 'ok') return true
    const id = idIn(place.reply!)
    if (id <= idMin) this.wrong.push(`${this.name}: order id ${id} after ${idMin}`)
    this.live.push(placed)
    return true
  }

  private async cancel(order: Order): Promise<boolean> {
    const { symbol, clientId } = order
    const fields = { symbol, client_order_id: clientId }
    this.live = this.live.filter((each) => each !== order)
    order.cancel = await this.client.sign('/orders/cancel', 'cancel_order', fields)
    return this.client.send(order.cancel)
  }

  private idMax(): number {
    const last = this.orders.findLast(({ place }) => place.known === 'ok')
    return last === undefined ? 0 : idIn(last.place.reply!)
  }

  private check(order: Order, { open, rows }: Seen, say: (what: string) => void): void {
    const { place, cancel, clientId } = order
    const row = rows.get(clientId)?.[0]
    if (place.known === 'refused' && (row !== undefined || open.has(clientId)))
      say('was refused, and is there')
    if (place.known !== 'ok') return
    const id = idIn(place.reply!)
    if (cancel?.known === 'ok' && open.has(clientId)) say('was cancelled, and is open')
    if (id <= this.seenId) return
    if (row === undefined) return say(`(${id}) was acknowledged, and is lost`)
    const same =
      row.order_id === id &&
      row.symbol === order.symbol &&
      row.side === order.side &&
      row.initial_price === order.price &&
      Number(row.amount) === Number(order.amount)
    if (!same) say(`is another one: ${JSON.stringify(row)}`)
    const isOpen = row.order_status === 'open' || row.order_status === 'partially_filled'
    if (isOpen !== open.has(clientId))
      say(`is ${row.order_status} in history and ${isOpen ? 'not ' : ''}open`)
    if (cancel?.known === 'ok' && row.order_status !== 'cancelled')
      say(`was cancelled, and is ${row.order_status}`)
    if (cancel === null && row.order_status === 'cancelled' && row.reason === 'owner')
      say('is cancelled without a request')
  }

  /** What is in doubt is sent again, twice; and so are some texts that surely served. */
  private async resolve(seen: Seen, say: (order: Order, what: string) => void): Promise<void> {
    for (const order of this.orders) {
      if (order.place.known === 'doubt') await this.resolvePlace(order, seen, say)
      if (order.cancel?.known === 'doubt') await this.resolveCancel(order, seen, say)
    }
    const served = this.orders.slice(-100).filter(({ place }) => place.known === 'ok')
    for (let n = 0; n < 2; n++) {
      const order = this.random.any(served)
      if (order === undefined || Date.now() - order.place.signedAtMs > resendMsMax) continue
      const again = { ...order.place }
      await this.client.send(again)
      if (!isReplayed(again)) say(order, `was taken again: ${JSON.stringify(again.reply)}`)
    }
  }

  private async resolvePlace(
    order: Order,
    { rows }: Seen,
    say: (order: Order, what: string) => void,
  ): Promise<void> {
    const { place, clientId } = order
    const row = rows.get(clientId)?.[0]
    this.doubted += 1
    if (!(await this.client.send(place))) return say(order, 'got no reply after a restart')
    const taken = place.known === 'ok'
    if (row !== undefined && !isReplayed(place)) say(order, 'is there, and was taken again')
    if (row !== undefined) {
      place.known = 'ok'
      place.reply = { status: 200, body: { data: row } }
    }
    const again = { ...place }
    await this.client.send(again)
    if (!isReplayed(again)) say(order, `was taken twice: ${JSON.stringify(again.reply)}`)
    if (taken && row === undefined) await this.requireOne(order, say)
  }

  private async resolveCancel(
    order: Order,
    { open }: Seen,
    say: (order: Order, what: string) => void,
  ): Promise<void> {
    this.doubted += 1
    const cancel = order.cancel!
    if (!(await this.client.send(cancel))) return say(order, 'got no reply to its cancel')
    if (open.has(order.clientId) && isReplayed(cancel))
      say(order, 'is open, and its cancel had been taken')
  }

  private async requireOne(order: Order, say: (order: Order, what: string) => void): Promise<void> {
    const { rows } = await this.read(this.client.connection!)
    const found = rows.get(order.clientId)?.length ?? 0
    if (found !== 1) say(order, `is there ${found} times after it was sent again`)
  }

  private async readMarks(api: Connection): Promise<void> {
    const prices = dataOf<{ symbol: string; mark: string }[]>(await api.get('/api/v1/info/prices'))
    for (const { symbol, mark } of prices) this.marks.set(symbol, Number(mark))
  }

  /** What is open and what history has, of one moment: an order that waits behind the speed bump
   *  may be filled between two reads. */
  private async read(api: Connection): Promise<Seen> {
    for (let open = await this.readOpen(api); ; ) {
      const rows = await this.readRows(api)
      const after = await this.readOpen(api)
      if (open.size === after.size && [...open].every((id) => after.has(id))) return { open, rows }
      open = after
    }
  }

  private async asOwner(api: Connection, path: string): Promise<Reply> {
    return api.get(path, await this.client.readHeaders())
  }

  private async readOpen(api: Connection): Promise<ReadonlySet<string>> {
    const account = this.client.key.address
    const openRows = dataOf<Row[]>(await this.asOwner(api, `/api/v1/orders?account=${account}`))
    return new Set(openRows.map(({ client_order_id }) => client_order_id ?? ''))
  }

  private async readRows(api: Connection): Promise<Seen['rows']> {
    const account = this.client.key.address
    const rows = new Map<string, Row[]>()
    let cursor: string | null = ''
    while (cursor !== null) {
      const query = `account=${account}&limit=4000&cursor=${cursor}`
      const reply = await this.asOwner(api, `/api/v1/orders/history?${query}`)
      const page = dataOf<Row[]>(reply)
      for (const row of page) {
        const clientId = row.client_order_id ?? ''
        rows.set(clientId, [...(rows.get(clientId) ?? []), row])
      }
      const { next_cursor } = reply.body as { next_cursor: string | null }
      cursor = (page.at(-1)?.order_id ?? 0) <= this.seenId ? null : next_cursor
    }
    return rows
  }
}

type Seen = Readonly<{ open: ReadonlySet<string>; rows: ReadonlyMap<string, readonly Row[]> }>

const idOf = ({ order_id }: Row) => order_id

function idIn({ body }: Reply): number {
  return (body as { data: { order_id: number } }).data.order_id
}

function isLive({ place, cancel }: Order): boolean {
  return place.known === 'ok' && cancel === null
}

/** Decimal text of a whole number of steps. */
function textOf(value: number, scale: number): string {
  if (scale === 0) return `${value}`
  const digits = `${value}`.padStart(scale + 1, '0')
  const fraction = digits.slice(-scale).replace(/0+$/, '')
  return digits.slice(0, -scale) + (fraction === '' ? '' : `.${fraction}`)
}
