// The state after one command: the numbers of a core that was stepped command by command, read from
// its state and not from anything that is published.

import type { Event } from '../../../src/core/events/event-fields.ts'
import type { State } from '../../../src/core/state/state.ts'

export type Position = Readonly<{ lots: number; cost: number; wallet: number }>
type Best = Readonly<{ price: number; lots: number }>

export type Moment = Readonly<{
  seq: number
  atMs: number
  events: readonly Event[]
  /** By account. */
  balance: Float64Array
  pending: Float64Array
  position(account: number, market: number): Position
  /** By market: the best of both sides; price 0: none. */
  tops: ReadonlyMap<number, Readonly<{ bid: Best; ask: Best }>>
  /** Lots and money that the slices of each TWAP have filled, and how many are over. */
  twaps: ReadonlyMap<number, Readonly<{ filled: number; value: number; done: number }>>
}>

export function momentOf(state: State, seq: number, events: readonly Event[]): Moment {
  const { accounts, positions } = state
  const held = new Map<string, Position>()
  for (let row = 1; row <= positions.count; row++)
    held.set(`${positions.account[row]} ${positions.market[row]}`, {
      lots: positions.lots[row]!,
      cost: positions.cost[row]!,
      wallet: positions.wallet[row]!,
    })
  const twaps = [...state.algos.values()].map(
    ({ id, filled, filledValue, steps }) =>
      [id, { filled, value: filledValue, done: steps }] as const,
  )
  return {
    seq,
    atMs: state.atMs,
    events,
    balance: accounts.balance.slice(0, accounts.count + 1),
    pending: accounts.pending.slice(0, accounts.count + 1),
    position: (account, market) =>
      held.get(`${account} ${market}`) ?? { lots: 0, cost: 0, wallet: 0 },
    tops: topsOf(state),
    twaps: new Map(twaps),
  }
}

function topsOf({ markets, levels }: State): Moment['tops'] {
  const tops = new Map<number, Readonly<{ bid: Best; ask: Best }>>()
  for (const market of markets) {
    if (market === undefined) continue
    const best = ({ bestLevel, bestPrice: price }: typeof market.bids): Best => ({
      price,
      lots: bestLevel === 0 ? 0 : levels.lots[bestLevel]!,
    })
    tops.set(market.id, { bid: best(market.bids), ask: best(market.asks) })
  }
  return tops
}
