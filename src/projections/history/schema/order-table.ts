// Orders as placed, and their steps.

import { orderEventNames, orderStatuses, orderTypes } from '../../../protocol/words.ts'
import { cancelReasons, sides, triggerBys } from '../../../words/order-words.ts'
import { account, computed, flag, int, intOrNull, textOrNull, word } from '../rows/column.ts'
import { table } from '../rows/table.ts'
import { type RowOf, wireRow } from '../rows/wire-row.ts'
import { reasonText } from '../tables/orders/order-words.ts'

/** Encoded by `reasonNumber`, which starts with these words. */
const reason = { ...int, words: cancelReasons }
const triggerBy = { ...intOrNull, words: triggerBys }

/** `placedBy`: the order that an edit replaced, or the stop or algo that placed the order. */
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
    placedBy: intOrNull,
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
      placed_by: '(placedBy) WHERE placedBy IS NOT NULL',
    },
  },
)

/** Which order was not released yet: the order of the event, or the one that it came with. */
const waits = ['none', 'order', 'parent'] as const
export type Waits = (typeof waits)[number]
export const waitCode = (which: Waits): number => waits.indexOf(which)

/** `lots`: for a stop without a fixed size, its size at the event. `extreme`: for a trailing stop,
 *  its best mark, if the event has it. `unreleased`: for the end of an order, whether it had never
 *  been released. */
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

/** Orders that became visible to others after their placement: the newest event of all orders at
 *  that time, and the number of releases since that event. */
export const orderReleases = table(
  'order_releases',
  { ord: int, seq: int, account, newest: int, turn: int },
  { key: ['ord'], indexes: { account: '(account, seq)' } },
)

const { columns: order } = orders
const { columns: step } = orderEvents
const lotsThen = computed(int, `coalesce(${step.lots.sql}, ${order.lots.sql})`)

/** An order as of its newest step. */
export const orderRow = wireRow((row) => ({
  order: row.int(order.id),
  clientOrderId: row.textOrNull(order.client),
  account: row.account(order.account),
  market: row.int(order.market),
  side: row.word(order.side),
  /** Order type of the API: limit, market, stop_limit … stop_loss_market. */
  orderType: row.word(order.type),
  /** Limit price in ticks. For a market order the worst price; for a market stop 0. */
  initialPrice: row.int(order.price),
  /** Current price. TOB and reducing orders may be repriced when they run. */
  price: row.int(step.price),
  /** 0 for a level or stop for the whole position. */
  initialLots: row.int(lotsThen),
  filledLots: row.int(step.filled),
  cancelledLots: row.int(step.cancelled),
  /** Value of its fills, in micro-dollars. */
  filledValue: row.int(step.value),
  /** A triggered stop counts as filled. The order that it created has it as `parent`. */
  status: row.word(step.status),
  stopPrice: row.intOrNull(order.stopPrice),
  /** The order that a level came with, the stop that created this order, or the TWAP of a slice. */
  parent: row.intOrNull(step.parent),
  reduceOnly: row.flag(order.reduceOnly),
  /** Time at which the order expires (ORDER-14). */
  expireTime: row.intOrNull(order.expireTime),
  /** Whether the order is cancelled when its account is filled too fast (ORDER-18). */
  mmp: row.flag(order.mmp),
  /** Trailing distance from the mark (TRIG-11), in ticks or in ppm; both are null if the stop does
   *  not trail. */
  trailDistance: row.intOrNull(order.trailDistance),
  trailPpm: row.intOrNull(order.trailPpm),
  trailActivation: row.intOrNull(order.trailActivation),
  /** Best mark of a trailing stop, if its newest step has it. */
  extreme: row.intOrNull(step.extreme),
  /** The other leg of an OCO (TRIG-14), even if that has ended. */
  oco: row.intOrNull(step.oco),
  /** The stop that a level came with (TRIG-13), or the algo that the order belongs to (except for
   *  TWAPs). */
  source: row.intOrNull(step.source),
  /** Whether a stop triggers in the other direction than its side implies (TRIG-10). */
  turned: row.flag(order.turned),
  /** Why the order ended before it was filled: a cancel reason of the core, or the name of a
   *  rejection. */
  reason: reasonText(row.int(step.reason)),
  createdAt: row.int(order.at),
  updatedAt: row.int(step.at),
}))
export type OrderRow = RowOf<typeof orderRow>

/** A step of an order. `id` is strictly increasing. */
export const orderEventRow = wireRow((row) => ({
  id: row.int(step.id),
  /** Event name of the API: make, stop_created, fulfill_limit … */
  event: row.word(step.event),
  atMs: row.int(step.at),
  order: row.int(order.id),
  clientOrderId: row.textOrNull(order.client),
  account: row.account(order.account),
  market: row.int(order.market),
  side: row.word(order.side),
  /** Order type of the API: limit, market, stop_limit … stop_loss_market. */
  orderType: row.word(order.type),
  price: row.int(step.price),
  initialLots: row.int(lotsThen),
  filledLots: row.int(step.filled),
  cancelledLots: row.int(step.cancelled),
  status: row.word(step.status),
  stopPrice: row.intOrNull(order.stopPrice),
  parent: row.intOrNull(step.parent),
  reduceOnly: row.flag(order.reduceOnly),
  /** Value of the fills so far, in micro-dollars. */
  filledValue: row.int(step.value),
  /** The other leg of an OCO (TRIG-14), even if that has ended. */
  oco: row.intOrNull(step.oco),
  /** Whether the order ended before its release, so that only its owner sees it. */
  unreleased: row.flag(step.unreleased),
  /** Whether a stop triggers in the other direction than its side implies (TRIG-10). */
  turned: row.flag(order.turned),
}))
export type OrderEventRow = RowOf<typeof orderEventRow>

const before = (name: string) => computed(intOrNull, `before.${name}`)

/** A step with the amounts of the order's previous step, for streams that resume. `late`: the
 *  order as of its release, which is its first event for others. */
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
  /** `null` for the first step. */
  filledBefore: row.intOrNull(before('filled')),
  cancelledBefore: row.intOrNull(before('cancelled')),
  valueBefore: row.intOrNull(before('value')),
}))
export type OrderStepRow = RowOf<typeof orderStepRow>

/** A command that concerned an order. */
export const orderSeqRow = wireRow((row) => ({
  seq: row.int(step.seq),
  account: row.account(step.account),
}))
export type OrderSeqRow = RowOf<typeof orderSeqRow>

export const orderIdRow = wireRow((row) => row.int(order.id))
export const filledValueRow = wireRow((row) => row.int(step.value))
