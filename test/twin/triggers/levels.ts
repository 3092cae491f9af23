// The levels of a position (TRIG-2, TRIG-4, TRIG-12).

import type { CommandOf } from '../../../src/core/commands/commands.ts'
import { type Rejection, refuse } from '../../../src/core/commands/rejections.ts'
import { sides } from '../../../src/words/order-words.ts'
import { marketRefusal } from '../accounts/policies.ts'
import { byId, findMarket, holdingOf } from '../core/lookup.ts'
import { isUnsupported } from '../core/texts.ts'
import { endStop, liveCount } from '../orders/endings.ts'
import * as checks from '../orders/order-checks.ts'
import { bookOf } from '../rule-books.ts'
import type { Account, Holding, Market, Naive } from '../state.ts'
import { abs, asBytes, given, isInt, sameClient, shown } from '../units/numbers.ts'
import { levelSlips } from './attached-checks.ts'
import { firesUp } from './directions.ts'
import { hasGoodWords, listed } from './level-words.ts'
import { kindLimit, trailLimit } from './trailing.ts'
import { newStop, tickRefusal } from './triggers.ts'

const slots = [
  { field: 'takeProfit', kind: 'take_profit' },
  { field: 'stopLoss', kind: 'stop_loss' },
] as const

export function setPositionTpsl(
  naive: Naive,
  command: CommandOf<'SetPositionTpsl'>,
  account: Account,
): Rejection | null {
  const market = findMarket(naive, command.market)
  if (!market) return refuse('BOOK_NOT_FOUND', given(command.market))
  if (isUnsupported(account, command)) return refuse('UNSUPPORTED_OPERATION')
  const refusal =
    checks.tradingRefusal(naive, account, market) ?? tpslRefusal(naive, command, account, market)
  if (refusal) return refusal
  const holding = holdingOf(account, market)
  const side = holding.lots > 0n ? 'ask' : 'bid'
  for (const { field, kind } of slots) {
    if (command[field] === undefined) continue
    const levels = listed(command[field])
    const present = naive.stops.filter((stop) => holding[field].includes(stop.id))
    for (const stop of present.sort(byId)) {
      endStop(naive, stop, levels.length > 0 ? 'replaced' : 'owner')
    }
    const agent = command.proof?.agent ?? null
    const as = { side, kind, reduceOnly: true, expireTime: null, agent, up: null } as const
    for (const level of levels) {
      holding[field].push(newStop(naive, account, market, level, as).id)
    }
  }
  return null
}

function tpslRefusal(
  naive: Naive,
  command: CommandOf<'SetPositionTpsl'>,
  account: Account,
  market: Market,
): Rejection | null {
  const holding = holdingOf(account, market)
  const wanted = slots.flatMap(({ field, kind }) => {
    return listed(command[field]).map((level) => ({ level, kind, present: holding[field] }))
  })
  const words = wanted.every(({ level, kind }) => hasGoodWords(level, kind))
  if (!sides.includes(command.side) || !words) {
    return refuse('INVALID_ORDER_TYPE')
  }
  if (holding.lots === 0n) return refuse('POSITION_NOT_FOUND')
  const clients = wanted.map(({ level }) => level.clientOrderId ?? null)
  for (const [at, { present }] of wanted.entries()) {
    const client = clients[at] ?? null
    if (client === null) continue
    const others = { ...naive, stops: naive.stops.filter((stop) => !present.includes(stop.id)) }
    const twice = clients.findIndex((other) => sameClient(client, other)) !== at
    if (twice || checks.liveClients(others, account).includes(asBytes(client))) {
      return refuse('DUPLICATE_CLIENT_ORDER_ID')
    }
  }
  const crowded = tpslCount(naive, command, account, holding)
  if (crowded) return crowded
  const closing = holding.lots > 0n ? 'ask' : 'bid'
  for (const { level, kind } of wanted) {
    const badTick = tickRefusal(market, firesUp({ side: closing, kind, up: null }), level)
    if (badTick) return badTick
  }
  const badSlip = levelSlips(
    market,
    wanted.map(({ level }) => level),
  )
  if (badSlip) return badSlip
  if (command.side === closing) return refuse('INVALID_STOP_ORDER_SIDE')
  const position = abs(holding.lots)
  for (const { level } of wanted) {
    const size = level.size ?? null
    if (size === null || (isInt(size) && size >= 1 && BigInt(size) <= position)) continue
    return refuse('INVALID_STOP_ORDER_AMOUNT', given(size), shown(position))
  }
  const limited = wanted.length === 0 ? null : marketRefusal(account, market, command.proof?.agent)
  return limited ?? checks.badText(...clients.filter((client) => client !== null))
}

/** TRIG-12: all open orders, those that trail, then each kind. */
function tpslCount(
  naive: Naive,
  command: CommandOf<'SetPositionTpsl'>,
  account: Account,
  holding: Holding,
): Rejection | null {
  const open = liveCount(naive, account)
  const grows = slots.map(({ field }) => {
    const { length } = listed(command[field])
    return length === 0 ? 0 : length - holding[field].length
  })
  const added = grows.reduce((sum, one) => sum + one)
  const { ordersPerAccount } = bookOf(naive).limits
  if (added > 0 && open + added > ordersPerAccount) {
    return refuse('OPEN_ORDER_LIMIT_REACHED', open, ordersPerAccount)
  }
  const trailing = listed(command.stopLoss)
  return (
    trailLimit(naive, account, trailing, holding.stopLoss) ??
    kindLimit(naive, listed(command.takeProfit)) ??
    kindLimit(naive, trailing)
  )
}
