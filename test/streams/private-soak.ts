// Accounts by their streams: a client follows two accounts through random trading, loses its
// connection again and again, comes back with `resume_from`, and at the end has exactly what REST
// has: every order, position, balance and fill, none twice.

import assert from 'node:assert/strict'
import type { Command } from '../../src/core/commands/commands.ts'
import { stateBehind } from '../support/opened-state.ts'
import { Dice } from '../support/streams/dice.ts'
import { keyNamed, type LiveExchange } from '../support/streams/live-exchange.ts'
import { type Frame, StreamClient } from '../support/streams/stream-client.ts'

type Row = Record<string, unknown>
const sources = [
  'account_orders',
  'account_order_updates',
  'account_trades',
  'positions',
  'account_data',
] as const
type Source = (typeof sources)[number]

/** What a client that keeps to the documents knows. */
class Follower {
  readonly orders = new Map<number, Row>()
  readonly fills: Row[] = []
  /** Every event of stops, by their id. */
  readonly stops = new Map<number, Row[]>()
  positions: Row[] = []
  account: Row = {}
  resumed = 0
  private readonly address: string
  /** Of the last frame of each channel. */
  private readonly li = new Map<Source, number>()
  private client: StreamClient | null = null

  constructor(address: string) {
    this.address = address
  }

  async connect(url: string): Promise<void> {
    const client = await StreamClient.open(url)
    this.client = client
    client.onFrame = (frame) => {
      if (frame.channel === 'subscribe') this.acknowledged(frame)
      else this.take(frame.channel as Source, frame)
    }
    for (const source of sources) {
      const li = this.li.get(source)
      const resume = li === undefined ? {} : { resume_from: li }
      const { data } = await client.subscribe(source, { account: this.address, ...resume })
      if (li === undefined) continue
      assert.equal((data as Row).resumed, true, 'the window is long enough for this test')
      this.resumed += 1
    }
  }

  private acknowledged({ data, li }: Frame): void {
    const { source } = data as { source: Source }
    if (!this.li.has(source)) this.li.set(source, li!)
  }

  private take(source: Source, frame: Frame): void {
    this.li.set(source, frame.li!)
    switch (source) {
      case 'account_orders': {
        // The whole list, each time.
        this.orders.clear()
        for (const row of frame.data as Row[]) this.orders.set(row.i as number, row)
        break
      }
      case 'account_order_updates':
        for (const row of frame.data as Row[]) {
          if (row.sp === null) continue
          const id = row.i as number
          this.stops.set(id, [...(this.stops.get(id) ?? []), row])
        }
        break
      case 'account_trades':
        this.fills.push(...(frame.data as Row[]))
        break
      case 'positions':
        this.positions = frame.data as Row[]
        break
      case 'account_data':
        this.account = frame.data as Row
        break
      default:
    }
  }

  cut(): void {
    this.client!.cut()
    this.client!.onFrame = () => undefined
  }

  settle(): Promise<void> {
    return this.client!.settle()
  }

  close(): Promise<void> {
    return this.client!.close()
  }
}

export async function privateSoak(exchange: LiveExchange, disconnects: number, seed: number) {
  const dice = new Dice(seed)
  const { exchange: inside } = exchange.running
  const keys = [keyNamed(31), keyNamed(32), keyNamed(33)]
  for (const key of keys) await exchange.fund(key, '10000000')
  const accounts = keys.map(({ address }) => inside.view.accounts.idOf(address))
  const followers = keys.slice(0, 2).map(({ address }) => new Follower(address))
  for (const follower of followers) await follower.connect(exchange.wsUrl)
  const market = inside.view.symbols.get('SOL')!
  let commands = 0
  for (let cuts = 0; cuts < disconnects; ) {
    const submitted = Array.from({ length: dice.upTo(12) }, () =>
      command(dice, { market, accounts, inside }),
    )
    commands += submitted.length
    const done = Promise.all(submitted.map((each) => inside.submit(each)))
    if (dice.chance(3)) {
      const follower = dice.of(followers)
      if (dice.chance(2)) await done
      follower.cut()
      cuts += 1
      await follower.connect(exchange.wsUrl)
    }
    await done
  }
  for (const [at, follower] of followers.entries()) {
    await follower.settle()
    await requireSame(exchange, keys[at]!.address, follower)
    await follower.close()
  }
  const fills = followers.reduce((sum, each) => sum + each.fills.length, 0)
  const resumed = followers.reduce((sum, each) => sum + each.resumed, 0)
  return { disconnects, commands, fills, resumed }
}

