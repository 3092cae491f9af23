// Two roads, one answer. The same commands run in two exchanges; in the second, every account has
// an empty row in another market, which changes nothing but that no quick check is sure any more.
// Accounts are poor, prices wide and few, so that margin refuses often and by little.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Command } from '../../src/core/commands/commands.ts'
import { apply, createState, EventLog } from '../../src/core/engine.ts'
import type { Event } from '../../src/core/events/event-fields.ts'
import type { Genesis } from '../../src/core/state/genesis.ts'
import { BTC, ETH, paramsOf, START } from '../twin/scenario.ts'

const mark = 60_000
const genesis = {
  feesAddress: 'fees',
  insuranceAddress: 'insurance',
  deficitAddress: 'deficit',
  feeTiers: [{ volumeDollars: 0, makerPpm: -100, takerPpm: 450 }],
} as unknown as Genesis

class Exchange {
  readonly state = createState(genesis)
  readonly log = new EventLog()
  readonly accounts: number[] = []

  constructor(riskTiers: readonly unknown[], otherRows: boolean) {
    const params = paramsOf('BTC', { riskTiers, openInterestMax: 400 })
    const oracle = mark * 1_000_000
    this.run({ type: 'ListMarket', params, oracle }, 0)
    this.run({ type: 'ListMarket', params: paramsOf('ETH'), oracle }, 0)
    for (const [at, amount] of [300_000, 600_000, 900_000, 30_000_000].entries()) {
      const address = `account-${at}`
      this.run({ type: 'Deposit', address, amount, reference: address }, 0)
      const account = this.state.accounts.byAddress.get(address)!
      this.accounts.push(account)
      const market = otherRows ? ETH : BTC
      this.run({ type: 'SetLeverage', account, proof: null, market, leverage: 50 }, 0)
    }
  }

  run(command: Record<string, unknown>, atMs: number): Event[] {
    const { state, log } = this
    log.clear()
    const sequenced = { seq: state.seq + 1, atMs: START + atMs, command }
    apply(state, sequenced as unknown as { seq: number; atMs: never; command: Command }, log)
    return log.readAll()
  }
}

const step = fc.record({
  kind: fc.constantFrom('GTC', 'GTC', 'GTC', 'IOC', 'IOC', 'ALO', 'cancel', 'tick'),
  owner: fc.constantFrom(0, 1, 2, 3, 3),
  side: fc.constantFrom('bid', 'ask'),
  away: fc.integer({ min: -10, max: 10 }),
  size: fc.constantFrom(2, 5, 10, 15, 20, 20, 25, 40, 60),
})
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

function commandOf({ kind, owner, side, away, size }: Step, exchange: Exchange) {
  const account = exchange.accounts[owner]!
  const ofAccount = { account, proof: null, market: BTC, clientOrderId: null }
  const price = mark + away * 100
  if (kind === 'tick')
    return {
      type: 'OracleTick',
      market: BTC,
      price: price * 1_000_000,
      observedAtMs: null,
      jump: true,
    }
  if (kind === 'cancel') {
    const order = Math.max(1, exchange.state.nextOrderId - 1 - (size % 7))
    return { ...ofAccount, type: 'CancelOrder', order }
  }
  const nothing = { reduceOnly: false, takeProfit: null, stopLoss: null }
  return { ...ofAccount, ...nothing, type: 'PlaceOrder', side, price, size, tif: kind }
}

test('an order has the same outcome on the short road and on the long one', () => {
  const steps = fc.array(step, { minLength: 40, maxLength: 120, size: 'max' })
  // A tier that requires more than the initial margin does, from a value within reach.
  const tiers = fc.constantFrom([], [{ fromValue: 30_000_000, maxLeverage: 8 }])
  const check = (history: readonly Step[], riskTiers: readonly unknown[]) => {
    const short = new Exchange(riskTiers, false)
    const long = new Exchange(riskTiers, true)
    history.forEach((each, at) => {
      const command = commandOf(each, short)
      assert.deepEqual(short.run(command, at * 100), long.run(command, at * 100))
    })
    assert.deepEqual(short.state.accounts.balance, long.state.accounts.balance)
  }
  fc.assert(fc.property(steps, tiers, check), { numRuns: 300 })
})
