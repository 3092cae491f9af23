// The rows of streams that were resumed, and the same events as REST has them.

import assert from 'node:assert/strict'
import { patiently } from '../../http/patiently.ts'
import { StreamClient } from '../stream-client.ts'
import type { ResumingReader, Row } from './resuming-reader.ts'

const transferNames = ['event_type', 'amount', 'balance', 'pending_balance', 'created_at'] as const
const transferFields = (row: Row) => transferNames.map((name) => row[name])

/** Where REST has the events of a source, and the fields that both have. */
const lists = {
  account_trades: {
    path: '/trades/history',
    isOf: () => true,
    streamed: ({ h, i, I, a, p, o, f, n, te, ts, t }: Row) => [h, i, I, a, p, o, f, n, te, ts, t],
    stored: (row: Row) => [
      ...[row.history_id, row.order_id, row.client_order_id, row.amount, row.price],
      ...[row.entry_price, row.fee, row.pnl, row.event_type, row.side, row.created_at],
    ],
  },
  account_transfers: {
    path: '/account/balance/history',
    isOf: ({ event_type }: Row) => event_type === 'deposit' || event_type === 'withdraw',
    streamed: transferFields,
    stored: transferFields,
  },
} as const

/** The same of the events of each order or TWAP. */
const lives = {
  account_order_updates: {
    list: '/orders/history',
    path: '/orders/history_by_id',
    idOf: ({ i }: Row) => i,
    streamed: ({ oe, os, a, f, ut }: Row) => [oe, os, a, f, ut],
    stored: (row: Row) => [
      ...[row.event_type, row.order_status, row.initial_amount, row.filled_amount],
      row.created_at,
    ],
  },
  user_order_history: {
    list: '/orders/history',
    path: '/orders/history_by_id',
    idOf: ({ i }: Row) => i,
    streamed: ({ oe, t }: Row) => [oe, t],
    stored: (row: Row) => [row.event_type, row.created_at],
  },
  account_twap_order_updates: {
    list: '/orders/twap/history',
    path: '/orders/twap/history_by_id',
    idOf: ({ order_id }: Row) => order_id,
    streamed: stepFields,
    stored: stepFields,
  },
} as const

function stepFields(row: Row) {
  return [row.event_type, row.order_status, row.filled_amount, row.past_sub_order_count]
}

export const sources = [...Object.keys(lists), ...Object.keys(lives)]

/** With the key of its owner, or as anyone. */
export async function requireSame(
  { address, rows }: ResumingReader,
  url: string,
  apiKey: string | null,
): Promise<void> {
  const headers: Record<string, string> = apiKey === null ? {} : { 'SVC-API-KEY': apiKey }
  const get = async (path: string) => {
    const reply = await patiently(() => fetch(`${url}/api/v1${path}`, { headers }))
    const text = await reply.text()
    assert.equal(reply.status, 200, `${path}: ${text}`)
    return JSON.parse(text) as { data: Row[]; next_cursor: string | null }
  }
  const known = new Map<string, Promise<{ data: Row[] }>>()
  const once = (path: string) => {
    const reply = known.get(path) ?? get(path)
    known.set(path, reply)
    return reply
  }
  /** Oldest first. */
  const all = async (path: string): Promise<readonly Row[]> => {
    const found: Row[] = []
    for (let cursor = ''; ; ) {
      const { data, next_cursor } = await get(`${path}?account=${address}&limit=4000${cursor}`)
      found.push(...data)
      if (next_cursor === null) return found.reverse()
      cursor = `&cursor=${next_cursor}`
    }
  }
  for (const [source, { path, isOf, streamed, stored }] of Object.entries(lists)) {
    // The first deposit came before the reader did.
    const expected = (await all(path)).filter(isOf).slice(source === 'account_transfers' ? 1 : 0)
    assert.deepEqual(rows.get(source)!.map(streamed), expected.map(stored))
  }
  for (const [source, { list, path, idOf, streamed, stored }] of Object.entries(lives)) {
    const came = new Map<unknown, Row[]>()
    for (const row of rows.get(source)!) came.set(idOf(row), [...(came.get(idOf(row)) ?? []), row])
    const ids = (await all(list)).map(({ order_id }) => order_id)
    assert.deepEqual([...came.keys()].sort(), ids.sort(), source)
    for (const id of ids) {
      const { data } = await once(`${path}?order_id=${id}`)
      const expected = data.toReversed().map(stored)
      assert.deepEqual(came.get(id)!.map(streamed), expected, `${source} ${id}`)
    }
  }
}

/** A new subscription with `since` begins with the newer half of the fills. */
export async function requireSince(reader: ResumingReader, wsUrl: string): Promise<void> {
  const { address: account } = reader
  const fills = reader.rows.get('account_trades')!
  const since = fills[fills.length >> 1]!.t as number
  const client = await StreamClient.open(wsUrl)
  const { data } = await client.subscribe('account_trades', { account, since })
  assert.equal((data as Row).resumed, true)
  await client.settle()
  const rows = client.of('account_trades').flatMap((frame) => frame.data as readonly Row[])
  assert.deepEqual(
    rows,
    fills.filter(({ t }) => (t as number) >= since),
  )
  await client.close()
}
