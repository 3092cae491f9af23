// The field types of channel rows. They are passed to the declarations when a schema is needed. The
// declarations do not import them, because a browser needs only the declarations.

import { address, decimal, orNull, side, symbol, timeMs } from '../schemas/field-types.ts'
import { book, marketPrices, marketRisk } from '../schemas/market-replies.ts'
import { mmpRow } from '../schemas/mmp.ts'
import { firing, protection, ties, trailing, watching } from '../schemas/order-rows.ts'
import { checkpoint } from '../schemas/proofs/receipts.ts'
import { type TSchema, Type } from '../schemas/typebox.ts'

const closings = ['open_long', 'open_short', 'close_long', 'close_short'] as const
const kinds = [...closings, 'force_close_long', 'force_close_short'] as const
const causes = [
  'normal',
  'market_liquidation',
  'backstop_liquidation',
  'deleverage',
  'settlement',
] as const

type Properties = Record<string, TSchema>
type Bounds = Readonly<{ minimum?: number; maximum?: number }>

const word = (words: readonly string[], description: string) =>
  Type.Enum([...words], { description })
const textOrNull = (description: string) => orNull(Type.String(), description)

export const fields = {
  object: <P extends Properties>(properties: P) => Type.Object(properties),
  rows: <P extends Properties>(properties: P) => Type.Array(Type.Object(properties)),
  rowsOf: <T extends TSchema>(row: T) => Type.Array(row),

  text: (description: string) => Type.String({ description }),
  textOrNull,
  integer: (description: string, bounds: Bounds = {}) => Type.Integer({ ...bounds, description }),
  integerOrNull: (description: string) => orNull(Type.Integer(), description),
  decimal,
  decimalOrNull: (description: string) => orNull(decimal(description), description),
  flag: (description: string) => Type.Boolean({ description }),
  word,
  side,
  address,
  timeMs,

  symbol,
  li: Type.Integer({
    description: 'Engine sequence number; the same event has the same one everywhere',
  }),
  at: timeMs('Engine time'),
  user: address('Address of the account'),
  orderId: Type.Integer({ description: 'Order id' }),
  expireTime: Type.Optional(timeMs('Expiry time; absent if the order does not expire')),
  trailing: trailing.trailing,
  protected: protection.mmp,
  ties,
  firing,
  watching,
  clientId: textOrNull('Your own id of the order, if it has one'),
  /** Effect of a fill on a position. Only `kind` shows whether the fill was forced. */
  closing: (description: string) => word(closings, description),
  kind: (description: string) => word(kinds, description),
  cause: (description: string) => word(causes, description),

  /** The same schemas as in REST replies. */
  book,
  checkpoint,
  marketPrices,
  mmp: mmpRow.properties,
  marketStatus: marketRisk.properties.status,
  marketMode: marketRisk.properties.mode,
  priceState: marketRisk.properties.price_state,
  tiersKeptUntil: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Until then maintenance may be milder than risk_tiers: GET /info/risk, kept_tiers',
  }),
}

export type Fields = typeof fields
