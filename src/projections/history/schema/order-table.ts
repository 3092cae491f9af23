// Orders as they were placed, and the steps of their lives.

import { orderEventNames, orderStatuses, orderTypes } from '../../../protocol/words.ts'
import { cancelReasons, sides, triggerBys } from '../../../words/order-words.ts'
import { account, computed, flag, int, intOrNull, textOrNull, word } from '../rows/column.ts'
import { table } from '../rows/table.ts'
import { type RowOf, wireRow } from '../rows/wire-row.ts'
import { reasonText } from '../tables/orders/order-words.ts'

/** Of `reasonNumber`, which counts from these. */
const reason = { ...int, words: cancelReasons }
const triggerBy = { ...intOrNull, words: triggerBys }

export const orders = table(
  'orders',
  {
    id: int,
    at: int,
    account,
    market: int,
    side: word(sides),
    type: word(orderTypes),
    reduceOnly: flag,
    price: int,
    lots: int,
    stopPrice: intOrNull,
    root: intOrNull,
    client: textOrNull,
    expireTime: intOrNull,
    mmp: flag,
    trailDistance: intOrNull,
    trailPpm: intOrNull,
    trailActivation: intOrNull,
    turned: flag,
    triggerBy,
  },
  {
    key: ['id'],
    indexes: {
      account: '(account)',
      account_market: '(account, market)',
      client: '(account, client COLLATE NOCASE) WHERE client IS NOT NULL',
    },
  },
)

/** Which order was not released yet: the one of the event, or the one it came with. */
const waits = ['none', 'order', 'parent'] as const
export type Waits = (typeof waits)[number]
export const waitCode = (which: Waits): number => waits.indexOf(which)

/** `lots`: for a stop without a fixed size, its size then. `extreme`: for a trailing stop, the best
 *  mark that it had seen, if the event has it. `unreleased`: for an end, the order had never been
 *  released. */
export const orderEvents = table(
  'order_events',
  {
    id: int,
    seq: int,
    account,
    ord: int,
    at: int,
    event: word(orderEventNames),
    status: word(orderStatuses),
    reason,
    price: int,
    filled: int,
    cancelled: int,
    value: int,
    parent: intOrNull,
    lots: intOrNull,
    extreme: intOrNull,
    oco: intOrNull,
    source: intOrNull,
    waiting: word(waits),
    unreleased: flag,
  },
  { key: ['id'], indexes: { account: '(account)', order: '(ord)' } },
)

/** Orders that became visible to others later than they were placed: the newest event of all orders
 *  at that moment, and which release it was since then. */
export const orderReleases = table(
  'order_releases',
  { ord: int, seq: int, account, newest: int, turn: int },
  { key: ['ord'], indexes: { account: '(account, seq)' } },
)

const { columns: order } = orders
const { columns: step } = orderEvents
const lotsThen = computed(int, `coalesce(${step.lots.sql}, ${order.lots.sql})`)

/** An order as it is now or as it ended. */
export const orderRow = wireRow((row) => ({
  order: row.int(order.id),
  clientOrderId: row.textOrNull(order.client),
  account: row.account(order.account),
  market: row.int(order.market),
  side: row.word(order.side),
  /** Words of the API: limit, market, stop_limit … stop_loss_market. */
  orderType: row.word(order.type),
  /** Limit in ticks; a market order's is its worst price, a market stop's 0. */
  initialPrice: row.int(order.price),
  /** As it is now: TOB and reducing orders may be moved when they run. */
  price: row.int(step.price),
  /** 0: a level or stop for the whole position. */
  initialLots: row.int(lotsThen),
  filledLots: row.int(step.filled),
  cancelledLots: row.int(step.cancelled),
  /** Micro-dollars of its fills. */
  filledValue: row.int(step.value),
  /** A stop that was triggered counts as filled: the order it made has it as `parent`. */
  status: row.word(step.status),
  stopPrice: row.intOrNull(order.stopPrice),
  /** The order a level came with, the stop that made this order, or the TWAP it is a slice of. */
  parent: row.intOrNull(step.parent),
  reduceOnly: row.flag(order.reduceOnly),
  /** When it ends, if not before (ORDER-14). */
  expireTime: row.intOrNull(order.expireTime),
  /** It goes when its account is filled too fast (ORDER-18). */
  mmp: row.flag(order.mmp),
  /** How far behind the mark it follows (TRIG-11): ticks, or ppm; both null: it does not. */
  trailDistance: row.intOrNull(order.trailDistance),
  trailPpm: row.intOrNull(order.trailPpm),
  trailActivation: row.intOrNull(order.trailActivation),
  /** The best mark that it has seen, if its last step has it. */
  extreme: row.intOrNull(step.extreme),
  /** The other leg of an OCO (TRIG-14), also when that has ended. */
  oco: row.intOrNull(step.oco),
  /** The stop that brings a level (TRIG-13), or the algo whose order it is; not of a TWAP. */
  source: row.intOrNull(step.source),
  /** A stop that does not fire as its side does (TRIG-10). */
  turned: row.flag(order.turned),
  /** Why it ended unfilled: a cancel reason of the core, or the name of the rejection. */
  reason: reasonText(row.int(step.reason)),
  createdAt: row.int(order.at),
  updatedAt: row.int(step.at),
}))
export type OrderRow = RowOf<typeof orderRow>

