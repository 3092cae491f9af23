import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DatabaseSync } from '@photostructure/sqlite'
import { Random } from '../../../test/programs/differential/random.ts'
import { schema } from './schema.ts'
import { FillLists } from './tables/fill-lists.ts'

type Row = Readonly<{ id: number; account: number; market: number }>

// Stretches of 4 ids, so that some hundred rows reach the second level, cross its borders and leave
// whole stretches empty.
test('a seek finds the row at an offset of its list', () => {
  const database = new DatabaseSync(':memory:')
  database.exec(schema)
  const insert = database.prepare('INSERT INTO fills (history, account, market) VALUES (?, ?, ?)')
  const remove = database.prepare('DELETE FROM fills WHERE history = ?')
  const lists = new FillLists(database, 4)
  const random = new Random(1)
  let rows: Row[] = []
  for (let id = 1; id <= 400; id++) {
    const row = { id, account: random.between(1, 3), market: random.between(1, 2) }
    rows.push(row)
    insert.run(id, row.account, row.market)
    lists.add(id, row.account, row.market)
  }
  lists.flush()
  const check = () => {
    for (let n = 0; n < 1_500; n++) {
      const list = { account: random.between(0, 4), market: random.between(0, 3) }
      const top = random.between(0, 420)
      const mine = rows
        .filter(({ account }) => list.account === 0 || account === list.account)
        .filter(({ market }) => list.market === 0 || market === list.market)
        .filter(({ id }) => id <= top)
        .reverse()
      const offset = random.below(mine.length + 3)
      assert.equal(lists.seek(list, top, offset), mine[offset]?.id ?? 0)
    }
  }
  check()
  const gone = rows.filter(({ id, account }) => (account === 1 && id < 350) || id % 7 === 0)
  for (const { id, account, market } of gone) {
    remove.run(id)
    lists.remove(Math.floor(id / 4), { account, market }, 1)
  }
  rows = rows.filter((row) => !gone.includes(row))
  check()
  const empty = database.prepare('SELECT count(*) AS n FROM fill_counts WHERE n <= 0').get()
  assert.deepEqual({ ...empty }, { n: 0 })
})
