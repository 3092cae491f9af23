// docs/rules/funding.md through both engines: samples, rates, epochs, payments.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rateOf } from '../../src/core/funding/fix-epoch.ts'
import { worked } from '../support/rule-table.ts'
import {
  BTC,
  ETH,
  type Expected,
  freeTiers,
  given,
  type Outcome,
  type Scene,
  START,
} from '../support/scene.ts'
import { rateOf as naiveRate } from '../twin/funding/funding.ts'

const hour = 3_600_000

/** An hour of good ticks every 5 seconds; the last command is the one at which the hour is full. */
function hourOf(scene: Scene, oracle: number): Outcome {
  const end = START + Math.ceil((scene.now + 1 - START) / hour) * hour
  scene.quietly(() => {
    for (scene.later(5_000); scene.now < end; scene.later(5_000)) scene.mark(BTC, oracle)
  })
  scene.now = end
  return scene.run({ type: 'Tick' })
}

/** By a tick at the next multiple of 5 s. */
function sampled(scene: Scene, mark: number, sample: Expected): void {
  scene.later(5_000).mark(BTC, mark).emits({ type: 'MarkUpdated' }, sample)
}

test('the impact price is the average price of trading the impact value (FUND-1)', () => {
  // 20,000 dollars: 100,000 lots of 0.6 are far more, so depth is set in small steps.
  const market = { impactValue: 180_000_000 }
  const scene = given({ market, markets: ['BTC'], funds: { A: 10 ** 12 } })
  scene.bid('A', 100, 60_100)
  scene.bid('A', 500, 60_050)
  scene.ask('A', 100, 60_300)
  const sample = scene.later(5_000).mark(BTC, 60_000).one('PremiumSampled')
  // 60,100,000 of the first level, 119,900,000 ÷ 600,500 of the second; the asks are too thin.
  const spent = 100n * 60_050n * 10n + 119_900_000n
  const impact = (180_000_000n * 1_000_000n * 60_050n) / spent
  assert.deepEqual([BigInt(sample.impactBid), sample.impactAsk], [impact, 0])
  const above = impact - 60_000_000_000n
  assert.equal(BigInt(sample.premium), (above * 10n ** 9n) / 60_000_000_000n)
})

test('a premium is bounded by 1,000 times r in ppb (FUND-1)', () => {
  const market = { impactValue: 1_000_000, leverageMax: 100 }
  const scene = given({ market, markets: ['BTC'], funds: { A: 10 ** 12 } })
  scene.ask('A', 100, 50_000)
  sampled(scene, 60_000, { type: 'PremiumSampled', premium: -5_000_000, impactBid: 0 })
})

test('depth of just the impact value is enough, two lots less are not (FUND-1)', () => {
  const market = { impactValue: 180_000_000 }
  const scene = given({ market, markets: ['BTC'], funds: { A: 10 ** 12 } })
  scene.bid('A', 298, 60_000)
  sampled(scene, 60_000, { type: 'PremiumSampled', impactBid: 0 })
  scene.bid('A', 2, 60_000)
  sampled(scene, 60_000, { type: 'PremiumSampled', impactBid: 60_000_000_000 })
})

test('a book at twice the index or more has the largest premium there is (FUND-1)', () => {
  const market = { impactValue: 1_000_000 }
  const scene = given({ market, markets: ['BTC'], funds: { A: 10 ** 12 } })
  scene.bid('A', 100, 120_000).accepted()
  sampled(scene, 60_000, { type: 'PremiumSampled', premium: 10_000_000 })
  sampled(scene, 30_000, { type: 'PremiumSampled', premium: 10_000_000 })
})

test('the first tick at or after a multiple of 5 s takes a sample (FUND-1)', () => {
  const scene = given({ markets: ['BTC'] })
  const none = { type: 'PremiumSampled', premium: 0, impactBid: 0, impactAsk: 0 } as const
  scene.later(4_999).mark(BTC, 60_000).lacks('PremiumSampled')
  scene.wait(2).emits()
  scene.mark(BTC, 60_000).emits({ type: 'MarkUpdated' }, none)
  scene.mark(BTC, 60_000).lacks('PremiumSampled')
  // Multiples without a tick of their own are not made up for.
  scene.later(9_999).mark(BTC, 60_000).emits({ type: 'MarkUpdated' }, none)
  scene.later(4_999).mark(BTC, 60_000).lacks('PremiumSampled')
  scene.later(1).mark(BTC, 60_000).includes(none)
})

