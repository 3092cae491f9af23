// TWAPs as they were placed, and their steps.

import { sides } from '../../../core/index.ts'
import { orderStatuses, twapEventNames } from '../../../protocol/words.ts'
import { account, flag, int, textOrNull, word } from '../rows/column.ts'
import { table } from '../rows/table.ts'
import { type RowOf, wireRow } from '../rows/wire-row.ts'

export const twaps = table(
  'twaps',
  {
    id: int,
    at: int,
    account,
    market: int,
    side: word(sides),
    lots: int,
    slices: int,
    reduceOnly: flag,
    slippagePpm: int,
    client: textOrNull,
  },
  { key: ['id'], indexes: { account: '(account)' } },
)

export const twapEvents = table(
  'twap_events',
  {
    id: int,
    twap: int,
    at: int,
    event: word(twapEventNames),
    status: word(orderStatuses),
    past: int,
    filled: int,
    value: int,
  },
  { key: ['id'], indexes: { twap: '(twap)' } },
)

const { columns: twap } = twaps
const { columns: step } = twapEvents

/** A TWAP at one of its steps; in a list, at its newest. */
export const twapRow = wireRow((row) => ({
  /** Of the step; strictly grows. */
  id: row.int(step.id),
  atMs: row.int(step.at),
  /** Words of the API: twap_created, twap_triggered, fulfill_market, cancel … */
  event: row.word(step.event),
  status: row.word(step.status),
  /** Slices that are over, and what they filled. */
  past: row.int(step.past),
  filledLots: row.int(step.filled),
  filledValue: row.int(step.value),
  order: row.int(twap.id),
  clientOrderId: row.textOrNull(twap.client),
  account: row.account(twap.account),
  market: row.int(twap.market),
  side: row.word(twap.side),
  initialLots: row.int(twap.lots),
  slices: row.int(twap.slices),
  reduceOnly: row.flag(twap.reduceOnly),
  slippagePpm: row.int(twap.slippagePpm),
  createdAt: row.int(twap.at),
}))
export type TwapRow = RowOf<typeof twapRow>
