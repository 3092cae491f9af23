import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { account, computed, flag, int, intOrNull, text, textOrNull, word } from './column.ts'
import { table } from './table.ts'
import { cellsOf, packed, unpacked, type WireRow, wireRow } from './wire-row.ts'

const colours = ['red', 'green', 'blue'] as const
const things = table(
  'things',
  { id: int, root: intOrNull, open: flag, owner: account, name: text, note: textOrNull },
  { key: ['id'], indexes: { owner: '(owner)' } },
)
const paints = table(
  'paints',
  { thing: int, coat: int, colour: word(colours) },
  { key: ['thing', 'coat'], unique: { colour: '(colour)' } },
)
const { columns: thing } = things
const { columns: paint } = paints

const thingRow = wireRow((row) => ({
  note: row.textOrNull(thing.note),
  id: row.int(thing.id),
  colour: row.word(paint.colour),
  open: row.flag(thing.open),
  owner: row.account(thing.owner),
  name: row.text(thing.name),
  root: row.intOrNull(thing.root),
  twice: 2 * row.int(computed(int, 'coats')),
}))

test('a table is made with its key, and its indexes after it', () => {
  assert.equal(
    things.create,
    'CREATE TABLE things (id INTEGER PRIMARY KEY, root INTEGER, open INTEGER, owner INTEGER, ' +
      'name TEXT, note TEXT);\nCREATE INDEX things_owner ON things (owner);\n',
  )
  assert.equal(
    paints.create,
    'CREATE TABLE paints (thing INTEGER, coat INTEGER, colour INTEGER, ' +
      'PRIMARY KEY (thing, coat)) WITHOUT ROWID;\n' +
      'CREATE UNIQUE INDEX paints_colour ON paints (colour);\n',
  )
})

test('a row selects the columns that it takes, in its order', () => {
  assert.deepEqual(
    thingRow.columns.map(({ sql }) => sql),
    [
      ...['things.note', 'things.id', 'paints.colour', 'things.open', 'things.owner'],
      ...['things.name', 'things.root', 'coats'],
    ],
  )
})

test('packed rows are unpacked: texts and nulls, words, flags and addresses', () => {
  const drawn = fc.record({
    note: fc.option(fc.string()),
    id: fc.maxSafeInteger(),
    colour: fc.nat(2),
    open: fc.nat(1),
    owner: fc.nat(5),
    name: fc.string(),
    root: fc.option(fc.maxSafeInteger()),
    coats: fc.nat(9),
  })
  const check = (rows: readonly (typeof drawn extends fc.Arbitrary<infer Row> ? Row : never)[]) => {
    const cells = rows.map((row) => [
      ...[row.note, row.id, row.colour, row.open, row.owner, row.name, row.root, row.coats],
    ])
    const pack = packed(thingRow, cells, (id) => `address ${id}`)
    assert.equal(new Set(pack.texts).size, pack.texts.length)
    const expected = rows.map(({ coats, ...row }) => ({
      ...row,
      colour: colours[row.colour],
      open: row.open === 1,
      owner: `address ${row.owner}`,
      twice: 2 * coats,
    }))
    assert.deepEqual(unpacked(thingRow, pack), expected)
  }
  fc.assert(fc.property(fc.array(drawn, { maxLength: 20 }), check))
})

test('a row that was worked out gives its cells in the order of its columns', () => {
  const row: WireRow<{ id: number; coat: number }> = wireRow((from) => ({
    id: from.int(thing.id),
    coat: from.int(paint.coat),
  }))
  assert.deepEqual(cellsOf(row, { coat: 2, id: 7 }), [7, 2])
})

test('a column is read with its type, or it does not compile', () => {
  // @ts-expect-error an account is returned as its address
  assert.ok(wireRow((row) => row.int(thing.owner)))
  // @ts-expect-error it may be nothing
  assert.ok(wireRow((row) => row.text(thing.note)))
  // @ts-expect-error there is no such column
  assert.throws(() => wireRow((row) => row.word(paint.color)))
})