test('a multiple at which the market is not steady has no sample (FUND-1, CORE-7)', () => {
  const scene = given({ markets: ['BTC'] })
  scene.later(5_000).tick(BTC, 70_000).lacks('PremiumSampled')
  scene.later(100).mark(BTC, 61_000).lacks('PremiumSampled')
  scene.later(4_900).mark(BTC, 61_000).includes({ type: 'PremiumSampled' })
})

test('a sample is taken after the orders that its tick releases (FUND-1, PRICE-6)', () => {
  const market = { impactValue: 1_000_000, speedBumpMs: 200 }
  const scene = given({ market, markets: ['BTC'], funds: { A: 10 ** 12, B: 10 ** 12 } })
  scene.seen(BTC, 60_000)
  scene.bid('A', 100, 60_010, { tif: 'ALO' })
  scene.later(4_700)
  scene.ask('B', 100, 60_010)
  scene
    .later(300)
    .seen(BTC, 60_000)
    .includes({ type: 'Traded' }, { type: 'PremiumSampled', impactBid: 0 })
})

test('an hour’s rate follows its samples, the interest and the clamps (FUND-2)', () => {
  const scene = given({ market: { impactValue: 1_000_000 }, funds: { A: 10 ** 12 } })
  scene.bid('A', 1_000, 60_120)
  const fixed = hourOf(scene, 60_000).all('FundingFixed')[0]!
  // 719 samples of 2,000,000 ppb; P = 1,997,222; F = P − 500,000.
  assert.deepEqual([fixed.samples, fixed.rate], [719, Math.trunc((1_997_222 - 500_000) / 8)])
})

test('the rate is 0 with fewer than 360 samples (FUND-2)', () => {
  const scene = given({ markets: ['BTC'], tiers: freeTiers, funds: { A: 10 ** 11, B: 10 ** 11 } })
  const samples = (count: number) => {
    scene.quietly(() => {
      for (let n = 0; n < count; n++) scene.later(5_000).mark(BTC, 60_000)
      // No command comes before the last minute, so the samples in between are skipped.
      scene.now = START + Math.ceil((scene.now + 1 - START) / hour) * hour - 5_000
      scene.revive(BTC)
    })
    scene.now += 5_000
    return scene.run({ type: 'Tick' }).one('FundingFixed')
  }
  // The command that revives the feed meets a stale market, which has no sample.
  assert.deepEqual(samples(359), {
    ...{ type: 'FundingFixed', market: BTC, epoch: START / hour + 1, rate: 0 },
    ...{ oracle: 60_000_000_000, samples: 359 },
  })
  const { samples: count, rate } = samples(360)
  assert.deepEqual([count, rate], [360, 12_500])
})

test('the rate is 0 in a halted market and after a minute without a live tick (FUND-2)', () => {
  const halted = given({ markets: ['BTC'] })
  halted.quietly(() => {
    for (let n = 0; n < 715; n++) halted.later(5_000).mark(BTC, 60_000)
  })
  halted.run({ type: 'SetMarketMode', market: BTC, mode: 'halted' })
  halted.now = START + hour
  assert.equal(halted.run({ type: 'Tick' }).one('FundingFixed').rate, 0)

  const rateAfter = (ms: number) => {
    const scene = given({ markets: ['BTC'] })
    scene.quietly(() => {
      for (let n = 0; n < 707; n++) scene.later(5_000).mark(BTC, 60_000)
      scene.now = START + hour - ms
      scene.mark(BTC, 60_000)
    })
    scene.now = START + hour
    return scene.run({ type: 'Tick' }).one('FundingFixed').rate
  }
  assert.equal(rateAfter(60_000), 12_500)
  // A tick at 60,001 ms before the hour is too old, and none came after it.
  assert.equal(rateAfter(60_001), 0)
})

test('hours without any command are recorded too, one event each (FUND-3)', () => {
  const scene = given({ markets: ['BTC'] })
  const outcome = scene.wait(3 * hour).all('FundingFixed')
  assert.deepEqual(
    outcome.map(({ epoch, rate }) => [epoch - START / hour, rate]),
    [
      [1, 0],
      [2, 0],
      [3, 0],
    ],
  )
})

