// docs/rules/accounts.md where it says whose withdrawals need an approval after the insurance fund
// has paid much.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apply } from '../../../src/core/engine.ts'
import { EventLog } from '../../../src/core/events/event-log.ts'
import { decodeState } from '../../../src/core/snapshot/decode.ts'
import { encodeState } from '../../../src/core/snapshot/encode.ts'
import { worked } from '../../support/rule-table.ts'
import { BTC, ETH, freeTiers, given, type Outcome, type Scene, START } from '../../support/scene.ts'

const rich = 10 ** 13
const minuteMs = 60_000
const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** A thousand dollars. */
const thousand = 10 ** 9
const lots = 1_000_000
const ethLots = 200_000
const won = 20 * thousand

function brakeOf(scene: Scene, more: Readonly<Record<string, number | null>> = {}) {
  const usual = { fundPpm: 50_000, profitAbove: thousand, holdMs: hourMs }
  return scene.run({ type: 'SetWithdrawalBrake', ...usual, ...more })
}

function braked(more: Readonly<Record<string, number | null>> = {}): Scene {
  const market = { backstopValueMax: 0 }
  const funds = { B: rich, A: rich, insurance: 20 * thousand }
  const scene = given({ markets: ['BTC', 'ETH'], market, tiers: freeTiers, funds })
  scene.now = Math.ceil(START / hourMs) * hourMs + hourMs / 2
  for (const id of [BTC, ETH]) scene.revive(id)
  brakeOf(scene, more).accepted()
  return scene
}

/** Loses 20,000 dollars more than the account has, to the winner. The fund pays the debt, and the
 *  winner, who is deleveraged, keeps the profit. */
function loses(scene: Scene, name: string, debt: number, winner = 'B', market = BTC): Outcome {
  const { mark } = scene.book(market)
  const [size, drop] = market === BTC ? [lots, 2_000] : [ethLots, 1_000]
  scene.deposit(name, won - debt)
  scene.buys(name, winner, size, mark, market)
  const outcome = scene.mark(market, mark - drop)
  assert.equal(outcome.one('InsurancePaid').amount, debt)
  return outcome
}

const withdraw = (scene: Scene, name: string, amount = thousand) =>
  scene.own(name, 'Withdraw', { amount }).one('WithdrawalRequested')
const pulled = (scene: Scene) => scene.view.money.brakeAt(scene.now)?.pulled ?? null
const heldOf = (scene: Scene) => pulled(scene)?.owners.map(({ account }) => account) ?? []

test('case 333: winners need an approval for an hour after the fund paid (ACCT-11)', () => {
  const row = worked('accounts', 333)
  const [fund = 0, fundPpm = 0, profitAbove = 0, holdMs = 0, , paid = 0, more = 0, amount = 0] =
    row.given()
  const scene = braked({ fundPpm, profitAbove, holdMs })
  assert.equal(scene.balance('insurance'), fund)
  assert.deepEqual(loses(scene, 'C', paid).all('WithdrawalBrakePulled'), [])
  const outcome = loses(scene, 'D', more).one('WithdrawalBrakePulled')
  const needed = ['B', 'A'].map((name) => withdraw(scene, name, amount).needed)
  scene.now += holdMs
  row.names(outcome.type)
  row.says(
    outcome.lost,
    outcome.start,
    outcome.owners,
    ...needed,
    withdraw(scene, 'B', amount).needed,
  )
})

/** The next day, at the same time. */
function sleep(scene: Scene): void {
  scene.later(dayMs)
  for (const id of [BTC, ETH]) scene.revive(id)
}

test('case 351: money that is added counts after a whole day (ACCT-11)', () => {
  const row = worked('accounts', 351)
  const [fund = 0, fundPpm = 0, added = 0, ...debts] = row.given()
  const scene = braked({ fundPpm })
  assert.equal(scene.balance('insurance'), fund)
  scene.deposit('insurance', added)
  const starts = debts.map((debt, n) => {
    if (n > 0) sleep(scene)
    const outcome = loses(scene, `C${n}`, debt).one('WithdrawalBrakePulled')
    row.names(outcome.type)
    return outcome.start
  })
  row.says(...starts)
})

test('money that was added before the first payment of a day pulls nothing later (ACCT-11)', () => {
  const scene = braked()
  // The last moment before midnight belongs to the same day.
  scene.later(dayMs - (scene.now % dayMs) - 1)
  scene.deposit('insurance', 1_000 * thousand)
  scene.later(1)
  for (const id of [BTC, ETH]) scene.revive(id)
  const { lost, start } = loses(scene, 'C', thousand + 1).one('WithdrawalBrakePulled')
  assert.deepEqual([lost, start], [thousand + 1, 20 * thousand])
})

