import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withIsoTimes } from './csv-times.ts'

test('times become ISO, everything else stays to the byte', () => {
  const table =
    'history_id,amount,reason,created_at,updated_at\r\n' +
    '1700000000000,0.00001,,1700000000123,0\r\n' +
    '2,-12345678.000001,"a ""quoted"", text\r\nover lines",1700000000000,\r\n'
  assert.equal(
    withIsoTimes(table),
    'history_id,amount,reason,created_at,updated_at\r\n' +
      '1700000000000,0.00001,,2023-11-14T22:13:20.123Z,1970-01-01T00:00:00.000Z\r\n' +
      '2,-12345678.000001,"a ""quoted"", text\r\nover lines",2023-11-14T22:13:20.000Z,\r\n',
  )
})

test('a text that is not a table, or a cell that is not a time, is unchanged', () => {
  for (const text of ['', 'a,created_at\r\n1,soon\r\n', 'created_at\r\n"1\r\n', 'a"b,c\r\n'])
    assert.equal(withIsoTimes(text), text)
})