test('a position opened from flat after the epoch owes nothing for it (FUND-4)', () => {
  const funds = { A: 10 ** 11, B: 10 ** 11, C: 10 ** 11 }
  const scene = given({ markets: ['BTC'], tiers: freeTiers, funds })
  scene.buys('A', 'B', 1_000, 60_000)
  hourOf(scene, 60_000).includes({ type: 'FundingPaid' }, { type: 'FundingClosed' })
  scene.buys('C', 'B', 1_000, 60_000).lacks('FundingPaid')
  assert.equal(scene.balance('C'), 10 ** 11)
})

test('a pool still open is settled at the next hour before its rate is fixed (FUND-3)', () => {
  const scene = crowd(140)
  const outcome = hourOf(scene, 60_000)
  assert.equal(outcome.all('FundingPaid').length, 128)
  // No command comes for an hour.
  const next = scene.wait(hour)
  const order = next.types().filter((type) => type.startsWith('Funding'))
  const [payments, closed] = [Array(13).fill('FundingPaid'), 'FundingClosed']
  assert.deepEqual(order, [...payments, closed, 'FundingFixed'])
})

/** This many longs of 100 lots each, and B, who is short all of them. */
function crowd(longs: number): Scene {
  const scene = given({ markets: ['BTC'], tiers: freeTiers, funds: { B: 10 ** 12 } })
  scene.quietly(() => {
    scene.ask('B', 100 * longs, 60_000)
    for (let n = 1; n <= longs; n++) {
      scene.deposit(`L${n}`, 100_000_000)
      scene.bid(`L${n}`, 100, 60_000, { tif: 'IOC' })
    }
  })
  return scene
}

test('an account touched before its slice is settled first, and pays the same (FUND-4)', () => {
  const scene = crowd(200)
  hourOf(scene, 60_000)
  const before = scene.balance('L200')
  // 128 of 201 positions are settled at the hour and 64 as this command begins: L200 comes next,
  // and the other 8 after it.
  const outcome = scene.bid('L200', 50, 50_000)
  const paid = outcome.all('FundingPaid').map(({ account, payment }) => [account, payment])
  assert.equal(paid.length, 73)
  assert.deepEqual(paid[64], [scene.id('L200'), -750])
  assert.deepEqual(
    [scene.balance('L200'), scene.position('L200')?.fundingPaid],
    [before - 750, 750],
  )
  const { remainder } = outcome.one('FundingClosed')
  assert.equal(remainder, 200 * 750 - Math.floor(20_000 * 60_000 * 10 * 12.5e-6))
})

test('a long of one lot pays, and a short of one lot is paid (FUND-4)', () => {
  const funds = { A: 10 ** 9, B: 10 ** 9 }
  const market = { orderValueMin: 1 }
  const scene = given({ market, markets: ['BTC'], tiers: freeTiers, funds })
  scene.buys('A', 'B', 1, 60_000)
  // 7.5 each: the long pays 8, the short gets 7.
  const outcome = hourOf(scene, 60_000)
  const payments = outcome.all('FundingPaid').map(({ payment }) => payment)
  assert.deepEqual([payments, outcome.one('FundingClosed').remainder], [[-8, 7], 1])
})

test('the smallest rate there is is paid by the longs too (FUND-4)', () => {
  const funds = { A: 10 ** 11, B: 10 ** 11 }
  const market = { impactValue: 1_000_000 }
  const scene = given({ market, markets: ['BTC'], tiers: freeTiers, funds })
  scene.buys('A', 'B', 1_000, 60_000)
  scene.ask('B', 1_000, 59_970)
  // 719 samples of −500,685 ppb are −499,989 on average, and the interest adds 500,000.
  const outcome = hourOf(scene, 59_970 / (1 - 500_685e-9))
  assert.equal(outcome.one('FundingFixed').rate, 1)
  const payments = outcome.all('FundingPaid').map(({ payment }) => payment)
  assert.deepEqual(payments, [-1, 0])
})

test('a halted market’s open pool is settled nevertheless (FUND-4)', () => {
  const scene = crowd(140)
  hourOf(scene, 60_000)
  scene
    .run({ type: 'SetMarketMode', market: BTC, mode: 'halted' })
    .includes({ type: 'FundingPaid' }, { type: 'FundingClosed' }, { type: 'MarketModeSet' })
})