type World = Readonly<{
  market: number
  accounts: readonly number[]
  inside: LiveExchange['running']['exchange']
}>

function command(dice: Dice, { market, accounts, inside }: World): Command {
  const account = dice.of(accounts)
  const common = { account, proof: null, market }
  const side = dice.of(['bid', 'ask'])
  const price = 15_000 + dice.upTo(40) - 20
  const size = dice.upTo(20) * 10
  const level = { limitPrice: null, size: null, triggerBy: 'mark', clientOrderId: null }
  const cancelled = { type: 'CancelAllOrders', ...common, excludeReduceOnly: false }
  if (dice.chance(25)) return cancelled as never
  if (dice.chance(12)) {
    const live = [...stateBehind(inside.view).clientIds.keys()]
    const order = live.length === 0 ? 1 : dice.of(live)
    return { type: 'EditOrder', ...common, order, clientOrderId: null, price, size } as never
  }
  if (dice.chance(12))
    return {
      ...{ type: 'PlaceStop', ...common, side: 'bid', reduceOnly: false },
      level: { ...level, stopPrice: 16_000 + dice.upTo(100), size },
    } as never
  return {
    ...{ type: 'PlaceOrder', ...common, side, price, size, reduceOnly: dice.chance(10) },
    tif: dice.of(['GTC', 'GTC', 'ALO', 'IOC']),
    clientOrderId: `00000000-0000-4000-8000-${String(dice.upTo(1e12 - 1)).padStart(12, '0')}`,
    takeProfit: null,
    stopLoss: dice.chance(8) ? { ...level, stopPrice: side === 'bid' ? 14_000 : 16_000 } : null,
  } as never
}

async function requireSame(exchange: LiveExchange, address: string, follower: Follower) {
  const { data: open } = await exchange.get<{ data: Row[] }>(`/orders?account=${address}`)
  const known = [...follower.orders.values()].sort((one, other) => +other.i! - +one.i!)
  assert.deepEqual(
    known.map(({ i, I, s, side, ip, f, c, sp, ot, ro }) => [i, I, s, side, ip, f, c, sp, ot, ro]),
    open.map((row) => [
      ...[row.order_id, row.client_order_id, row.symbol, row.side, row.price],
      ...[row.filled_amount, row.cancelled_amount, row.stop_price, row.order_type],
      row.reduce_only,
    ]),
  )
  for (const [id, published] of follower.stops) {
    const path = `/orders/history_by_id?order_id=${id}`
    const { data: events } = await exchange.get<{ data: Row[] }>(path)
    assert.deepEqual(
      published.map(({ oe, os, a, si, ut }) => [oe, os, a, si, ut]),
      events
        .reverse()
        .map((row) => [
          ...[row.event_type, row.order_status, row.initial_amount],
          ...[row.stop_parent_order_id, row.created_at],
        ]),
    )
  }
  assert.ok(follower.stops.size > 0)
  const fills = await allFills(exchange, address)
  assert.deepEqual(
    follower.fills.map(({ h, i, I, a, p, o, f, n, te, ts }) => [h, i, I, a, p, o, f, n, te, ts]),
    fills.map((row) => [
      ...[row.history_id, row.order_id, row.client_order_id, row.amount, row.price],
      ...[row.entry_price, row.fee, row.pnl, row.event_type, row.side],
    ]),
  )
  const positions = await exchange.get<Row[]>(`/positions?account=${address}`)
  assert.deepEqual(
    follower.positions.map(({ s, d, a, p, m }) => [s, d, a, p, m]),
    positions.map(({ symbol, side, amount, entryPrice, margin, isolated }) => [
      ...[symbol, side, amount, entryPrice, isolated ? margin : '0'],
    ]),
  )
  const { data: account } = await exchange.get<{ data: Row }>(`/account?account=${address}`)
  const { b, ae, as: spendable, aw, oc, pc, sc } = follower.account
  assert.deepEqual(
    [b, ae, spendable, aw, oc, pc, sc],
    [
      ...[account.balance, account.account_equity, account.available_to_spend],
      ...[account.available_to_withdraw, account.orders_count, account.positions_count],
      account.stop_orders_count,
    ],
  )
}

/** Oldest first. */
async function allFills(exchange: LiveExchange, address: string): Promise<Row[]> {
  const rows: Row[] = []
  let cursor = ''
  for (;;) {
    const page = await exchange.get<{ data: Row[]; next_cursor: string | null }>(
      `/trades/history?account=${address}&limit=4000${cursor}`,
    )
    rows.push(...page.data)
    if (page.next_cursor === null) return rows.reverse()
    cursor = `&cursor=${page.next_cursor}`
  }
}
