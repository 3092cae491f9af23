import { fixEpoch } from '../../../src/core/funding/fix-epoch.ts'
import { settleSlice } from '../../../src/core/funding/settle-funding.ts'
import { BTC } from '../scene.ts'
import type { Rows, World } from './world.ts'

/** The pool of an epoch in which longs pay. */
function openPool({ state, btc }: World): void {
  Object.assign(btc, { poolOpen: true, poolEpoch: btc.epoch + 1, poolCursor: 0 })
  Object.assign(btc, { fundingRate: 1_000, fundingOracle: btc.oracle })
  state.openPools += 1
}

const settleAll = (w: World): void => void settleSlice(w.state, w.log, w.btc, 1_000)

const settleMarket = (w: World): void => w.run({ type: 'SettleMarket', market: BTC, price: 60_000 })

const fundingRows: Rows = {
  'a funding pool is not a safe integer': (w) => {
    openPool(w)
    w.btc.pool = 2 ** 60
    settleAll(w)
  },
  'a funding pool closes that is not open, of market': settleAll,
  'a funding pool ends below zero': (w) => {
    openPool(w)
    w.btc.pool = -(10 ** 9)
    settleAll(w)
  },
  'a funding pool closes that was not counted': (w) => {
    openPool(w)
    w.state.openPools = 0
    settleAll(w)
  },
  'an epoch has more premium samples than points': (w) => {
    w.btc.sampleCount = 10_000
    fixEpoch(w.state, w.log, w.btc)
  },
  'an epoch begins with money in its funding pool': (w) => {
    w.btc.pool = 5
    fixEpoch(w.state, w.log, w.btc)
  },
}

const pricesRows: Rows = {
  'a market has no mark price, ticks': (w) => {
    w.btc.oracle = 0
    w.btc.updateMark()
  },
  'a tick is older than the last one, by milliseconds': (w) => {
    w.btc.lastTickAt = w.now + 1
    const price = { price: 60_000_000_000, observedAtMs: null, jump: false }
    w.run({ type: 'OracleTick', market: BTC, ...price })
  },
  'a settled market has open interest': (w) => {
    w.btc.openInterest += 1
    settleMarket(w)
  },
  'a settled market has price levels': (w) => {
    w.state.orders.setMarket(w.slot(59_700), 2)
    settleMarket(w)
  },
}

/** src/core/funding/ and markets/ */
export const marketRows: Rows = { ...fundingRows, ...pricesRows }
