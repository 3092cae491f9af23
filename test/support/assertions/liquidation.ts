import {
  type ForcedTransfer,
  payMargin,
  transferByForce,
} from '../../../src/core/liquidation/forced-transfer.ts'
import { stepOf } from '../../../src/core/liquidation/liquidation-step.ts'
import { DEFICIT, INSURANCE } from '../../../src/core/pools/account-pool.ts'
import { addIncome, payDebt } from '../../../src/core/solvency/insurance.ts'
import { addToScope, healthOf, scopeOf } from '../../../src/core/solvency/scope.ts'
import { ETH } from '../scene.ts'
import type { Rows, World } from './world.ts'

/** From A, which is long, to B, which is short. */
function transfer(w: World, change: Partial<ForcedTransfer>): void {
  const sides = { market: w.btc, from: w.row('A'), to: w.row('B'), cause: 'deleverage' } as const
  transferByForce(w.state, w.log, { ...sides, lots: 10, price: 0, value: 1_000, ...change })
}

const transferRows: Rows = {
  'a position is transferred to itself, row': (w) => transfer(w, { to: w.row('A') }),
  'a forced transfer moves no lots, but': (w) => transfer(w, { lots: 0 }),
  'a forced transfer moves more lots than there are': (w) => transfer(w, { lots: 10_000 }),
  'a forced transfer has a value below zero': (w) => transfer(w, { value: -1 }),
  'a position is deleveraged against its own side, lots': (w) => {
    w.state.positions.lots[w.row('B')] = 100
    transfer(w, {})
  },
  'a takeover costs less than nothing': (w) => payMargin(w.state, w.row('A'), -1),
}

const fundRows: Rows = {
  'the insurance fund gets less than nothing': (w) => addIncome(w.state, -1),
  'the insurance fund is below zero': (w) => {
    w.state.accounts.balance[INSURANCE] = -1
    addIncome(w.state, 5)
  },
  'the deficit is above zero': (w) => {
    w.state.accounts.balance[DEFICIT] = 1
    addIncome(w.state, 5)
  },
  'the insurance fund pays for no debt': (w) =>
    void payDebt(w.state, w.log, { account: w.ids.A!, market: 0 }, 0),
  'the insurance fund pays out of less than nothing': (w) => {
    w.state.accounts.balance[INSURANCE] = -1
    payDebt(w.state, w.log, { account: w.ids.A!, market: 0 }, 5)
  },
}

const indexRows: Rows = {
  'a scope is of no account, its number is': () => void scopeOf(1_023),
  'money goes to a position that is not there, account': (w) =>
    addToScope(w.state, { account: w.ids.D!, market: ETH }, 5),
  'a healthy scope is liquidated, its equity is': (w) => {
    const scope = { account: w.ids.A!, market: 0 }
    stepOf(w.state, w.log, scope, healthOf(w.state, scope))
  },
  'a row leaves a place in the liquidation index that is not its own': (w) => {
    w.state.positions.indexPlace[w.row('C', ETH)] = 5
    w.eth.longs.remove(w.state.positions, w.row('C', ETH))
  },
}

/** src/core/liquidation/ */
export const liquidationRows: Rows = { ...transferRows, ...fundRows, ...indexRows }
