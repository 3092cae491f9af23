import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { limits, type MarketView } from '../../core/index.ts'
import { recordBytesMax } from '../../sequencer/codec.ts'
import { MICRO_PER_TICK } from '../../units/units.ts'
import { noteOf, type Script, scriptFrom } from './script.ts'

const priceMax = limits.oracleTicksMax * MICRO_PER_TICK
const marketAt = (jumps: number) => ({ id: 3, jumps }) as unknown as MarketView

function notesOf(script: Script): ReadonlyMap<string, string> {
  const { name, text } = noteOf(marketAt(0), script)
  return new Map([[name, text!]])
}

test('a script is read as it was written, until its path is over', () => {
  const prices = fc.array(fc.integer({ min: 1, max: priceMax }), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(prices, fc.nat(), fc.nat(40), fc.boolean(), (prices, from, played, holds) => {
      const script: Script = { kind: 'path', prices, from, holds }
      const read = scriptFrom(notesOf(script), marketAt(from + played))
      const isOver = !holds && played >= prices.length
      assert.deepEqual(read, isOver ? null : script)
    }),
  )
  const silence: Script = { kind: 'silence', until: 1_750_000_000_000 }
  assert.deepEqual(scriptFrom(notesOf(silence), marketAt(9)), silence)
  assert.equal(scriptFrom(new Map(), marketAt(9)), null)
})

test('the longest path of the highest prices fits a note and its record', () => {
  const prices = Array.from({ length: 10_000 }, () => priceMax)
  const note = noteOf(marketAt(0), { kind: 'path', prices, from: 2 ** 52, holds: true })
  assert.ok(note.text!.length <= limits.noteLength, `${note.text!.length}`)
  assert.ok(JSON.stringify(note).length + 200 < recordBytesMax)
})
