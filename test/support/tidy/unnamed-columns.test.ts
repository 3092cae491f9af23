// The search itself; the rule that uses it is in test/tidy.test.ts.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unnamedColumnsIn } from './unnamed-columns.ts'

test('a column that has only a number is found, with its line', () => {
  for (const line of [
    'this.price = rows[at + 13]!',
    'const next = log.rows[at + 1]',
    'heads[index * width + 1] = atMs',
    'values[2 * at + 12] = 0',
    'history: cells.number(0),',
    'clientOrderId: row.textOrNull(17),',
    'row[3] = addressOf(row)',
    'const [id, at, account] = cells',
    'const [seq, account] = found.cells',
    'const price = bytes.readInt32LE(at + 8)',
    'view.setFloat64(at + 16, size, true)',
    "prepare('INSERT INTO fills VALUES (?, ?)')",
    'prepare(`INSERT OR REPLACE INTO bars SELECT market FROM saved`)',
    "prepare('SELECT * FROM deeds WHERE seq < ?')",
    'prepare(`SELECT f.*, o.client FROM fills f`)',
    'prepare(`SELECT o.client, f.* FROM fills f`)',
    'prepare(`SELECT a, b FROM fills GROUP BY 1, 2`)',
    'prepare(`SELECT a FROM fills ORDER BY a, 2 DESC`)',
  ]) {
    const found = unnamedColumnsIn(`const one = 1\n${line}\n`)
    assert.equal(found.length, 1, line)
    assert.equal(found[0]!.line, 2, line)
  }
})

test('a named column is fine, and so is anything that is not a column', () => {
  for (const line of [
    'this.price = rows[at + traded.price]!',
    'rows[at] = kind',
    'keys[at] = keys[at + 1]!',
    'if (rows[0] !== undefined) show(rows[0].price)',
    'const [first] = rows',
    'const cells = [1, 2]',
    'words[3] = rotated(words[3]!, 11)',
    'history: row.int(fills.history),',
    'const seq = bytes.readBigUInt64LE(start + seqAt)',
    'bytes.writeUInt32LE(magic, 0)',
    "prepare('INSERT INTO fills (history, account) VALUES (?, ?)')",
    'prepare(`INSERT INTO bars (level, market) SELECT level, market FROM saved`)',
    "prepare('SELECT count(*) FROM fills GROUP BY account, history / 512')",
    'prepare(`SELECT id FROM orders ORDER BY id DESC LIMIT 1`)',
    '// once it was rows[at + 13]',
  ])
    assert.deepEqual(unnamedColumnsIn(line), [], line)
})
