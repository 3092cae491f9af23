// One or the other (TRIG-14), made of a stop that was drawn: by the place of the command, so that
// all else is drawn as without it.

import type { Level } from '../../../../src/core/commands/commands.ts'
import type { Lots } from '../../../../src/units/units.ts'
import { type Made, type Making, other, type Side } from '../making.ts'

type Stop = Readonly<{
  account: number
  proof: unknown
  market: number
  side: Side
  reduceOnly: boolean
  level: Level
  up?: boolean
  expireTime?: number
}>

/** Every other stop is a leg: of a pair with an order that rests, or with a stop on the other side
 *  of the mark; now and then of two that may not be combined. */
export function orOco(making: Making, made: Made): Made {
  if (made.type !== 'PlaceStop' || making.index % 2 === 0) return made
  const { account, proof, market, expireTime, ...leg } = made as unknown as Stop
  const mark = making.picture.markets.get(market)?.mark ?? 1
  const turn = Math.floor(making.index / 2)
  const { side, reduceOnly, level, up } = leg
  const stop = { side, reduceOnly, level, ...(up === undefined ? {} : { up }) }
  const held = Math.abs(making.picture.lotsOf(account, market))
  const fits = reduceOnly ? Math.max(1, held) : Number.MAX_SAFE_INTEGER
  const size = Math.min(level.size ?? Math.max(1, held), fits) as Lots
  const order = {
    side,
    price: nearMark(mark, side, turn),
    size,
    reduceOnly,
    clientOrderId: turn % 4 === 0 ? `c${turn % 12}` : null,
  }
  const same = { ...stop, level: { ...level, size } }
  const pairs = [
    [order, same],
    [same, order],
    [order, same],
    [stop, mirrored(stop, mark, turn)],
    [order, same],
    [stop, mirrored(stop, mark, turn)],
    [same, order],
    badPair(order, same, turn),
  ]
  const own = { account, proof, market, ...(expireTime === undefined ? {} : { expireTime }) }
  return { type: 'PlaceOco', ...own, legs: pairs[turn % pairs.length] } as unknown as Made
}

/** Near enough to be filled; now and then where it would take. */
function nearMark(mark: number, side: Side, turn: number): number {
  const away = Math.floor((mark * (turn % 12)) / 1_000) * (turn % 10 === 0 ? -1 : 1)
  return Math.max(1, side === 'bid' ? mark - away : mark + away)
}

type Leg = Pick<Stop, 'side' | 'reduceOnly' | 'level' | 'up'>

function mirrored({ side, reduceOnly, level, up }: Leg, mark: number, turn: number): Leg {
  const stopPrice = level.stopPrice === 0 ? 0 : Math.max(1, 2 * mark - level.stopPrice)
  const which = turn % 3 === 0 ? side : other(side)
  const turned = !(up ?? side === 'bid')
  return {
    side: which,
    reduceOnly,
    level: { ...level, stopPrice: stopPrice as Level['stopPrice'], clientOrderId: null },
    ...(level.trail == null && turned !== (which === 'bid') ? { up: turned } : {}),
  }
}

function badPair(order: Record<string, unknown>, stop: Leg, turn: number): readonly unknown[] {
  return [
    [order, order],
    [order],
    [order, { ...stop, side: other(stop.side) }],
    [{ ...order, size: (order.size as number) + 1 }, stop],
    [stop, { ...order, reduceOnly: !stop.reduceOnly }],
  ][Math.floor(turn / 8) % 5]!
}