/** One step in the life of an order. `id` strictly grows. */
export const orderEventRow = wireRow((row) => ({
  id: row.int(step.id),
  /** Words of the API: make, stop_created, fulfill_limit … */
  event: row.word(step.event),
  atMs: row.int(step.at),
  order: row.int(order.id),
  clientOrderId: row.textOrNull(order.client),
  account: row.account(order.account),
  market: row.int(order.market),
  side: row.word(order.side),
  /** Words of the API: limit, market, stop_limit … stop_loss_market. */
  orderType: row.word(order.type),
  price: row.int(step.price),
  initialLots: row.int(lotsThen),
  filledLots: row.int(step.filled),
  cancelledLots: row.int(step.cancelled),
  status: row.word(step.status),
  stopPrice: row.intOrNull(order.stopPrice),
  parent: row.intOrNull(step.parent),
  reduceOnly: row.flag(order.reduceOnly),
  /** Micro-dollars of what was filled until then. */
  filledValue: row.int(step.value),
  /** The other leg of an OCO (TRIG-14), also when that has ended. */
  oco: row.intOrNull(step.oco),
  /** It ended before it was released: only its owner sees it. */
  unreleased: row.flag(step.unreleased),
  /** A stop that does not fire as its side does (TRIG-10). */
  turned: row.flag(order.turned),
}))
export type OrderEventRow = RowOf<typeof orderEventRow>

const before = (name: string) => computed(intOrNull, `before.${name}`)

/** One step with the numbers of the order's step before it, for streams that resume. `late`: the
 *  order as it was at its release, which others learn of only then. */
export const orderStepRow = wireRow((row) => ({
  late: row.flag(computed(flag, 'late')),
  seq: row.int(computed(int, 'place.seq')),
  event: row.word(computed(word(orderEventNames), 'place.event')),
  atMs: row.int(step.at),
  order: row.int(order.id),
  clientOrderId: row.textOrNull(order.client),
  market: row.int(order.market),
  side: row.word(order.side),
  orderType: row.word(order.type),
  reduceOnly: row.flag(order.reduceOnly),
  stopPrice: row.intOrNull(order.stopPrice),
  triggerBy: row.intOrNull(order.triggerBy),
  turned: row.flag(order.turned),
  expireTime: row.intOrNull(order.expireTime),
  mmp: row.flag(order.mmp),
  trailDistance: row.intOrNull(order.trailDistance),
  trailPpm: row.intOrNull(order.trailPpm),
  trailActivation: row.intOrNull(order.trailActivation),
  extreme: row.intOrNull(step.extreme),
  createdAt: row.int(order.at),
  lots: row.int(lotsThen),
  price: row.int(step.price),
  filled: row.int(step.filled),
  cancelled: row.int(step.cancelled),
  value: row.int(step.value),
  status: row.word(step.status),
  parent: row.intOrNull(step.parent),
  oco: row.intOrNull(step.oco),
  source: row.intOrNull(step.source),
  waiting: row.word(step.waiting),
  unreleased: row.flag(step.unreleased),
  /** Null: it is the first step. */
  filledBefore: row.intOrNull(before('filled')),
  cancelledBefore: row.intOrNull(before('cancelled')),
  valueBefore: row.intOrNull(before('value')),
}))
export type OrderStepRow = RowOf<typeof orderStepRow>

export const orderIdRow = wireRow((row) => row.int(order.id))
export const filledValueRow = wireRow((row) => row.int(step.value))
