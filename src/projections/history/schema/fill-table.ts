// Fills, and the number of fills in each list (tables/fill-lists.ts).

import { causes, fillKinds, roles } from '../../../words/order-words.ts'
import { account, int, word } from '../rows/column.ts'
import { table } from '../rows/table.ts'
import { type RowOf, wireRow } from '../rows/wire-row.ts'
import { orders } from './order-table.ts'

const placesOf = (words: readonly string[], wanted: (word: string) => boolean) =>
  words.flatMap((word, place) => (wanted(word) ? [place] : [])).join(', ')

/** Positions closed by force, except by the settlement of their market. The text must be equal to
 *  that of the partial indexes below, otherwise SQLite does not use them. */
export const isForced =
  `kind IN (${placesOf(fillKinds, (kind) => kind.startsWith('force'))}) AND ` +
  `cause IN (${placesOf(causes, (cause) => cause !== 'normal' && cause !== 'settlement')})`

export const fills = table(
  'fills',
  {
    history: int,
    seq: int,
    at: int,
    account,
    counterparty: account,
    ord: int,
    market: int,
    kind: word(fillKinds),
    role: word(roles),
    cause: word(causes),
    lots: int,
    price: int,
    value: int,
    fee: int,
    pnl: int,
    entryCost: int,
    entryLots: int,
  },
  {
    key: ['history'],
    indexes: {
      account: '(account)',
      account_market: '(account, market)',
      market: '(market)',
      forced: `(history) WHERE ${isForced}`,
      forced_market: `(market) WHERE ${isForced}`,
    },
  },
)

/** Where the liquidation of an account, or of one of its isolated positions, began. */
export const liquidationStarts = table(
  'liquidation_starts',
  { id: int, seq: int, account },
  { key: ['id'], indexes: { account: '(account)' } },
)

export const liquidationStartRow = wireRow((row) => row.int(liquidationStarts.columns.seq))

export const fillCounts = table(
  'fill_counts',
  { level: int, block: int, account: int, market: int, n: int },
  { key: ['level', 'block', 'account', 'market'] },
)

const { columns } = fills

export const fillRow = wireRow((row) => ({
  history: row.int(columns.history),
  /** Seq in the journal. */
  seq: row.int(columns.seq),
  atMs: row.int(columns.at),
  account: row.account(columns.account),
  counterparty: row.account(columns.counterparty),
  order: row.int(columns.ord),
  clientOrderId: row.textOrNull(orders.columns.client),
  market: row.int(columns.market),
  kind: row.word(columns.kind),
  role: row.word(columns.role),
  cause: row.word(columns.cause),
  lots: row.int(columns.lots),
  /** In ticks; 0 for a deleveraging, whose price is `value` ÷ `lots`. */
  price: row.int(columns.price),
  value: row.int(columns.value),
  fee: row.int(columns.fee),
  pnl: row.int(columns.pnl),
  entryCost: row.int(columns.entryCost),
  entryLots: row.int(columns.entryLots),
}))
export type FillRow = RowOf<typeof fillRow>

/** A position closed by force, without its account. */
export const liquidationRow = wireRow((row) => ({
  history: row.int(columns.history),
  atMs: row.int(columns.at),
  market: row.int(columns.market),
  kind: row.word(columns.kind),
  cause: row.word(columns.cause),
  lots: row.int(columns.lots),
  price: row.int(columns.price),
  value: row.int(columns.value),
}))
export type LiquidationRow = RowOf<typeof liquidationRow>
