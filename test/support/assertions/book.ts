import { leaveBook, restInBook, shrinkInBook } from '../../../src/core/book/book.ts'
import { LevelIndex } from '../../../src/core/book/level-index.ts'
import { QueuePositions } from '../../../src/core/book/queue-positions.ts'
import type { OrderId } from '../../../src/core/commands/ids.ts'
import { inside, type Rows } from './world.ts'

type Index = { index: LevelIndex }

/** src/core/book/ */
export const bookRows: Rows = {
  'an order rests twice, level': (w) => restInBook(w.state, w.btc.bids, w.slot(59_900)),
  'an order rests without lots, it has': (w) => {
    const slot = w.slot(59_800)
    leaveBook(w.state, w.btc.bids, slot)
    w.state.orders.setRemaining(slot, 0)
    restInBook(w.state, w.btc.bids, slot)
  },
  'an order leaves a book that it is not in': (w) => {
    const slot = w.slot(59_800)
    w.state.orders.setLevel(slot, 0)
    w.cancel('C', slot)
  },
  'a level without orders has lots': (w) => {
    w.state.levels.lots[w.level(59_800)]! += 1
    w.cancel('C', w.slot(59_800))
  },
  'an order gets smaller in a book that it is not in': (w) => {
    const slot = w.slot(59_800)
    leaveBook(w.state, w.btc.bids, slot)
    shrinkInBook(w.state, slot, 1)
  },
  'a level has less than no plain lots': (w) => {
    w.state.levels.plainLots[w.level(60_100)] = 10
    w.place('A', 'bid', 11, 60_100, { tif: 'IOC' })
  },
  'a level has fewer lots than plain ones': (w) => {
    w.state.levels.lots[w.level(60_100)] = 10
    w.place('A', 'bid', 11, 60_100, { tif: 'IOC' })
  },
  'a place is outside of its queue': (w) => {
    w.state.levels.lots[w.level(59_900)] = 10
    new QueuePositions(w.state, 10).of(w.state.orders.id(w.slot(59_900)) as OrderId)
  },
  'a level opens at a price that is none': (w) => w.btc.bids.open(w.state.levels, 0),
  'a level opens behind one that is not better': (w) => {
    w.state.levels.price[w.level(59_900)] = 59_000
    w.place('C', 'bid', 10, 59_850)
  },
  'a level opens before one that is not worse': (w) => {
    w.state.levels.price[w.level(59_800)] = 59_899
    w.place('C', 'bid', 10, 59_850)
  },
  'a level closes with orders': (w) => w.btc.bids.close(w.state.levels, w.level(59_900)),
  'the first level is not the best one': (w) => {
    const level = w.level(59_900)
    w.btc.bids.bestLevel = w.level(59_800)
    w.state.levels.count[level] = 0
    w.btc.bids.close(w.state.levels, level)
  },
  'a free level has a price': (w) => {
    w.cancel('C', w.slot(59_800))
    w.state.levels.price[w.state.levels.free] = 1
    w.place('C', 'bid', 10, 59_000)
  },
  'a level is freed twice': (w) => {
    const level = w.level(59_800)
    w.cancel('C', w.slot(59_800))
    w.state.levels.release(level)
  },
  'a level is in the index already': () => {
    const index = new LevelIndex()
    index.levelOf(5)
    index.insert(5, 1)
    index.levelOf(5)
    index.insert(5, 2)
  },
  'a level is not in the index': (w) => {
    const { index } = inside<Index>(w.btc.bids)
    index.remove(59_800)
    w.cancel('C', w.slot(59_800))
  },
}
