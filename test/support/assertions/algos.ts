import { checkPlan } from '../../../src/core/algos/algo-draft.ts'
import { adoptAlgo, dropAlgo, endAlgo, endChild } from '../../../src/core/algos/algo-life.ts'
import { runSlice } from '../../../src/core/algos/twap.ts'
import { countPayable } from '../../../src/core/approvals/approve-withdrawal.ts'
import { hashWords } from '../../../src/core/commands/text-hash.ts'
import { mmpTurn } from '../../../src/core/orders/trips.ts'
import type { Algo } from '../../../src/core/state/algo.ts'
import { Protection } from '../../../src/core/state/protection.ts'
import { TextShares } from '../../../src/core/texts/text-shares.ts'
import { TextTable } from '../../../src/core/texts/text-table.ts'
import { inside, type Rows, type World } from './world.ts'

const algoOf = ({ state }: World, kind: Algo['kind']): Algo =>
  [...state.algos.values()].find((algo) => algo.kind === kind)!

const algoRows: Rows = {
  'an algo begins twice': (w) => adoptAlgo(w.state, algoOf(w, 'iceberg')),
  'an algo ends twice': (w) => {
    const algo = algoOf(w, 'iceberg')
    dropAlgo(w.state, algo)
    dropAlgo(w.state, algo)
  },
  'a row without algos loses one, row': (w) => {
    w.state.positions.algoCount[w.row('D')] = 0
    dropAlgo(w.state, algoOf(w, 'iceberg'))
  },
  'an order ends that is none of its algo': (w) =>
    endChild(w.state, w.log, algoOf(w, 'iceberg').id, 1_000_000, 0),
  'an algo ends before its orders': (w) =>
    endAlgo(w.state, w.log, algoOf(w, 'iceberg'), 'finished'),
  'a TWAP has a step after its last slice': (w) => {
    const twap = algoOf(w, 'twap')
    twap.steps = twap.slices
    runSlice(w.state, w.log, twap)
  },
  'an algo has more filled and open than its size': (w) => {
    const algo = algoOf(w, 'iceberg')
    algo.filled = algo.size
    checkPlan(w.state, algo)
  },
}

const loss = (w: World, amount: number): void => w.state.brake.lose(w.now, amount)

const approvalRows: Rows = {
  'more becomes payable on a day than may': ({ state }) => {
    state.payableDailyMax = 5
    countPayable(state, 6)
  },
  'a withdrawal has more approvals than it needs': (w) => {
    const found = w.state.withdrawals.get(1)!
    w.state.withdrawals.set(1, { ...found, needed: 1, approvers: ['one', 'two'] })
    w.run({ type: 'ApproveWithdrawal', withdrawal: 1, approver: 'three' })
  },
  'an operator counts for no money': ({ state }) => state.aloneToday.approve(1, 'one', 0),
  'a day begins twice, days later': ({ state }) => state.brake.dayBegins(0, 5),
  'the insurance fund loses nothing': (w) => loss(w, 0),
  'the losses of a minute are less than the last': (w) => {
    w.state.brake.lost = -5
    loss(w, 3)
  },
}

const makerRows: Rows = {
  'a protected order does not exist': (w) => {
    w.state.protectedOrders.get(w.row('C'))!.add(1_000_000)
    for (const _ of [1, 2]) mmpTurn(w.state, w.log, w.row('C'))
  },
  'a quote is filled with more than its lots': ({ state }) => {
    const [{ limits }] = [...state.protections.values()] as [Protection]
    new Protection(limits).add(1_000, 5, 6)
  },
}

/** A table with a text, and the words of that. */
function tableWithText(): Readonly<{ table: TextTable; words: Int32Array }> {
  const table = new TextTable()
  const words = new Int32Array(hashWords).fill(7)
  table.add(5, '', words, 1_000)
  return { table, words }
}

const textRows: Rows = {
  'a share of texts has another size than its queue': () => {
    const { table } = tableWithText()
    table.shares.sizes[table.shares.first(5)] = 2
    table.forget(5, 2_000)
  },
  'a free line has a text': () => {
    const { table, words } = tableWithText()
    inside<{ free: number }>(table).free = 1
    table.add(6, '', words, 1_000)
  },
  'a text is not in the index': () => {
    const { table } = tableWithText()
    inside<{ index: Int32Array }>(table).index.fill(0)
    table.forget(5, 2_000)
  },
  'a share of texts ends with texts': () => {
    const { table } = tableWithText()
    table.shares.close(5, table.shares.first(5))
  },
  'an account does not have the share that ends': () => {
    const shares = new TextShares()
    shares.open(5, '')
    shares.close(5, shares.open(6, ''))
  },
}

/** src/core/algos/, approvals/, makers/ and texts/ */
export const algoAndTextRows: Rows = { ...algoRows, ...approvalRows, ...makerRows, ...textRows }
