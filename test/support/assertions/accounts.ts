import { makeDeposit } from '../../../src/core/accounts/deposit.ts'
import { forgetBinding } from '../../../src/core/admission/bindings.ts'
import type { AccountId } from '../../../src/core/commands/ids.ts'
import { addVolume } from '../../../src/core/margin/fee-tier.ts'
import { rowOf } from '../../../src/core/margin/position-row.ts'
import { moveReserve, shareFees } from '../../../src/core/markets/reserves.ts'
import { FEES, INSURANCE } from '../../../src/core/pools/account-pool.ts'
import type { Quote } from '../../../src/units/units.ts'
import { ETH } from '../scene.ts'
import type { Rows, World } from './world.ts'

const deposit = (w: World, amount: number, reference: string): number =>
  makeDeposit(w.state, w.log, { address: 'A', amount: amount as Quote, reference })

/** Isolated margin of C in ETH. */
const moveMargin = (w: World, amount: number): void =>
  w.own('C', 'MoveIsolatedMargin', { market: ETH, amount })

/** Accounts and their rows in markets. */
const holderRows: Rows = {
  'an address is given to a second account, it has': (w) =>
    void w.state.accounts.open('A', 0, w.now),
  'a subaccount is opened below another one': (w) =>
    void w.state.accounts.open('new', w.ids.A2!, w.now),
  'a row is made for no account': (w) => void rowOf(w.state, w.btc, 1_000),
  'an account has two rows in one market, the other is': (w) => {
    w.btc.rowOf[w.ids.A!] = 0
    rowOf(w.state, w.btc, w.ids.A!)
  },
  'a policy ends that was not counted, account': (w) => {
    const agent = { account: w.ids.A!, agent: 'key', scopes: ['trade'], ips: null }
    w.run({ type: 'BindAgent', ...agent, proof: null })
    const { agents } = w.state.accounts.records[w.ids.A!]!
    agents!.get('key')!.limit = { policy: {} as never, day: 0, high: 0 }
    forgetBinding(w.state, w.ids.A!, 'key')
  },
}

/** What comes, goes and moves. */
const moneyRows: Rows = {
  'a deposit brings no money, it brings': (w) => void deposit(w, 0, 'new'),
  'a deposit is made twice, of': (w) => {
    deposit(w, 5, 'new')
    deposit(w, 5, 'new')
  },
  'a deposit leaves an unsafe balance': (w) => {
    w.state.accounts.balance[w.ids.A!] = Number.MAX_SAFE_INTEGER
    deposit(w, 1, 'new')
  },
  'a withdrawal leaves a balance below zero': (w) => {
    w.state.positions.wallet[w.row('C', ETH)] = 0
    w.state.accounts.balance[w.ids.D!] = Number.NaN
    w.own('D', 'Withdraw', { amount: 5_000_000 })
  },
  'no withdrawal is pending': (w) => {
    const credit = { source: 0, withdrawal: 7, address: 'C', amount: 5 as Quote, reference: '' }
    w.state.credits.set(1, { ...credit, by: 'one', at: w.now })
    w.run({ type: 'ApproveCredit', credit: 1, approver: 'two' })
  },
  'a withdrawal is larger than all that is pending': (w) => {
    w.state.accounts.pending[w.ids.C!] = 1
    w.run({ type: 'CompleteWithdrawal', withdrawal: 1 })
  },
  'a withdrawal ends that was not counted': (w) => {
    w.state.accounts.pendingCount[w.ids.C!] = 0
    w.run({ type: 'FailWithdrawal', withdrawal: 1 })
  },
  'a transfer is larger than the balance': (w) => {
    w.state.accounts.balance[w.ids.A!] = Number.NaN
    w.own('A', 'Transfer', { to: w.ids.A2, amount: 5 })
  },
  'more is moved to a position than there is': (w) => {
    w.state.accounts.balance[w.ids.C!] = Number.NaN
    moveMargin(w, 5)
  },
  'more is taken from a position than it has': (w) => {
    w.state.positions.wallet[w.row('C', ETH)] = Number.NaN
    moveMargin(w, -5)
  },
  'a row requires less than nothing': (w) => {
    w.state.positions.losses[w.row('C')] = -(10 ** 12)
    w.own('C', 'Withdraw', { amount: 5_000_000 })
  },
  'a fill has no volume': (w) => addVolume(w.state, w.ids.A!, 0),
  'a reserve gives more than it has': (w) => {
    const move = { from: INSURANCE as AccountId, to: w.ids.A as AccountId }
    moveReserve(w.state, w.log, { ...move, amount: (10 ** 13) as Quote })
  },
  'fees are shared of less than nothing': (w) => {
    w.state.accounts.balance[FEES] = -1
    shareFees(w.state, w.log)
  },
}

/** src/core/accounts/, and the exchange's own money. */
export const accountRows: Rows = { ...holderRows, ...moneyRows }
