// CORE-5 as a property of the core alone: however many scopes one price makes unhealthy, and
// whatever else waits, each has its turn, and its takeover or deleveraging, within a number of
// commands that grows with the scopes alone.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Storm, stopOf } from '../../bench/risk/storm.ts'
import type { Command } from '../../src/core/commands/commands.ts'
import type { EventType } from '../../src/core/events/event-fields.ts'
import { checkInvariants } from '../../src/core/invariants.ts'

/** Accounts of these events. */
function accountsOf(storm: Storm, type: EventType): number[] {
  const events = storm.run.log.readAll().filter((event) => event.type === type)
  return events.map((event) => ('account' in event ? event.account : 0))
}

/** What may come in between: nothing, prices, and an account that sets stops that soon fire. */
function next(storm: Storm, late: number, kind: number): Command {
  if (kind === 0) return { type: 'Tick' }
  return kind === 1 ? storm.fall() : stopOf(late, 100)
}

function check(scopes: number, stops: number, paid: boolean, kinds: readonly number[]): void {
  const fund = paid ? 1_000_000 : 0
  const storm = new Storm({ scopes, stops, fund, leftPpm: paid ? 5_000 : -500, speedBumpMs: 0 })
  const late = storm.run.deposit('late', 1_000_000_000)
  const ended = paid ? 'BackstopTookOver' : 'Deleveraged'
  const turns = new Set<number>()
  const resolved = new Set<number>()
  const allowed = Math.ceil(scopes / 64) + 2 + (paid ? 0 : Math.ceil(scopes / 2))
  for (let n = 0; n < allowed; n++) {
    storm.run.atMs += 100
    storm.run.submit(n === 0 ? storm.fall() : next(storm, late, kinds[n % kinds.length]!))
    for (const account of accountsOf(storm, 'LiquidationStarted')) turns.add(account)
    for (const account of accountsOf(storm, ended)) resolved.add(account)
  }
  assert.deepEqual([turns.size, resolved.size], [scopes, scopes])
  assert.deepEqual(checkInvariants(storm.run.state), [])
}

const kinds = fc.array(fc.nat(2), { minLength: 1, maxLength: 8 })

test('an unhealthy account is resolved within ⌈U ÷ 64⌉ + 2 commands, with any other work', () => {
  const scopes = fc.integer({ min: 1, max: 500 })
  fc.assert(
    fc.property(scopes, fc.nat(1_500), kinds, (count, stops, mix) => {
      check(count, stops, true, mix)
    }),
    { numRuns: 25 },
  )
})

test('with an empty fund it takes one more command for two deleveragings', () => {
  const scopes = fc.integer({ min: 1, max: 90 })
  fc.assert(
    fc.property(scopes, fc.nat(800), kinds, (count, stops, mix) => check(count, stops, false, mix)),
    { numRuns: 15 },
  )
})