test('a position that was closed and opened again has paid no funding (FUND-4)', () => {
  const scene = given({ markets: ['BTC'], tiers: freeTiers, funds: { A: 10 ** 10, B: 10 ** 11 } })
  scene.buys('A', 'B', 1_000, 60_000)
  hourOf(scene, 60_000)
  assert.equal(scene.position('A')?.fundingPaid, 7_500)
  scene.sells('A', 'B', 1_000, 60_000)
  scene.sells('A', 'B', 1_000, 60_000)
  assert.equal(scene.position('A')?.fundingPaid, 0)
})

test('an isolated position pays from its wallet (FUND-4)', () => {
  const scene = given({ markets: ['BTC'], tiers: freeTiers, funds: { A: 10 ** 10, B: 10 ** 11 } })
  scene.own('A', 'SetMarginMode', { market: BTC, isolated: true })
  scene.buys('A', 'B', 1_000, 60_000)
  const { balance } = scene.account('A')
  const { wallet } = scene.position('A')!
  hourOf(scene, 60_000).includes({ type: 'FundingPaid', account: scene.id('A'), payment: -7_500 })
  assert.deepEqual([scene.balance('A'), scene.position('A')?.wallet], [balance, wallet - 7_500])
})

test('paid funding brings the liquidation nearer (FUND-4, LIQ-1)', () => {
  for (const isolated of [false, true]) {
    const funds = { A: 990_000_000, B: 10 ** 12 }
    const scene = given({ markets: ['BTC'], tiers: freeTiers, funds })
    scene.mark(BTC, 900_000)
    if (isolated) scene.own('A', 'SetMarginMode', { market: BTC, isolated }).accepted()
    scene.buys('A', 'B', 5_000, 900_000)
    if (isolated) scene.own('A', 'MoveIsolatedMargin', { market: BTC, amount: 90_000_000 })
    // 2,925,000 above maintenance are 59 ticks; 555,719 less are 48.
    const payment = -555_719
    hourOf(scene, 889_150).includes({ type: 'FundingPaid', account: scene.id('A'), payment })
    scene.mark(BTC, 889_103).lacks('LiquidationStarted')
    scene.mark(BTC, 889_102).includes({ type: 'LiquidationStarted', account: scene.id('A') })
  }
})

test('case 6: an hour of funding (FUND-5)', () => {
  const row = worked('funding', 6)
  const [oracle = 0, rate = 0, ...lots] = row.given()
  const funds = { A: 10 ** 10, B: 10 ** 10, C: 10 ** 10 }
  const scene = given({ markets: ['BTC', 'ETH'], tiers: freeTiers, funds })
  scene.buys('B', 'A', lots[1]!, 60_000)
  scene.buys('C', 'A', lots[2]!, 60_000)
  assert.equal(scene.held('A')[0], lots[0])
  const outcome = hourOf(scene, oracle)
  const fixed = outcome.all('FundingFixed').find(({ market }) => market === BTC)
  assert.deepEqual([fixed?.rate, fixed?.oracle], [rate, oracle * 1_000_000])
  const paid = outcome.all('FundingPaid')
  assert.deepEqual(
    paid.map((each) => each.lots),
    lots,
  )
  const payments = paid.map(({ payment }) => payment)
  let pool = 0
  const pools = payments.map((payment) => {
    pool -= payment
    return pool
  })
  // lots × 59,907.25 ticks × 10 × 12,500 ppb in units of 10^−8.
  const exact = lots.map((each) => {
    const scaled = (-BigInt(each) * BigInt(oracle * 100) * 10n * BigInt(rate)) / 1_000n
    return decimal(scaled, 8)
  })
  const { remainder } = outcome.one('FundingClosed')
  assert.equal(remainder, pool)
  row.says(...exact, ...payments, ...pools, scene.balance('insurance'))
  assert.equal(scene.book(ETH).pool, 0)
})

/** Without trailing zeros. */
function decimal(scaled: bigint, digits: number): string {
  const text = (scaled < 0n ? -scaled : scaled).toString().padStart(digits + 1, '0')
  const [whole, part] = [text.slice(0, -digits), text.slice(-digits).replace(/0+$/, '')]
  return `${scaled < 0n ? '-' : ''}${whole}${part === '' ? '' : `.${part}`}`
}

test('cases 17 to 19: rates (FUND-5)', () => {
  const scene = given({ markets: ['BTC'] })
  for (const id of [17, 18, 19]) {
    const row = worked('funding', id)
    const [premium = 0] = row.given()
    const rate = rateOf(scene.state.markets[BTC]!, premium)
    assert.equal(naiveRate(BigInt(premium), 50n), BigInt(rate))
    const interest = Math.max(-500_000, Math.min(500_000, 100_000 - premium))
    row.says(premium + interest, rate)
  }
})

