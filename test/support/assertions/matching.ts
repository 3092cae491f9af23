import { Fill } from '../../../src/core/margin/fill.ts'
import { settleFill } from '../../../src/core/matching/settle-fill.ts'
import { FEES } from '../../../src/core/pools/account-pool.ts'
import { SOL } from '../scene.ts'
import type { Rows, World } from './world.ts'

/** C takes from the best ask, which is B's. */
const take = (w: World, size = 10): void => w.place('C', 'bid', size, 60_100, { tif: 'IOC' })

/** A fill of this row at mark. */
function fillRow(w: World, row: number, sign: number, change: Partial<Fill> = {}): void {
  const fill = new Fill()
  fill.lots = 10
  fill.price = 60_000
  Object.assign(fill, { value: fill.lots * fill.price * w.btc.unitValue }, change)
  settleFill(w.state, w.log, w.btc, row, sign, fill)
}

/** The makers that a taker meets. */
const matchRows: Rows = {
  'a match has no lots': (w) => {
    w.state.orders.setRemaining(w.slot(60_100), 0)
    take(w)
  },
  'an account trades with itself, row': (w) => {
    w.state.orders.setPosition(w.slot(60_100), w.row('C'))
    take(w)
  },
  'a maker does not rest': (w) => {
    w.state.orders.setStage(w.slot(60_100), 2)
    take(w)
  },
  'a maker is of another market': (w) => {
    w.state.orders.setMarket(w.slot(60_100), 2)
    take(w)
  },
  'a maker is on the side of the taker': (w) => {
    w.state.orders.setSide(w.slot(60_100), 0)
    take(w)
  },
  'a maker is filled at a price not its own': (w) => {
    w.state.orders.setPrice(w.slot(60_100), 60_099)
    take(w)
  },
  'a maker has more lots than its size': (w) => {
    w.state.orders.setSize(w.slot(60_100), 199)
    take(w)
  },
  'a taker has more lots than its size': (w) => {
    const [id] = w.state.markets[SOL]!.waiting.all()
    w.state.orders.setSize(w.state.orders.slotOf(id!), 50)
    w.now += 250
    w.run({ type: 'Tick' })
  },
  'a match makes or loses lots, maker': (w) => {
    w.state.positions.lots[w.row('C')] = 0.1
    w.state.positions.lots[w.row('B')] = -0.2
    take(w)
  },
  'an algo is filled beyond its size': (w) => {
    for (const algo of w.state.algos.values()) algo.filled = algo.size
    w.place('B', 'ask', 3_000, 59_300, { tif: 'IOC' })
  },
}

/** What a fill does to one side. */
const fillRows: Rows = {
  'a flat position has a cost': (w) => {
    w.state.positions.cost[w.row('C')] = 1
    take(w)
  },
  'a flat position has a wallet': (w) => {
    w.state.positions.wallet[w.row('C')] = 1
    take(w)
  },
  'a fill moves other lots than its own, too many by': (w) => {
    w.state.positions.lots[w.row('A')] = 2 ** 53
    fillRow(w, w.row('A'), 1, { lots: 1 })
  },
  'a fill makes or loses money': (w) => {
    w.state.positions.account[w.row('A')] = FEES
    fillRow(w, w.row('A'), 1, { feePpm: 400 })
  },
  'a fill leaves an unsafe balance': (w) => {
    w.state.accounts.balance[w.ids.A!] = 2 ** 54
    fillRow(w, w.row('A'), 1)
  },
  'open interest is below zero': (w) => {
    w.btc.openInterest = 5
    fillRow(w, w.row('A'), -1)
  },
  'the fee account is below zero': (w) => {
    w.state.accounts.balance[FEES] = -(10 ** 12)
    take(w)
  },
}

/** src/core/matching/ */
export const matchingRows: Rows = { ...matchRows, ...fillRows }
