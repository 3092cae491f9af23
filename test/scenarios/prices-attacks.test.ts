// Attacks on prices, through both engines: each is run twice, with the trick and without, and may
// bring the accounts of one mind no more with it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BTC, freeTiers, given, type Scene, START } from '../support/scene.ts'

const hour = 3_600_000
const ring = ['A', 'B'] as const
/** A taker waits for 200 ms, so an order that exists for 20 ms cannot be hit. */
const market = { speedBumpMs: 200, leverageMax: 10 }

/** The ring has both sides of a trade, and the book of a stranger is far away. */
function begun(): Scene {
  const funds = { A: 100_000_000_000, B: 100_000_000_000, C: 10 ** 12 }
  const scene = given({ market, markets: ['BTC'], tiers: freeTiers, funds })
  scene.ask('A', 100_000, 60_000, { tif: 'ALO' }).accepted()
  scene.bid('B', 100_000, 60_000).accepted()
  scene.wait(200).includes({ type: 'Traded' })
  scene.bid('C', 100_000, 54_000, { tif: 'ALO' }).accepted()
  scene.ask('C', 100_000, 66_000, { tif: 'ALO' }).accepted()
  return scene
}

/** Quotes of the ring around one moment, gone before anybody can take them. */
function flash(scene: Scene, lots: number, moment: () => void): void {
  const bid = scene.bid('A', lots, 65_900, { tif: 'ALO' }).accepted().one('OrderPlaced').order
  const ask = scene.ask('B', lots, 65_940, { tif: 'ALO' }).accepted().one('OrderPlaced').order
  scene.later(10)
  moment()
  scene.later(10)
  scene.cancel('A', bid).accepted()
  scene.cancel('B', ask).accepted()
}

function withdrawable(scene: Scene): number {
  return ring.reduce((sum, name) => sum + scene.account(name).withdrawable, 0)
}

/** Eleven minutes of ticks, with something done before each. */
function ticked(before: (scene: Scene, tick: () => void) => void) {
  const scene = begun()
  const marks: number[] = []
  scene.quietly(() => {
    for (let tick = 1; tick <= 220; tick++) {
      scene.now = START + tick * 3_000 - 10
      before(scene, () => marks.push(scene.tick(BTC, 60_000).one('MarkUpdated').mark))
    }
  })
  return { marks, money: withdrawable(scene) }
}

test('two 12-dollar quotes alive for 20 ms around each tick change nothing (PRICE-8)', () => {
  const plain = ticked((_, tick) => tick())
  assert.deepEqual(
    ticked((scene, tick) => flash(scene, 20, tick)),
    plain,
  )
})

test('a book of the ring alone, 10 % away, moves no mark and frees no money (PRICE-2)', () => {
  const plain = ticked((_, tick) => tick())
  let quoted = false
  const pushed = ticked((scene, tick) => {
    if (!quoted) {
      scene.bid('A', 100_000, 65_900, { tif: 'ALO' }).accepted()
      scene.ask('B', 100_000, 65_940, { tif: 'ALO' }).accepted()
      scene.buys('A', 'B', 100, 65_920)
    }
    quoted = true
    tick()
  })
  assert.deepEqual(pushed.marks, plain.marks)
  assert.ok(pushed.money <= plain.money)
})

test('quotes alive for 20 ms around each sample steer no funding (FUND-1, PRICE-8)', () => {
  const rate = (trick: boolean) => {
    const scene = begun()
    scene.quietly(() => {
      for (let sample = 1; sample < 720; sample++) {
        scene.now = START + sample * 5_000 - 10
        scene.tick(BTC, 60_000)
        const passes = () => scene.wait(0)
        if (trick) flash(scene, 40_000, passes)
      }
    })
    scene.now = START + hour
    return scene.run({ type: 'Tick' }).one('FundingFixed').rate
  }
  assert.equal(rate(true), rate(false))
})

test('a stale feed does not allow trades at the old price (PRICE-9)', () => {
  // The price fell by 20 % and the feed says nothing. The ring trades with itself at the old mark,
  // fifty times levered: one side will be bankrupt, the other keeps the move.
  const money = (trick: boolean) => {
    const funds = { A: 100_000_000_000, B: 100_000_000_000, C: 10 ** 12, insurance: 10 ** 12 }
    const listed = { staleAfterMs: 4_500, speedBumpMs: 200 }
    const scene = given({ market: listed, markets: ['BTC'], tiers: freeTiers, funds })
    const before = scene.balance('insurance')
    scene.wait(4_501).includes({ type: 'FeedHealthChanged', health: 'stale' })
    if (trick) {
      scene.ask('A', 1_500_000, 60_000, { tif: 'ALO' }).accepted()
      scene.bid('B', 1_500_000, 60_000).refused('ORACLE_NOT_AVAILABLE', 4_501)
      scene.wait(200).lacks('Traded')
    }
    for (let tick = 0; tick < 10; tick++) scene.later(3_000).tick(BTC, 48_000)
    assert.equal(scene.balance('insurance'), before)
    return scene.account('A').equity + scene.account('B').equity
  }
  assert.equal(money(true), money(false))
})
