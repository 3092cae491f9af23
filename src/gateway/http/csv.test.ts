import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from '../../protocol/schemas/typebox.ts'
import type { Operation } from '../operation.ts'
import { csvOf, wantsCsv } from './csv.ts'

const reply = Type.Object({
  rows: Type.Array(
    Type.Object({
      a: Type.String(),
      b: Type.Integer(),
      c: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
})

test('a header row, CRLF after every row, commas and quotes quoted', () => {
  assert.equal(csvOf(reply, []), 'a,b,c\r\n')
  const rows = [
    { a: 'x,y', b: 7, c: null },
    { a: 'quoted "no"', b: -1, c: 'two\nlines' },
  ]
  const table = 'a,b,c\r\n"x,y",7,\r\n"quoted ""no""",-1,"two\nlines"\r\n'
  assert.equal(csvOf(reply, rows), table)
})

test('a column that few rows have is the last, and only where one has it', () => {
  const row = Type.Object({ a: Type.String(), b: Type.Optional(Type.Integer()), c: Type.String() })
  const page = Type.Object({ rows: Type.Array(row) })
  assert.equal(csvOf(page, [{ a: 'x', c: 'y' }]), 'a,c\r\nx,y\r\n')
  const rows = [
    { a: 'x', c: 'y' },
    { a: 'p', b: 7, c: 'q' },
  ]
  assert.equal(csvOf(page, rows), 'a,c,b\r\nx,y,\r\np,q,7\r\n')
})

test('negative numbers stay numbers, other text never becomes a formula', () => {
  const cells = ['-1.5', '-0.000001', '=1+1', '+1', '@SUM(A1)', '-1+1', '-', '\t=1', '-A1']
  const table = csvOf(
    reply,
    cells.map((a) => ({ a, b: 0, c: null })),
  )
  const shown = table.split('\r\n').slice(1, -1)
  const expected = [
    '-1.5',
    '-0.000001',
    "'=1+1",
    "'+1",
    "'@SUM(A1)",
    "'-1+1",
    "'-",
    "'\t=1",
    "'-A1",
  ]
  assert.deepEqual(
    shown,
    expected.map((cell) => `${cell},0,`),
  )
})

test('the query decides, else the accept header, and only where there is a table', () => {
  const table = { csv: true } as Operation
  assert.equal(wantsCsv(table, { format: 'csv' }, undefined), true)
  assert.equal(wantsCsv(table, { format: 'json' }, 'text/csv'), false)
  assert.equal(wantsCsv(table, {}, 'text/csv; charset=utf-8'), true)
  assert.equal(wantsCsv(table, {}, 'text/csv, application/json'), true)
  assert.equal(wantsCsv(table, {}, 'application/json, text/csv'), false)
  assert.equal(wantsCsv(table, {}, '*/*'), false)
  assert.equal(wantsCsv(table, {}, undefined), false)
  const other = { name: 'get_info', http: 'GET /info', csv: false } as unknown as Operation
  assert.equal(wantsCsv(other, { format: 'json' }, 'text/csv'), false)
  const refused = () => wantsCsv(other, { format: 'csv' }, undefined)
  assert.throws(refused, /get_info is not served as csv; leave format out/)
  assert.throws(() => wantsCsv(table, { format: 'xml' }, undefined), /json or csv/)
})
