// Algos as placed, and their steps.

import { orderStatuses, twapEventNames } from '../../../protocol/words.ts'
import { algoEnds, algoKinds, sides } from '../../../words/order-words.ts'
import { account, flag, int, textOrNull, word } from '../rows/column.ts'
import { table } from '../rows/table.ts'
import { type RowOf, wireRow } from '../rows/wire-row.ts'

/** Index 0 means that the algo has not ended. */
const endReasons = ['', ...algoEnds] as const

export const algos = table(
  'algos',
  {
    id: int,
    at: int,
    account,
    market: int,
    kind: word(algoKinds),
    side: word(sides),
    lots: int,
    slices: int,
    reduceOnly: flag,
    slippagePpm: int,
    price: int,
    display: int,
    expireTime: int,
    client: textOrNull,
  },
  {
    key: ['id'],
    indexes: {
      account: '(account)',
      client: '(account, client COLLATE NOCASE) WHERE client IS NOT NULL',
    },
  },
)

export const algoEvents = table(
  'algo_events',
  {
    id: int,
    seq: int,
    account,
    algo: int,
    at: int,
    event: word(twapEventNames),
    status: word(orderStatuses),
    past: int,
    filled: int,
    value: int,
    /** Why the algo ended before it was filled. */
    reason: word(endReasons),
  },
  { key: ['id'], indexes: { account: '(account)', algo: '(algo)' } },
)

const { columns: algo } = algos
const { columns: step } = algoEvents

/** A TWAP as of one of its steps; in lists, as of the newest. */
export const twapRow = wireRow((row) => ({
  /** Id of the step; strictly increasing. */
  id: row.int(step.id),
  /** Place in the journal. */
  seq: row.int(step.seq),
  atMs: row.int(step.at),
  /** Event name of the API: twap_created, twap_triggered, fulfill_market, cancel … */
  event: row.word(step.event),
  status: row.word(step.status),
  /** Number of completed slices, and the lots and value of their fills. */
  past: row.int(step.past),
  filledLots: row.int(step.filled),
  filledValue: row.int(step.value),
  order: row.int(algo.id),
  clientOrderId: row.textOrNull(algo.client),
  account: row.account(algo.account),
  market: row.int(algo.market),
  side: row.word(algo.side),
  initialLots: row.int(algo.lots),
  slices: row.int(algo.slices),
  reduceOnly: row.flag(algo.reduceOnly),
  slippagePpm: row.int(algo.slippagePpm),
  createdAt: row.int(algo.at),
}))
export type TwapRow = RowOf<typeof twapRow>

/** Like `twapRow`, but for any kind of algo. Fields that do not apply to the kind are 0. */
export const algoRow = wireRow((row) => ({
  id: row.int(step.id),
  atMs: row.int(step.at),
  event: row.word(step.event),
  status: row.word(step.status),
  reason: endOf(row.word(step.reason)),
  filledLots: row.int(step.filled),
  filledValue: row.int(step.value),
  order: row.int(algo.id),
  clientOrderId: row.textOrNull(algo.client),
  account: row.account(algo.account),
  market: row.int(algo.market),
  kind: row.word(algo.kind),
  side: row.word(algo.side),
  price: row.int(algo.price),
  initialLots: row.int(algo.lots),
  display: row.int(algo.display),
  reduceOnly: row.flag(algo.reduceOnly),
  expireTime: row.int(algo.expireTime),
  createdAt: row.int(algo.at),
}))
export type AlgoRow = RowOf<typeof algoRow>

type End = (typeof algoEnds)[number]

function endOf(word: (typeof endReasons)[number]): End | null {
  return word === '' ? null : word
}