test('a day without payments starts with the fund as it is (ACCT-11)', () => {
  const scene = braked()
  scene.deposit('insurance', 20 * thousand)
  scene.later(2 * dayMs)
  for (const id of [BTC, ETH]) scene.revive(id)
  assert.deepEqual(loses(scene, 'C', 2 * thousand).all('WithdrawalBrakePulled'), [])
  const { start } = loses(scene, 'D', 1).one('WithdrawalBrakePulled')
  assert.equal(start, 40 * thousand)
})

test('the loss is compared with the fund and its payments of the day (ACCT-11)', () => {
  const scene = braked()
  loses(scene, 'C', 0.5 * thousand)
  scene.reserve(10 * thousand).accepted()
  const { lost, start } = loses(scene, 'D', 0.5 * thousand + 1).one('WithdrawalBrakePulled')
  assert.deepEqual([lost, start], [thousand + 1, 10 * thousand])
})

test('a new venue counts nothing until its fund is a day old (ACCT-11)', () => {
  const scene = braked()
  scene.reserve(20 * thousand).accepted()
  brakeOf(scene).accepted()
  scene.deposit('insurance', 60 * thousand)
  const { start } = loses(scene, 'C', thousand + 1).one('WithdrawalBrakePulled')
  assert.equal(start, 0)
  // Set again, it counts what is there.
  brakeOf(scene).accepted()
  assert.deepEqual(loses(scene, 'D', 2 * thousand).all('WithdrawalBrakePulled'), [])
})

test('a small loss of an almost empty fund does not hold withdrawals (ACCT-11)', () => {
  for (const [debt, pulls] of [
    [thousand, 0],
    [thousand + 1, 1],
  ] as const) {
    const scene = braked()
    scene.reserve(20 * thousand).accepted()
    const { mark } = scene.book()
    scene.deposit('C', won - debt)
    scene.buys('C', 'B', lots, mark)
    const outcome = scene.run({ type: 'SettleMarket', market: BTC, price: mark - 2_000 })
    assert.equal(outcome.one('DeficitBooked').amount, debt)
    assert.equal(outcome.all('WithdrawalBrakePulled').length, pulls)
  }
})

test('losses count for a minute, to the millisecond (ACCT-11)', () => {
  for (const [ms, pulls] of [
    [minuteMs - 1, 1],
    [minuteMs, 0],
  ] as const) {
    const scene = braked()
    loses(scene, 'C', thousand)
    scene.later(ms)
    for (const id of [BTC, ETH]) scene.revive(id)
    assert.equal(loses(scene, 'D', 1).all('WithdrawalBrakePulled').length, pulls)
  }
})

/** F is short and so rich that others are deleveraged before it. */
function winsLater(ms: number): Scene {
  const scene = braked()
  scene.deposit('F', 10 * rich)
  scene.buys('A', 'F', lots / 10, scene.book().mark)
  loses(scene, 'C', 2 * thousand)
  assert.deepEqual(heldOf(scene), [scene.id('B')])
  scene.later(ms)
  scene.revive(BTC)
  scene.sells('A', 'F', lots / 10, scene.book().mark)
  return scene
}

test('profit that is made within an hour after the loss counts, and none later (ACCT-11)', () => {
  const inTime = winsLater(hourMs)
  assert.deepEqual(heldOf(inTime), [inTime.id('F')])
  assert.equal(withdraw(inTime, 'F').held, true)
  const patient = winsLater(minuteMs + 1)
  assert.deepEqual(heldOf(patient), [patient.id('B'), patient.id('F')])
  const late = winsLater(hourMs + 1)
  assert.deepEqual(heldOf(late), [])
  assert.equal(withdraw(late, 'F').held, false)
})

test('profit of a subaccount counts for its owner (ACCT-11)', () => {
  const scene = braked()
  scene.own('A', 'CreateSubaccount', { address: 'A-1' }).accepted()
  scene.own('A', 'Transfer', { to: scene.id('A-1'), amount: rich / 2 }).accepted()
  loses(scene, 'C', 2 * thousand, 'A-1')
  scene.own('A-1', 'Transfer', { to: scene.id('A'), amount: won }).accepted()
  const { held, needed } = withdraw(scene, 'A')
  assert.deepEqual([held, needed], [true, 1])
  scene
    .run({ type: 'CompleteWithdrawal', withdrawal: 1 })
    .refused('WITHDRAWAL_NOT_APPROVED', 1, 0, 1)
  scene.run({ type: 'ApproveWithdrawal', withdrawal: 1, approver: 'ann' }).accepted()
  scene.run({ type: 'CompleteWithdrawal', withdrawal: 1 }).accepted()
})

