import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from '../../../client/client.ts'
import { type PastRow, pastPage } from './past-work.ts'

type Query = Readonly<{ cursor?: string | null; limit?: number | null }>

/** A history of these ids that is paged as the exchange does it. */
function historyOf(ids: readonly number[], part: object) {
  return async ({ cursor, limit }: Query) => {
    const older = ids.filter((id) => cursor == null || id < Number(cursor))
    const shown = older.slice(0, limit ?? 100)
    const rows = shown.map((order_id) => ({ order_id, order_status: 'filled', ...part }))
    return { rows, next_cursor: shown.length < older.length ? String(shown.at(-1)) : null }
  }
}

async function allPages(twaps: readonly number[], algos: readonly number[], limit: number) {
  const client = {
    getTwapHistory: historyOf(twaps, { event_type: 'expired' }),
    getAlgoHistory: historyOf(algos, { kind: 'chase', reason: null }),
  } as unknown as Client
  const rows: PastRow[] = []
  let cursor: string | null = null
  do {
    const page = await pastPage(client, { account: 'me', cursor, limit })
    rows.push(...page.rows)
    cursor = page.next_cursor
  } while (cursor !== null)
  return rows
}

test('TWAPs and algos are one list by time, whatever the pages of each', async () => {
  const many = Array.from({ length: 40 }, (_, at) => 40 - at)
  const splits: readonly ((id: number) => boolean)[] = [
    (id) => id % 2 === 0,
    (id) => id > 30,
    (id) => id < 5,
    (id) => id % 7 === 3,
    () => true,
    () => false,
  ]
  for (const limit of [1, 3, 10, 100])
    for (const isTwap of splits) {
      const rows = await allPages(
        many.filter(isTwap),
        many.filter((id) => !isTwap(id)),
        limit,
      )
      assert.deepEqual(
        rows.map(({ id, kind }) => [id, kind]),
        many.map((id) => [id, isTwap(id) ? 'TWAP' : 'Chase']),
      )
    }
  assert.deepEqual(await allPages([], [], 3), [])
})

test('running work is not included, and an expired TWAP is named so', async () => {
  const open = historyOf([2, 1], { kind: 'chase', order_status: 'partially_filled' })
  const over = historyOf([3], { event_type: 'expired' })
  const client = { getTwapHistory: over, getAlgoHistory: open } as unknown as Client
  const { rows } = await pastPage(client, { account: 'me', cursor: null, limit: 9 })
  assert.deepEqual(
    rows.map(({ id, reason }) => [id, reason]),
    [[3, 'expired']],
  )
})
