import { release } from '../../../src/core/due/releases.ts'
import { IdIndex } from '../../../src/core/pools/id-index.ts'
import { DueQueue } from '../../../src/core/queues/due-queue.ts'
import { ExpiryQueue } from '../../../src/core/queues/expiry-queue.ts'
import { Waiting, WorkQueue } from '../../../src/core/queues/work-queue.ts'
import { setTime } from '../../../src/core/timing/schedule.ts'
import { inside, type Rows } from './world.ts'

const due = (at: number) => ({ at, kind: 0, id: 1 })

const queueRows: Rows = {
  'work is due at a time that is none': () => new DueQueue().push(due(Number.NaN)),
  'work leaves a queue without any': () => new DueQueue().pop(),
  'due work is out of order, earlier than the first is': () => {
    const queue = new DueQueue()
    for (const at of [3, 4, 5]) queue.push(due(at))
    queue.entries[1] = due(1)
    queue.pop()
  },
  'less than nothing waits, of': () => {
    const waiting = new Waiting()
    const queue = new WorkQueue(waiting)
    queue.add(7)
    waiting.count = 0
    queue.delete(7)
  },
  'a queue is served out of order, at place': () => {
    const queue = new WorkQueue(new Waiting())
    for (const item of [7, 8]) queue.add(item)
    inside<{ items: Map<number, number> }>(queue).items.set(8, 1)
    queue.take()
    queue.take()
  },
  'engine time goes back, to': ({ state, now }) => setTime(state, now - 1),
  'a kept action does not exist': ({ state, log, now }) =>
    release(state, log, { at: now, kind: 6, id: 1_000_000 }),
  'an id is in the index already': () => {
    const index = new IdIndex()
    index.set(5, 1)
    index.set(5, 2)
  },
}

const expiryRows: Rows = {
  'the place of a time is taken, by': () => {
    const queue = new ExpiryQueue()
    const place = queue.add(7, 100)
    inside<{ free: number[] }>(queue).free.push(place)
    queue.add(8, 100)
  },
  'a time ends that is not kept, its place is': (w) => {
    w.state.orders.setExpiry(w.slot(59_600), 50)
    w.cancel('C', w.slot(59_600))
  },
  'a time ends that is not kept, of': () => new ExpiryQueue().deleteById(7),
}

/** src/core/due/ and pools/ */
export const dueRows: Rows = { ...queueRows, ...expiryRows }