// The larger leverage needs no notice, and its maintenance is a tenth: the samples of before would
// take half of it in one hour.
test('case 136: a change that makes r smaller bounds earlier samples (FUND-1, FUND-2)', () => {
  const row = worked('funding', 136)
  const [leverageMax = 0, samples = 0, premium = 0, larger = 0] = row.given()
  const rateWith = (side: 'bid' | 'ask') => {
    const market = { leverageMax, impactValue: 1_000_000 }
    const scene = given({ market, markets: ['BTC'], funds: { A: 10 ** 12 } })
    scene.place('A', side, 1_000, side === 'bid' ? 63_000 : 57_000, { tif: 'ALO' }).accepted()
    scene.quietly(() => {
      for (let n = 0; n < samples; n++) scene.later(5_000).mark(BTC, 60_000)
    })
    const change = { leverageMax: larger }
    const sums = [scene.book().premiums]
    scene.run({ type: 'ChangeMarket', market: BTC, change }).accepted()
    sums.push(scene.book().premiums)
    scene.now = START + hour
    const fixed = scene.run({ type: 'Tick' }).one('FundingFixed')
    assert.equal(fixed.samples, samples)
    return [...sums, fixed.rate]
  }
  const [wide, sum = 0, rate = 0] = rateWith('bid')
  assert.equal(wide, samples * premium)
  const average = Math.trunc(sum / 720)
  row.says(sum, average, average - 500_000, rate)
  // Below the price, interest moves the average the other way.
  const below = Math.trunc((-average + 500_000) / 8)
  assert.deepEqual(rateWith('ask'), [-samples * premium, -sum, below])
})

test('an eighth is cut towards zero (FUND-2)', () => {
  const market = given({ markets: ['BTC'] }).state.markets[BTC]!
  for (const [premium, rate] of [
    [-500_008, -1],
    [-500_007, 0],
    [-500_001, 0],
    [-499_993, 0],
    [-499_992, 1],
    [600_007, 12_500],
    [600_008, 12_501],
  ] as const)
    assert.deepEqual(
      [rateOf(market, premium), naiveRate(BigInt(premium), 50n)],
      [rate, BigInt(rate)],
    )
})

test('a rate is at most half the maintenance fraction, and 4 % (FUND-2)', () => {
  for (const leverageMax of [3, 7, 30, 50, 60, 100]) {
    const scene = given({ markets: ['BTC'], market: { leverageMax } })
    for (const premium of [-(10 ** 9), 10 ** 9]) {
      const rate = rateOf(scene.state.markets[BTC]!, premium)
      assert.equal(BigInt(rate), naiveRate(BigInt(premium), BigInt(leverageMax)))
      const fraction = Math.ceil(1_000_000 / (2 * leverageMax))
      assert.equal(Math.abs(rate), Math.min(40_000_000, fraction * 500))
    }
  }
})

test('case 340: fundingSamplesMin decides whether an hour has a rate (FUND-2)', () => {
  const row = worked('funding', 340)
  const [samples = 0, premium = 0, more = 0, enough = 0] = row.given()
  const fixedWith = (fundingSamplesMin: number) => {
    const market = { impactValue: 1_000_000, fundingSamplesMin: 720 }
    const scene = given({ market, markets: ['BTC'], funds: { A: 10 ** 12 } })
    scene.now = START + hour - (samples + 1) * 5_000
    scene.revive(BTC)
    scene.bid('A', 100, 120_000).accepted()
    scene.quietly(() => {
      for (let n = 0; n < samples; n++) scene.later(5_000).mark(BTC, 60_000)
    })
    assert.equal(scene.book().premiums, samples * premium)
    for (const bad of [0, 721, 1.5]) {
      const change = { fundingSamplesMin: bad }
      scene.run({ type: 'ChangeMarket', market: BTC, change }).refused('INVALID_PARAMETER', 0)
    }
    scene.run({ type: 'ChangeMarket', market: BTC, change: { fundingSamplesMin } }).accepted()
    scene.now = START + hour
    const fixed = scene.run({ type: 'Tick' }).one('FundingFixed')
    assert.equal(fixed.samples, samples)
    return fixed.rate
  }
  const average = Math.trunc((samples * premium) / 720)
  row.says(fixedWith(more), average, average - 500_000, fixedWith(enough))
})