test('profit in another market, or offset by a loss, can be withdrawn (ACCT-11)', () => {
  const scene = braked()
  scene.deposit('E', rich)
  const { mark } = scene.book(ETH)
  scene.buys('E', 'A', ethLots, mark, ETH)
  scene.mark(ETH, mark + 300)
  scene.sells('E', 'A', ethLots, mark + 300, ETH)
  assert.ok(scene.balance('E') > rich + thousand)
  loses(scene, 'C', 2 * thousand)
  assert.deepEqual(heldOf(scene), [scene.id('B')])
  assert.equal(withdraw(scene, 'E').held, false)
})

test('a deficit is a loss of the fund too (ACCT-11)', () => {
  const scene = braked()
  scene.reserve(20 * thousand).accepted()
  const { mark } = scene.book()
  scene.deposit('C', 15 * thousand)
  scene.buys('C', 'B', lots, mark)
  const outcome = scene.run({ type: 'SettleMarket', market: BTC, price: mark - 2_000 })
  assert.equal(outcome.one('DeficitBooked').amount, 5 * thousand)
  const { lost, start } = outcome.one('WithdrawalBrakePulled')
  assert.deepEqual([lost, start], [5 * thousand, 0])
  assert.deepEqual(heldOf(scene), [scene.id('B')])
})

const untilOf = (scene: Scene, name: string) =>
  pulled(scene)?.owners.find(({ account }) => account === scene.id(name))?.until

test('each owner is held for its own hour, whatever is lost later (ACCT-11)', () => {
  const scene = braked()
  const first = loses(scene, 'C', 2 * thousand).one('WithdrawalBrakePulled')
  const begun = scene.now
  assert.equal(first.until, begun + hourMs)
  scene.later(minuteMs / 2)
  scene.revive(BTC)
  // Another loss in the same minute and market: the console hears of it.
  const second = loses(scene, 'D', thousand, 'A').one('WithdrawalBrakePulled')
  assert.deepEqual([second.until, second.owners], [scene.now + hourMs, 1])
  const { since, last } = pulled(scene) ?? {}
  assert.deepEqual([since, last], [begun, scene.now])
  assert.equal(untilOf(scene, 'B'), begun + hourMs)
  assert.equal(untilOf(scene, 'A'), scene.now + hourMs)
  scene.now = begun + hourMs - 1
  assert.equal(withdraw(scene, 'B').held, true)
  scene.later(1)
  assert.equal(withdraw(scene, 'B').held, false)
  assert.deepEqual(heldOf(scene), [scene.id('A')])
  assert.equal(withdraw(scene, 'A').held, true)
  scene.later(minuteMs / 2)
  assert.equal(withdraw(scene, 'A').held, false)
  assert.equal(pulled(scene), null)
})

test('a loss of its own makes the time of no owner longer or shorter (ACCT-11)', () => {
  const scene = braked()
  scene.deposit('F', rich)
  loses(scene, 'C', 2 * thousand)
  const end = scene.now + hourMs
  scene.later(minuteMs / 2)
  scene.revive(BTC)
  const { mark } = scene.book()
  scene.buys('B', 'F', 1_000, mark)
  scene.sells('B', 'F', 1_000, mark - 10)
  assert.equal(untilOf(scene, 'B'), end)
  scene.buys('B', 'F', 1_000, mark)
  scene.sells('B', 'F', 1_000, mark + 10)
  assert.equal(untilOf(scene, 'B'), scene.now + hourMs)
})

test('a later loss elsewhere neither holds nor frees earlier winners (ACCT-11)', () => {
  const scene = braked()
  loses(scene, 'C', 2 * thousand)
  const end = scene.now + hourMs
  scene.later(10 * minuteMs)
  for (const id of [BTC, ETH]) scene.revive(id)
  const outcome = loses(scene, 'D', 2 * thousand, 'A', ETH).one('WithdrawalBrakePulled')
  assert.equal(outcome.owners, 1)
  assert.deepEqual([untilOf(scene, 'B'), untilOf(scene, 'A')], [end, scene.now + hourMs])
  scene.now = end
  assert.equal(withdraw(scene, 'B').held, false)
  assert.equal(withdraw(scene, 'A').held, true)
})

