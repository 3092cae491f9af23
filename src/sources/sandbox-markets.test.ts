import assert from 'node:assert/strict'
import { test } from 'node:test'
import { base58 } from '@scure/base'
import { MemorySequencer } from '../../test/support/memory-sequencer.ts'
import { checkInvariants, INSURANCE } from '../core/index.ts'
import { areTiers } from '../core/markets/venue.ts'
import { firstRules } from '../core/rules/first-rules.ts'
import { allBots, openingDeposits, refills, refillsMax } from './bots/bot-accounts.ts'
import { submitChecked } from './exchange-port.ts'
import { openingCommands, sandboxListings, standardGenesis } from './sandbox-markets.ts'

async function opened() {
  const exchange = new MemorySequencer(standardGenesis, () => ({ now: () => 1_750_000_000_000 }))
  const commands = [...openingCommands(), ...openingDeposits()]
  await Promise.all(commands.map((command) => submitChecked(exchange, command)))
  return exchange
}

test('the core takes every listing, reserve and deposit of a new sandbox', async () => {
  const { state } = await opened()
  assert.deepEqual([...state.symbols.keys()].slice(0, 3), ['BTC', 'ETH', 'SOL'])
  assert.equal(state.markets.length, 9)
  assert.deepEqual(checkInvariants(state), [])
  assert.ok(state.accounts.balance[INSURANCE]! > 10_000_000_000_000)
  for (const market of state.markets)
    if (market !== undefined) assert.ok(state.accounts.balance[market.backstop]! > 0)
})

test('tick sizes differ, one market is isolated only, and orders start at ten dollars', () => {
  const grids = new Set(sandboxListings.map(({ params }) => JSON.stringify(params.tickSize)))
  assert.ok(grids.size >= 6, `${[...grids]}`)
  assert.equal(sandboxListings.filter(({ params }) => params.isolatedOnly).length, 1)
  for (const { params } of sandboxListings) assert.equal(params.orderValueMin, 10_000_000)
})

test('fee tiers are valid, and every ownerless address has 32 bytes and is used once', () => {
  assert.ok(areTiers(standardGenesis.feeTiers, firstRules))
  const { feesAddress, insuranceAddress, deficitAddress } = standardGenesis
  const addresses = [
    feesAddress,
    insuranceAddress,
    deficitAddress,
    ...sandboxListings.map(({ params }) => params.backstopAddress),
    ...allBots.map(({ address }) => address),
  ]
  for (const address of addresses) assert.equal(base58.decode(address).length, 32)
  assert.equal(new Set(addresses).size, addresses.length)
})

test('a bot that lost half its money gets it again, a bounded number of times', async () => {
  const exchange = await opened()
  const { state } = exchange
  assert.deepEqual(refills(exchange.view), [])
  const account = state.accounts.byAddress.get(allBots[0]!.address)!
  for (let time = 1; time <= refillsMax; time++) {
    // The fee account takes the loss, so that money is conserved.
    const left = 1_000_000
    state.accounts.balance[1]! += state.accounts.balance[account]! - left
    state.accounts.balance[account] = left
    const [deposit, ...more] = refills(exchange.view)
    assert.deepEqual(more, [])
    assert.equal(deposit!.address, allBots[0]!.address)
    await submitChecked(exchange, deposit!)
  }
  state.accounts.balance[1]! += state.accounts.balance[account]!
  state.accounts.balance[account] = 0
  assert.deepEqual(refills(exchange.view), [])
  assert.deepEqual(checkInvariants(state), [])
})
