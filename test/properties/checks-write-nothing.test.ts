// Reads and previews write nothing of the exchange, not even to put it back: another reader in
// between, a thread or a follower, must not see a position that never existed.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Command } from '../../src/core/commands/commands.ts'
import type { State } from '../../src/core/engine.ts'
import { takerPpmOf } from '../../src/core/margin/fee-tier.ts'
import { largestEdit, type OrderWish, previewOrder } from '../../src/core/previews/preview-order.ts'
import { throughWorld } from '../support/random-world.ts'

type Columns = Record<string, Float64Array>

const money = {
  accounts: ['balance'],
  positions: ['lots', 'cost', 'wallet', 'buys', 'sells', 'losses', 'leverage', 'account'],
} as const

/** Writes to these columns and to open interest, from now until the call of the result. */
function watch(state: State): () => string[] {
  const writes: string[] = []
  const undo: (() => void)[] = []
  for (const [pool, names] of Object.entries(money))
    for (const name of names) {
      const columns = state[pool as 'accounts'] as unknown as Columns
      const column = columns[name]!
      const watched = new Proxy(column, {
        get: (array, at) => array[at as never],
        set: (array, at, value) => {
          writes.push(`${pool}.${name}[${String(at)}]`)
          array[at as never] = value as never
          return true
        },
      })
      columns[name] = watched
      undo.push(() => {
        // Unless the pool has grown meanwhile, into a longer column.
        if (columns[name] === watched) columns[name] = column
      })
    }
  for (const market of state.markets) if (market !== undefined) undo.push(guard(market, writes))
  return () => {
    for (const each of undo) each()
    return writes
  }
}

function guard(market: { openInterest: number; pool: number }, writes: string[]): () => void {
  const { openInterest, pool } = market
  const now = { openInterest, pool }
  for (const name of ['openInterest', 'pool'] as const)
    Object.defineProperty(market, name, {
      configurable: true,
      enumerable: true,
      get: () => now[name],
      set: (value: number) => {
        writes.push(`market.${name}`)
        now[name] = value
      },
    })
  return () => {
    for (const name of ['openInterest', 'pool'] as const)
      Object.defineProperty(market, name, {
        configurable: true,
        enumerable: true,
        writable: true,
        value: now[name],
      })
  }
}

/** Tiers are looked up once a day, by the first read: not the subject here. */
function lookUpTiers(state: State): void {
  for (let account = 1; account <= state.accounts.count; account++) takerPpmOf(state, account)
}

const isWish = (command: Command): command is OrderWish =>
  command.type === 'PlaceOrder' || command.type === 'PlaceMarketOrder'

test('a preview and the largest edit write nothing', () => {
  let tried = 0
  for (const seed of [3, 5, 8])
    throughWorld(seed, 250, ({ state, command }) => {
      if (!isWish(command) && command.type !== 'EditOrder') return undefined
      lookUpTiers(state)
      const writes = watch(state)
      if (isWish(command)) {
        previewOrder(state, { ...command, tif: 'FOK', type: 'PlaceOrder' } as OrderWish)
        previewOrder(state, command, 2)
      } else largestEdit(state, command)
      assert.deepEqual(writes(), [])
      tried += 1
      return undefined
    })
  assert.ok(tried > 50, `only ${tried} were tried`)
})

test('a FOK order that expires and an edit that is refused write no money and no position', () => {
  let seen = 0
  for (const seed of [2, 3, 5, 6, 8, 11, 14, 17])
    throughWorld(seed, 400, ({ state, command }) => {
      const isFok = command.type === 'PlaceOrder' && command.tif === 'FOK'
      if (!isFok && command.type !== 'EditOrder') return undefined
      lookUpTiers(state)
      const writes = watch(state)
      return (events) => {
        const types = events.map(({ type }) => type).join()
        const written = writes()
        if (isFok ? types !== 'OrderPlaced,OrderCancelled' : types !== 'CommandRejected') return
        // Its row in the market is made before it is looked at.
        const unexpected = written.filter((each) => !each.startsWith('positions.account'))
        assert.deepEqual(unexpected, [])
        seen += 1
      }
    })
  assert.ok(seen > 30, `only ${seen} were seen`)
})