test('a market is watched for its own losses alone (ACCT-11)', () => {
  const scene = braked()
  scene.deposit('E', rich)
  scene.deposit('F', rich)
  const { mark } = scene.book()
  scene.buys('F', 'E', lots, mark)
  loses(scene, 'C', 2 * thousand)
  for (const name of ['D', 'G']) {
    scene.later(0.75 * hourMs)
    for (const id of [BTC, ETH]) scene.revive(id)
    loses(scene, name, 2 * thousand, 'A', ETH).one('WithdrawalBrakePulled')
  }
  // Profit in the first market, which has seen no loss for more than an hour.
  scene.sells('A', 'E', lots, scene.book().mark)
  assert.ok(scene.balance('E') > rich + thousand)
  assert.deepEqual(heldOf(scene), [scene.id('A')])
})

test('a small position in each market does not get an account held (ACCT-11)', () => {
  const scene = braked()
  scene.deposit('E', rich)
  const { mark } = scene.book(ETH)
  scene.buys('E', 'A', ethLots, mark, ETH)
  scene.mark(ETH, mark + 300)
  scene.sells('E', 'A', ethLots, mark + 300, ETH)
  assert.ok(scene.balance('E') > rich + thousand)
  // The bankrupt has lost a little there as well, and holds a little there.
  scene.deposit('C', won - 2 * thousand)
  scene.buys('C', 'A', 200, mark + 300, ETH)
  scene.sells('C', 'A', 100, mark + 299, ETH)
  scene.buys('C', 'B', lots, scene.book().mark)
  scene.mark(BTC, scene.book().mark - 2_000).one('WithdrawalBrakePulled')
  assert.deepEqual(heldOf(scene), [scene.id('B')])
  assert.equal(withdraw(scene, 'E').held, false)
})

test('a snapshot in the middle decides the same (ACCT-11)', () => {
  const scene = braked()
  scene.deposit('F', 10 * rich)
  scene.buys('A', 'F', lots / 10, scene.book().mark)
  loses(scene, 'C', 0.6 * thousand)
  scene.later(minuteMs / 2)
  scene.revive(BTC)
  const restored = decodeState(encodeState(scene.state))
  assert.deepEqual(encodeState(restored), encodeState(scene.state))
  const from = scene.history.length
  // Below the limit by itself: only with the first loss it pulls.
  assert.equal(loses(scene, 'D', 0.6 * thousand).all('WithdrawalBrakePulled').length, 1)
  scene.later(minuteMs / 2)
  scene.revive(BTC)
  scene.sells('A', 'F', lots / 10, scene.book().mark)
  for (const name of ['A', 'B', 'F']) withdraw(scene, name)
  assert.deepEqual(heldOf(scene), [scene.id('B'), scene.id('F')])
  const log = new EventLog()
  for (const each of scene.history.slice(from)) apply(restored, each, log)
  assert.deepEqual(encodeState(restored), encodeState(scene.state))
  const again = decodeState(encodeState(restored))
  assert.deepEqual(encodeState(again), encodeState(restored))
})

test('a withdrawal requested before the pull is not touched (ACCT-11)', () => {
  const scene = braked()
  withdraw(scene, 'B')
  loses(scene, 'C', 2 * thousand)
  scene.run({ type: 'CompleteWithdrawal', withdrawal: 1 }).accepted()
})

test('setting the brake clears its records, and while off it keeps none (ACCT-11)', () => {
  const scene = braked()
  loses(scene, 'C', 2 * thousand)
  brakeOf(scene, { fundPpm: null }).emits({
    type: 'WithdrawalBrakeSet',
    ...{ fundPpm: -1, profitAbove: thousand, holdMs: hourMs },
  })
  assert.equal(scene.view.money.brakeAt(scene.now), null)
  assert.equal(withdraw(scene, 'B').held, false)
  assert.deepEqual(loses(scene, 'D', 2 * thousand).all('WithdrawalBrakePulled'), [])
  brakeOf(scene).accepted()
  assert.equal(withdraw(scene, 'B').held, false)
  brakeOf(scene, { fundPpm: 1_000_001 }).refused('INVALID_PARAMETER', 1_000_001)
  brakeOf(scene, { profitAbove: -1 }).refused('INVALID_PARAMETER', -1)
  brakeOf(scene, { holdMs: minuteMs - 1 }).refused('INVALID_PARAMETER', minuteMs - 1)
  brakeOf(scene, { holdMs: 0.5 }).refused('INVALID_PARAMETER', 0)
})
