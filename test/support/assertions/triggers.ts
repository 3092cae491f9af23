import { armAttached } from '../../../src/core/levels/attached.ts'
import { joinLevels } from '../../../src/core/levels/position-levels.ts'
import { cutLeg } from '../../../src/core/oco/cut-leg.ts'
import { linkLegs, unlink } from '../../../src/core/oco/links.ts'
import { GoingOn } from '../../../src/core/state/going-on.ts'
import { GONE, type Trigger } from '../../../src/core/state/trigger.ts'
import { TriggerHeap } from '../../../src/core/state/trigger-heap.ts'
import { endUnarmed } from '../../../src/core/triggers/end-trigger.ts'
import { fireTrigger } from '../../../src/core/triggers/fire-trigger.ts'
import {
  adoptTrigger,
  dropTrigger,
  shrinkLevel,
  watch,
} from '../../../src/core/triggers/trigger-life.ts'
import { inside, type Rows, type World } from './world.ts'

/** B's stop at 61,000. */
function stopOf({ state }: World): Trigger {
  return [...state.triggers.values()].find(({ stopPrice }) => stopPrice === 61_000)!
}

/** A's stop loss at 58,000, a level of the position. */
function levelOf({ state }: World): Trigger {
  return [...state.triggers.values()].find(({ stopPrice }) => stopPrice === 58_000)!
}

/** The id of D's order that brings a level. */
const parentOf = (w: World): number => w.state.orders.id(w.slot(59_500))

const persistent = { row: 1, agent: null, lastSlippagePpm: null }

const heapRows: Rows = {
  'a trigger watches no price': (w) => new TriggerHeap().push(Number.NaN, stopOf(w)),
  'triggers are out of order, before the first is': (w) => {
    const heap = new TriggerHeap()
    for (const key of [3, 4, 5]) heap.push(key, stopOf(w))
    inside<{ keys: number[] }>(heap).keys[1] = 1
    heap.pop()
  },
  'fewer than no triggers wait': (w) => {
    const stop = stopOf(w)
    stop.wave = 1
    w.state.triggerQueue.delete(stop)
  },
  'a trailing stop is not at its place': (w) => {
    const trailing = [...w.state.triggers.values()].find(({ trail }) => trail !== null)!
    trailing.trail!.place = 5
    w.own('A', 'CancelStop', { market: 1, order: trailing.id, clientOrderId: null })
  },
}

const triggerRows: Rows = {
  'a trigger is set twice': (w) => adoptTrigger(w.state, stopOf(w)),
  'a trigger ends twice': (w) => {
    const stop = stopOf(w)
    dropTrigger(w.state, stop)
    dropTrigger(w.state, stop)
  },
  'an account without triggers loses one, account': (w) => {
    w.state.accounts.openCount[w.ids.B!] = 0
    dropTrigger(w.state, stopOf(w))
  },
  'an account without stops loses one, account': (w) => {
    w.state.accounts.stopCount[w.ids.B!] = 0
    dropTrigger(w.state, stopOf(w))
  },
  'a row without triggers loses one, row': (w) => {
    w.state.positions.stopCount[w.row('B')] = 0
    dropTrigger(w.state, stopOf(w))
  },
  'a trigger that has ended watches its price': (w) => {
    const stop = stopOf(w)
    stop.wave = GONE
    watch(w.state, stop)
  },
  'a level is cut to less than a lot': (w) => shrinkLevel(w.state, w.log, stopOf(w).id, 0),
  'a level is cut that was no larger, by': (w) => {
    const stop = stopOf(w)
    Object.assign(stop, { wanted: 3 })
    shrinkLevel(w.state, w.log, stop.id, 5)
  },
  'a trigger fires that has ended': (w) => {
    const stop = stopOf(w)
    w.state.triggers.delete(stop.id)
    fireTrigger(w.state, w.log, stop)
  },
  'a trigger fires that is not armed': (w) => {
    const stop = stopOf(w)
    stop.armed = false
    fireTrigger(w.state, w.log, stop)
  },
}

const goingRows: Rows = {
  'an order goes on twice': () => {
    const going = new GoingOn()
    for (let n = 0; n < 2; n++) going.add(5, persistent)
  },
  'an order ends that does not go on': () => new GoingOn().delete(5),
}

const levelRows: Rows = {
  'a level that came with an order does not exist': (w) => {
    const order = parentOf(w)
    w.state.attached.get(order)!.takeProfit.push(1_000_000)
    endUnarmed(w.state, w.log, order)
  },
  'a level that is to be armed does not exist': (w) => {
    const order = parentOf(w)
    w.state.attached.get(order)!.takeProfit.push(1_000_000)
    armAttached(w.state, w.log, order, 1, 5)
  },
  'a level joins its position twice': (w) => joinLevels(w.state, levelOf(w)),
  'a position has more levels than can be counted': (w) => {
    const level = levelOf(w)
    for (let n = 0; n < 300; n++) joinLevels(w.state, { ...level, id: 1_000_000 + n })
  },
}

const legRows: Rows = {
  'an order is the other leg of itself': (w) => linkLegs(w.state, 5, 5),
  'a leg has another leg already': (w) => {
    const [leg] = w.state.oco.keys()
    linkLegs(w.state, leg!, 1_000_000)
  },
  'two legs do not name each other, the other is': (w) => {
    const [[one, other]] = [...w.state.oco] as [[number, number]]
    w.state.oco.set(other, 1_000_000)
    unlink(w.state, one)
  },
  'an order has no stop as its other leg': (w) => cutLeg(w.state, w.log, parentOf(w), 5),
}

/** src/core/triggers/, levels/ and oco/ */
export const wakingRows: Rows = {
  ...heapRows,
  ...triggerRows,
  ...goingRows,
  ...levelRows,
  ...legRows,
}
