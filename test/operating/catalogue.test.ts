// The catalogue of markets: each is accepted by the core, and its numbers go together.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apply, checkInvariants, createState, EventLog, viewOf } from '../../src/core/index.ts'
import { bodyCheck } from '../../src/gateway/operations/body-check.ts'
import { listingBody, listingOf } from '../../src/gateway/parameters/market-fields.ts'
import {
  marketCatalogue,
  reasonOf,
  templateReasons,
} from '../../src/protocol/admin/market-catalogue.ts'
import {
  type PriceSourceKind,
  priceSourceKinds,
} from '../../src/protocol/admin/price-source-kinds.ts'
import { ownerlessAddress } from '../../src/sources/ownerless-address.ts'
import { standardGenesis } from '../../src/sources/sandbox-markets.ts'
import type { MicroTicks, TimeMs } from '../../src/units/units.ts'

/** Roughly, of one unit in dollars: what the numbers are to go with. */
const worth: Readonly<Record<string, number>> = {
  ...{ BTC: 105_000, ETH: 3_500, SOL: 170, XRP: 2.5, DOGE: 0.2, AVAX: 25, LINK: 15 },
  ...{ XAU: 3_400, XAG: 40 },
}

const listed = marketCatalogue.map((template) => ({
  ...template,
  body: {
    ...template.listing,
    oracle: `${worth[template.listing.symbol]}`,
    backstop_address: ownerlessAddress(`backstop of ${template.listing.symbol}`),
  },
}))

test('the core lists every market of the catalogue, all of them together', () => {
  const state = createState(standardGenesis)
  const view = viewOf(state)
  const log = new EventLog()
  const check = bodyCheck(listingBody)
  for (const [at, { name, body }] of listed.entries()) {
    check(body, name)
    const { params, oracle } = listingOf(body as never, view.ruleLimits.tickMaxMost)
    const command = { type: 'ListMarket', params, oracle: oracle as MicroTicks } as const
    log.clear()
    apply(state, { seq: at + 1, atMs: 1_000_000 as TimeMs, command }, log)
    const types = log.readAll().map(({ type }) => type)
    assert.ok(types.includes('MarketListed'), `${name}: ${types}`)
  }
  assert.deepEqual(checkInvariants(state), [])
  const names = listed.flatMap(({ name, listing }) => [name, listing.symbol])
  assert.equal(new Set(names).size, names.length)
})

test('steps, caps, bands and tiers follow the price of a unit', () => {
  for (const { name, group, listing } of listed) {
    const price = worth[listing.symbol]!
    const part = (text: string) => Number(text) / price
    assert.ok(part(listing.tick_size) <= 1e-3 && part(listing.tick_size) >= 1e-6, `${name} tick`)
    assert.ok(Number(listing.lot_size) * price <= 5, `${name} lot`)
    assert.ok(part(listing.min_tick) <= 0.01 && part(listing.max_tick) >= 10, `${name} grid`)
    const ticks = (Number(listing.max_tick) - Number(listing.min_tick)) / Number(listing.tick_size)
    assert.ok(ticks >= 99_999, `${name} has ${ticks} ticks`)
    const cap = Number(listing.open_interest_cap) * price
    assert.ok(cap >= 2e6 && cap <= 50e6, `${name} may reach ${cap} USD`)
    assert.ok(Number(listing.max_order_size) <= cap / 10, `${name} order`)
    assert.ok(Number(listing.open_interest_lower) < cap, `${name} interest`)
    assert.ok(Number(listing.open_interest_upper) > cap, `${name} interest`)
    assert.ok(Number(listing.backstop_value_max) <= cap / 10, `${name} backstop`)
    assert.ok(Number(listing.backstop_daily_loss_max) <= Number(listing.backstop_value_max) / 5)
    // A band beyond the maintenance of the largest leverage would let one buy a liquidation.
    assert.ok(
      Number(listing.band_near_percent) >= 100 / (2 * listing.max_leverage) || group === 'alt',
    )
    const [near, far] = [listing.band_near_percent, listing.band_far_percent].map(Number)
    assert.ok(near! < far!, `${name} bands`)
    assert.ok(listing.speedbump_ms > 0 && listing.min_sources >= 2, `${name} speed and sources`)
    const leverages = [listing.max_leverage, ...listing.risk_tiers.map((tier) => tier.max_leverage)]
    assert.deepEqual(
      leverages,
      leverages.toSorted((one, other) => other - one),
    )
    assert.ok(Number(listing.risk_tiers.at(-1)!.from_value) < cap / 2, `${name} tiers`)
  }
})

test('sources are called as they are called there, and every number has its reason', () => {
  for (const { name, group, listing, sources } of listed) {
    for (const [kind, symbol] of Object.entries(sources))
      assert.match(symbol, priceSourceKinds[kind as PriceSourceKind].symbol, `${name} ${kind}`)
    for (const field of Object.keys(listing))
      if (!['symbol', 'base_asset', 'isolated_only'].includes(field))
        assert.notEqual(reasonOf(group, field), '', `${name} ${field}`)
  }
  const fields = new Set(Object.values(templateReasons).flatMap((each) => Object.keys(each)))
  for (const field of fields) assert.ok(field in listed[0]!.listing, `no listing has ${field}`)
})
