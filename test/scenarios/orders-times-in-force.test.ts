// ORDER-4's table of times in force, row by row: each word does what the document says of it. A row
// that is added to the document is played here too.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event } from '../../src/core/events/event-fields.ts'
import { tifs } from '../../src/words/order-words.ts'
import { ruleText } from '../support/rule-table.ts'
import { given } from '../support/scene.ts'

const rows = ruleText('orders')
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .filter(([, word = '', , rest = '']) => /^[A-Z]{3}$/.test(word) && /^(rests|ends)$/.test(rest))
  .map(([, word = '', crossing = '', rest = '']) => ({ word, crossing, rest }))

type Tif = (typeof tifs)[number]
const limit = 60_010

/** The result of a bid for ten lots at the best ask, which has this size. */
function bid(tif: string, offered: number): readonly Event[] {
  const funds = { maker: 10 ** 10, taker: 10 ** 10 }
  const scene = given({ markets: ['BTC'], market: { speedBumpMs: 0 }, funds })
  if (offered > 0) scene.ask('maker', offered, limit, { tif: 'ALO' }).accepted()
  return scene.bid('taker', 10, limit, { tif: tif as Tif }).events
}

/** The steps of the order after it was placed, in the words of the table. */
function story(events: readonly Event[]): string {
  const steps = events.slice(1).map((event) => {
    if (event.type === 'Traded') return `takes ${event.lots}`
    if (event.type === 'OrderRested') return `rests ${event.remaining} at ${event.price}`
    return event.type === 'OrderCancelled' ? `ends ${event.reason}` : ''
  })
  return steps.filter((step) => step !== '').join(', ')
}

const halfThere: Readonly<Record<string, string>> = {
  'takes rests': `takes 4, rests 6 at ${limit}`,
  'takes ends': 'takes 4, ends expired',
  'takes all or ends ends': 'ends expired',
  'ends rests': 'ends post_only_rejected',
  'steps aside rests': `rests 10 at ${limit - 1}`,
}

test('the table names every time in force, in the order of their places (ORDER-4)', () => {
  assert.deepEqual(
    rows.map(({ word }) => word),
    [...tifs],
  )
})

for (const { word, crossing, rest } of rows)
  test(`${word} ${crossing} where it crosses, and what is left ${rest} (ORDER-4)`, () => {
    assert.equal(story(bid(word, 4)), halfThere[`${crossing} ${rest}`])
    if (crossing.startsWith('takes')) assert.equal(story(bid(word, 10)), 'takes 10')
    const alone = rest === 'rests' ? `rests 10 at ${limit}` : 'ends expired'
    assert.equal(story(bid(word, 0)), alone)
  })
