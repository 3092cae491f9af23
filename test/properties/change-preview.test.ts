// What a change of a market's risk is said to do, against what it does when it has come.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Command } from '../../src/core/commands/commands.ts'
import type { MarketChange } from '../../src/core/commands/market-params.ts'
import { apply, EventLog, type State } from '../../src/core/engine.ts'
import type { Event } from '../../src/core/events/event-fields.ts'
import { AccountSums, sumAccount } from '../../src/core/margin/margin.ts'
import { previewChange } from '../../src/core/markets/preview-change.ts'
import { limits } from '../../src/core/rules/limits.ts'
import { decodeState } from '../../src/core/snapshot/decode.ts'
import { encodeState } from '../../src/core/snapshot/encode.ts'
import { healthOf } from '../../src/core/solvency/scope.ts'
import type { TimeMs } from '../../src/units/units.ts'
import { throughWorld } from '../support/random-world.ts'

const log = new EventLog()

function run(state: State, atMs: number, command: Command): readonly Event[] {
  log.clear()
  apply(state, { seq: state.seq + 1, atMs: atMs as TimeMs, command }, log)
  return [...log.readAll()]
}

const copyOf = (state: State) => decodeState(encodeState(state)) as unknown as State

function rest(state: State, atMs: number): void {
  for (let turn = 0; turn < 500; turn++) {
    run(state, atMs, { type: 'Tick' })
    if (state.openPools === 0 && state.waiting.count === 0) return
  }
}

/** A tick with the price that the market has, observed now. */
function sameAgain(state: State, market: number, atMs: number): readonly Event[] {
  const { oracle } = state.markets[market]!
  const tick = { type: 'OracleTick', market, price: oracle, observedAtMs: atMs, jump: false }
  return run(state, atMs, tick as unknown as Command)
}

const stepMs = 250

/** A full backstop takes nothing over, and the account that was to go there is stepped. */
function makeRoom(state: State): void {
  const change = { backstopValueMax: limits.moneyMax, backstopDailyLossMax: limits.moneyMax }
  for (let market = 1; market < state.markets.length; market++)
    run(state, state.atMs, { type: 'ChangeMarket', market, change } as Command)
}

/** To just before `atMs`, with every feed alive and nothing left to do. */
function advanceTo(state: State, atMs: number): void {
  for (let tick = 12; tick >= 1; tick--) {
    const at = atMs - tick * stepMs
    for (let market = 1; market < state.markets.length; market++) sameAgain(state, market, at)
    rest(state, at)
  }
}

type Tally = { fallen: number; backstop: number; steps: number; cancelled: number; short: number }

/** Everyone that a trade, a takeover or a deleveraging has reached: what was foreseen of them was
 *  foreseen of another state. */
function touchedBy(event: Event): readonly number[] {
  const row = event as unknown as Record<string, unknown>
  const named = ['account', 'taker', 'maker', 'takerAccount', 'makerAccount', 'from', 'to']
  return named.flatMap((name) => (typeof row[name] === 'number' ? [row[name] as number] : []))
}

/** What a liquidation itself begins with. */
const isItsOwn = (event: Event) =>
  event.type === 'LiquidationStarted' ||
  (event.type === 'OrderCancelled' && event.reason === 'liquidation')

const sums = new AccountSums()

function isShort(state: State, account: number): boolean {
  sumAccount(state, account, 0, sums)
  return sums.equity < sums.requirement
}

const accountsOf = ({ accounts }: State) =>
  Array.from({ length: accounts.count }, (_, at) => at + 1).filter(
    (account) => accounts.reserved[account] === 0,
  )

type Turn = Readonly<{ isStep: boolean; cancelled: number }>

/** What follows the beginning of a liquidation: its orders are cancelled, then there is a step. */
function turnOf(events: readonly Event[], account: number): Turn {
  const end = events.findIndex(({ type }) => type !== 'OrderCancelled' && !type.startsWith('Algo'))
  const stretch = events.slice(0, end === -1 ? events.length : end)
  const next = events[stretch.length]
  return {
    isStep: next?.type === 'LiquidationStepped' && next.account === account,
    cancelled: stretch.filter(
      (event) => event.type === 'OrderCancelled' && event.reason === 'liquidation',
    ).length,
  }
}

