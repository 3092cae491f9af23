// docs/rules/invariants.md: what is true after every command. The scene checks it all the time;
// here each invariant is shown with numbers, and shown to be noticed when it is broken on purpose.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apply, createState, EventLog, type State } from '../../src/core/engine.ts'
import { checkInvariants } from '../../src/core/invariants.ts'
import { decodeState } from '../../src/core/snapshot/decode.ts'
import { encodeState } from '../../src/core/snapshot/encode.ts'
import { stateHash, tradingHash } from '../../src/sequencer/snapshots/state-hash.ts'
import { worked } from '../support/rule-table.ts'
import {
  BTC,
  ETH,
  freeTiers,
  given,
  levelAt,
  proofOf,
  type Scene,
  START,
} from '../support/scene.ts'
import { genesisOf } from '../support/scene-genesis.ts'

const funds = { A: 10 ** 11, B: 10 ** 11, C: 70_000_000 }

/** A day with a bit of everything: trades, levels, a TWAP, funding, a liquidation, withdrawals. */
function busyDay(): Scene {
  const scene = given({ market: { speedBumpMs: 200 }, funds })
  const frozen = (is: boolean) => scene.run({ type: 'SetClockFrozen', frozen: is })
  frozen(true)
  scene.buys('A', 'B', 1_000, 60_000)
  scene.buys('C', 'B', 5_000, 60_000)
  scene.own('A', 'SetMarginMode', { market: ETH, isolated: true })
  scene.sells('A', 'B', 500, 30_000, ETH)
  frozen(false)
  scene.bid('A', 700, 59_900, { takeProfit: levelAt(61_000), clientOrderId: 'mine' })
  scene.ask('B', 300, 60_100, { proof: proofOf('text', START) })
  const plan = { market: BTC, side: 'ask', size: 900, slippagePpm: 5_000, durationSeconds: 120 }
  scene.own('B', 'PlaceTwap', { ...plan, reduceOnly: false, clientOrderId: 'slow' })
  scene.own('B', 'Withdraw', { amount: 5_000_000 })
  scene.stop('B', 'ask', levelAt(59_500, { size: 200, triggerBy: 'last' }))
  for (let n = 0; n < 10; n++) scene.later(5_000).tick(BTC, 60_000 - 90 * n)
  scene.own('A', 'CreateSubaccount', { address: 'A2' })
  scene.mark(BTC, 59_000)
  scene.wait(3_600_000)
  return scene
}

function breaches(scene: Scene, damage: (state: State) => void): string {
  const copy = decodeState(encodeState(scene.state))
  damage(copy)
  return checkInvariants(copy).join('\n')
}

const bump = (numbers: { [at: number]: number }, at: number) => {
  numbers[at] = numbers[at]! + 1
}

test('case 44: every micro-dollar is somewhere (invariant 1, INV-11)', () => {
  const row = worked('invariants', 44)
  const [a = 0, b = 0, leverage, lots = 0, price = 0, completed = 0, requested = 0] = row.given()
  const scene = given({ funds: { A: a, B: b } })
  scene.own('A', 'SetMarginMode', { market: BTC, isolated: true })
  scene.own('A', 'SetLeverage', { market: BTC, leverage })
  scene.buys('A', 'B', lots, price)
  scene.own('B', 'Withdraw', { amount: completed })
  scene.run({ type: 'CompleteWithdrawal', withdrawal: 1 })
  scene.own('B', 'Withdraw', { amount: requested })
  const balances = ['A', 'B', 'fees'].map((name) => scene.balance(name))
  const { wallet, cost } = scene.position('A')!
  const { pending } = scene.account('B')
  const costs = [cost, -scene.held('B')[1]]
  const all = balances.reduce((sum, each) => sum + each, wallet + pending)
  assert.equal(all, a + b - completed)
  row.says(...balances, wallet, pending, ...costs, all)
  assert.match(
    breaches(scene, ({ accounts }) => bump(accounts.balance, scene.id('A'))),
    /^1 money: 5500000001 held, 5500000000 due/,
  )
})

test('case 45: for every lot long there is one short (invariant 2, INV-11)', () => {
  const row = worked('invariants', 45)
  const [first = 0, second = 0, third = 0] = row.given()
  const scene = given({ tiers: freeTiers, funds: { ...funds, C: 10 ** 11 } })
  scene.buys('A', 'B', first, 60_000)
  scene.buys('A', 'C', second, 60_000)
  scene.buys('B', 'C', third, 60_000)
  const held = ['A', 'B', 'C'].map((name) => scene.held(name)[0])
  row.says(...held, scene.book().openInterest)
  assert.match(
    breaches(scene, ({ positions }) => bump(positions.lots, 1)),
    /2 lots: market 1 sums to 1/,
  )
})

test('the book is never crossed, and a level is the sum of its orders (invariant 3)', () => {
  const scene = given({ funds })
  scene.bid('A', 100, 59_000)
  scene.bid('B', 70, 59_000)
  scene.ask('B', 50, 59_000)
  assert.deepEqual(scene.book().bids, [
    {
      price: 59_000,
      orders: [
        [1, 50],
        [2, 70],
      ],
    },
  ])
  assert.match(
    breaches(scene, ({ levels }) => bump(levels.lots, 1)),
    /3 book: market 1 price 59000 has 120 lots, says 121/,
  )
  assert.match(
    breaches(scene, ({ levels }) => bump(levels.plainLots, 1)),
    /3 book: market 1 price 59000 has 120 plain lots/,
  )
})

