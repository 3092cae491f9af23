// The book by its changes: a client rebuilds it from `book_delta` while random orders come and go,
// losing its connection now and then, and must always have what the exchange has. Checks every
// frame against its checksum (by another implementation of CRC32), and that the book is never
// crossed.

import assert from 'node:assert/strict'
import * as zlib from 'node:zlib'
import type { Command } from '../../src/core/commands/commands.ts'
import { Dice } from '../support/streams/dice.ts'
import { keyNamed, type LiveExchange } from '../support/streams/live-exchange.ts'
import { type Frame, StreamClient } from '../support/streams/stream-client.ts'

type Level = { p: string; a: string; n: number }
type Delta = { l: [Level[], Level[]]; li: number; prev: number | null; cs: number }

const crc32 = (zlib as unknown as { crc32?: (text: string) => number }).crc32

class RebuiltBook {
  frames = 0
  li = 0
  private readonly sides = [new Map<string, Level>(), new Map<string, Level>()] as const

  take(frame: Frame): void {
    const { l, li, prev, cs } = frame.data as Delta
    this.frames += 1
    if (prev === null) for (const side of this.sides) side.clear()
    else assert.equal(prev, this.li, 'a frame is missing')
    this.li = li
    l.forEach((rows, at) => {
      for (const row of rows)
        if (row.n === 0) this.sides[at]!.delete(row.p)
        else this.sides[at]!.set(row.p, row)
    })
    const [bids, asks] = this.levels()
    const text = [bids, asks].map((rows) =>
      rows
        .slice(0, 25)
        .map(({ p, a }) => `${p}:${a}`)
        .join(),
    )
    if (crc32 !== undefined) assert.equal(cs, crc32(text.join('|')), text.join('|'))
    if (bids.length > 0 && asks.length > 0) assert.ok(+bids[0]!.p < +asks[0]!.p, 'crossed')
  }

  /** Best first. */
  levels(): [Level[], Level[]] {
    const sorted = (side: ReadonlyMap<string, Level>, sign: number) =>
      [...side.values()].sort((one, other) => sign * (+other.p - +one.p))
    return [sorted(this.sides[0], 1), sorted(this.sides[1], -1)]
  }
}

export async function bookSoak(exchange: LiveExchange, commands: number, seed: number) {
  const dice = new Dice(seed)
  const { exchange: inside } = exchange.running
  const accounts: number[] = []
  for (const n of [21, 22, 23]) {
    await exchange.fund(keyNamed(n), '100000000')
    accounts.push(inside.view.accounts.idOf(keyNamed(n).address))
  }
  const open = async () => {
    const book = new RebuiltBook()
    const client = await StreamClient.open(exchange.wsUrl)
    client.onFrame = (frame) => {
      if (frame.channel === 'book_delta') book.take(frame)
    }
    await client.subscribe('book_delta', { symbol: 'SOL' })
    return { client, book }
  }
  let reader = await open()
  let frames = 0
  let reconnects = 0
  const market = inside.view.symbols.get('SOL')!
  for (let sent = 0; sent < commands; ) {
    const count = Math.min(dice.upTo(20), commands - sent)
    const submitted = Array.from({ length: count }, () => command(dice, market, accounts))
    await Promise.all(submitted.map((each) => inside.submit(each)))
    sent += count
    if (dice.chance(4)) await new Promise((done) => setTimeout(done, dice.upTo(40)))
    // However slow the machine is, changes arrive one after the other now and then.
    if (dice.chance(4)) await requireSame(exchange, reader.book)
    if (dice.chance(30)) {
      frames += reader.book.frames
      reader.client.cut()
      reader = await open()
      reconnects += 1
    }
  }
  await requireSame(exchange, reader.book)
  await reader.client.close()
  return { commands, frames: frames + reader.book.frames, reconnects }
}

function command(dice: Dice, market: number, accounts: readonly number[]): Command {
  const account = dice.of(accounts)
  if (dice.chance(40))
    return {
      type: 'CancelAllOrders',
      account,
      proof: null,
      market,
      excludeReduceOnly: false,
    } as never
  const side = dice.of(['bid', 'ask'])
  return {
    type: 'PlaceOrder',
    account,
    proof: null,
    market,
    side,
    // Few prices around the mark, so that levels come, meet and go all the time.
    price: 15_000 + dice.upTo(80) - 40 + (side === 'bid' ? -10 : 10),
    size: dice.upTo(50) * 10,
    tif: dice.of(['GTC', 'ALO', 'IOC', 'TOB']),
    reduceOnly: false,
    clientOrderId: null,
    takeProfit: null,
    stopLoss: null,
  } as never
}

/** Nothing is on its way: what the client has is what REST has. */
async function requireSame(exchange: LiveExchange, book: RebuiltBook): Promise<void> {
  const deadline = Date.now() + 10_000
  for (;;) {
    const { data } = await exchange.get<{ data: { l: [Level[], Level[]] } }>(
      '/book?symbol=SOL&depth=1000',
    )
    const rebuilt = book.levels()
    if (JSON.stringify(rebuilt) === JSON.stringify(data.l)) return
    if (Date.now() > deadline) assert.deepEqual(rebuilt, data.l)
    await new Promise((done) => setTimeout(done, 10))
  }
}