function compare(state: State, market: number, change: MarketChange, tally: Tally): void {
  makeRoom(state)
  const announced = run(state, state.atMs, { type: 'ChangeMarket', market, change } as Command)
  const changed = announced.find((event) => event.type === 'MarketChanged')
  if (changed === undefined) return
  advanceTo(state, changed.effectiveAt)
  const before = encodeState(state)
  const listed = state.markets[market]!
  const { fallen, short } = previewChange(state, listed, change)
  assert.deepEqual(encodeState(state), before, 'to look changes nothing')
  const earlier = decodeState(before) as unknown as State
  const { mark } = listed
  const events = sameAgain(state, market, changed.effectiveAt)
  // A new leverage may bound the mark otherwise, and then everyone stands elsewhere.
  if (listed.mark !== mark) return
  const touched = new Set<number>()
  const turns = new Map<string, Turn>()
  for (const [at, event] of events.entries()) {
    if (event.type === 'LiquidationStarted' && !touched.has(event.account)) {
      const { account, scope, equity, maintenance } = event
      // One that the book could not help so far is liquidated anyway.
      const stood = healthOf(earlier, { account, market: scope })
      if (stood.equity < stood.maintenance) continue
      const foreseen = fallen.find((each) => each.account === account && each.scope === scope)
      assert.ok(foreseen, `${account} in ${scope} was not foreseen: ${equity} of ${maintenance}`)
      assert.deepEqual([foreseen.equity, foreseen.maintenanceThen], [equity, maintenance])
      turns.set(`${account} ${scope}`, turnOf(events.slice(at + 1), account))
    }
    if (!isItsOwn(event)) for (const account of touchedBy(event)) touched.add(account)
  }
  for (const { account, scope, fate, orders } of fallen) {
    const turn = turns.get(`${account} ${scope}`)
    if (turn === undefined && touched.has(account)) continue
    tally.fallen += 1
    assert.equal(turn === undefined, fate === 'waits', `${account} in ${scope}: ${fate}`)
    if (turn === undefined) continue
    assert.deepEqual(turn, { isStep: fate === 'step', cancelled: orders }, `${account}: ${fate}`)
    tally[fate === 'step' ? 'steps' : 'backstop'] += 1
    tally.cancelled += orders
  }
  const others = (account: number) =>
    !touched.has(account) && !fallen.some((each) => each.account === account)
  const foreseen = short.map(({ account }) => account as number).filter(others)
  const became = accountsOf(state)
    .filter(others)
    .filter((account) => {
      return !isShort(earlier, account) && isShort(state, account)
    })
  assert.deepEqual(foreseen, became, 'who can open nothing more')
  tally.short += foreseen.length
  const left = previewChange(state, listed, {})
  assert.deepEqual([left.fallen, left.short], [[], []], 'what has come changes nothing more')
}

/** Few in `npm test`; more by this variable. */
const seeds = Number.parseInt(process.env.OPENPERP_PREVIEW_SEEDS ?? '2', 10)

test('a preview of a risk change names the accounts it affects, in random worlds', () => {
  const tally: Tally = { fallen: 0, backstop: 0, steps: 0, cancelled: 0, short: 0 }
  const isMissing = () => Object.values(tally).some((times) => times === 0)
  for (let seed = 1; seed <= seeds || (seed <= 60 && isMissing()); seed++) {
    let count = 0
    throughWorld(seed, 900, ({ state }) => {
      count += 1
      if (count % 100 !== 0) return undefined
      for (let market = 1; market < state.markets.length; market++) {
        const change = { leverageMax: 1 + ((count / 100 + market) % 3), riskTiers: [] }
        compare(copyOf(state), market, change, tally)
      }
      return undefined
    })
  }
  for (const [what, times] of Object.entries(tally)) assert.ok(times > 0, `no ${what} was seen`)
  if (seeds > 2) console.log(JSON.stringify(tally))
})