test('every open order is in one book and one account, with lots left (invariant 4)', () => {
  const scene = given({ funds })
  scene.bid('A', 100, 59_000)
  assert.match(
    breaches(scene, ({ orders }) => {
      orders.setRemaining(1, 0)
    }),
    /4 orders: sizes of 1/,
  )
})

test('sums and counters equal their recomputation (invariant 5)', () => {
  const scene = given({ funds })
  scene.bid('A', 100, 59_000)
  assert.match(
    breaches(scene, ({ positions }) => bump(positions.buys, 1)),
    /5 sums: row 1 of account 7/,
  )
  assert.match(
    breaches(scene, ({ accounts }) => bump(accounts.openCount, 7)),
    /5 sums: orders of 7/,
  )
})

test('no position is healthy in the index and unhealthy in fact (invariant 5)', () => {
  const scene = given({ funds })
  scene.buys('C', 'B', 5_000, 60_000)
  const found = breaches(scene, (state) => {
    const market = state.markets[BTC]!
    market.longs.put(state.positions, market.rowOf[scene.id('C')]!, 1)
    market.oracle = 59_000_000_000
    market.updateMark()
  })
  assert.match(found, /5 index: row \d+ is unhealthy and not reached/)
})

test('reduce-only never adds or flips, whatever else fills (invariant 6)', () => {
  const scene = given({ tiers: freeTiers, funds })
  scene.buys('A', 'B', 100, 60_000)
  scene.ask('A', 100, 61_000, { reduceOnly: true })
  scene.ask('A', 100, 61_000)
  scene.bid('B', 200, 61_000).includes(
    { type: 'Traded', maker: scene.id('A'), lots: 100, makerClosed: 100 },
    // The position is closed: the plain order opens a separate short.
    { type: 'Traded', maker: scene.id('A'), lots: 100, makerClosed: 0, makerLots: -100 },
  )
  assert.deepEqual(scene.held('A')[0], -100)
})

test('funding of an epoch sums to zero with its pool (invariant 7)', () => {
  const scene = given({ markets: ['BTC'], tiers: freeTiers, funds: { ...funds, C: 10 ** 11 } })
  scene.buys('A', 'C', 333, 60_001)
  scene.buys('B', 'C', 334, 60_001)
  scene.quietly(() => {
    for (let n = 0; n < 719; n++) scene.later(5_000).mark(BTC, 60_000.5)
  })
  const outcome = scene.wait(5_000)
  const paid = outcome.all('FundingPaid').reduce((sum, { payment }) => sum + payment, 0)
  assert.ok(paid < 0)
  assert.equal(-paid, outcome.one('FundingClosed').remainder)
  assert.equal(scene.balance('insurance'), -paid)
})

test('a liquidation fill shrinks the position and does not lower its health (invariant 8)', () => {
  const scene = given({ tiers: freeTiers, funds })
  scene.buys('C', 'B', 5_000, 60_000)
  scene.bid('B', 5_000, 59_080)
  const outcome = scene.mark(BTC, 59_150)
  const { equity, maintenance } = outcome.one('LiquidationStarted')
  const after = scene.account('C')
  assert.ok(scene.held('C')[0] < 5_000 && scene.held('C')[0] > 0)
  const before = BigInt(equity) * BigInt(after.maintenance)
  assert.ok(BigInt(after.equity) * BigInt(maintenance) >= before)
})

test('replay, snapshot plus tail, and the live state agree by hash (invariant 9)', () => {
  const scene = busyDay()
  const { history } = scene
  const live = stateHash(scene.state)
  const replayed = createState(genesisOf())
  const log = new EventLog()
  for (const at of history.keys()) {
    if (at % 7 === 0) {
      const tail = decodeState(encodeState(replayed))
      for (const command of history.slice(at)) apply(tail, command, log)
      assert.equal(stateHash(tail), live, `snapshot at ${at}`)
    }
    apply(replayed, history[at]!, log)
    log.clear()
  }
  assert.equal(stateHash(replayed), live)
})

test('a refused command leaves the trading hash unchanged (invariant 9)', () => {
  const scene = busyDay()
  scene.revive(BTC)
  const before = tradingHash(scene.state)
  const proof = proofOf('new text', scene.now)
  scene.bid('A', 1, 60_000, { proof }).refused('ORDER_AMOUNT_TOO_LOW', 600_000, 1_000_000)
  assert.equal(tradingHash(scene.state), before)
  scene.bid('A', 100, 50_000).accepted()
  assert.notEqual(tradingHash(scene.state), before)
})

test('a client order id has one live order, a signed text one effect (invariant 10)', () => {
  const scene = given({ funds })
  const proof = proofOf('text', START)
  scene.bid('A', 100, 59_000, { proof, clientOrderId: 'mine' }).accepted()
  scene.bid('A', 100, 59_000, { proof, clientOrderId: 'other' }).refused('REPLAYED')
  scene.bid('A', 100, 59_000, { clientOrderId: 'mine' }).refused('DUPLICATE_CLIENT_ORDER_ID')
  assert.match(
    breaches(scene, ({ clientIds }) => clientIds.set(1, 'yours')),
    /10 names: client id of order 1/,
  )
})
