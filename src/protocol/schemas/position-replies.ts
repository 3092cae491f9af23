// Positions and their history. The first two schemas are exactly those of the contract.

import { decimal, optional, side, symbol, timeMs } from './field-types.ts'
import { limitOf } from './lists.ts'
import { Type } from './typebox.ts'

const isoTime = (description: string) =>
  Type.String({
    pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{6}Z$',
    description: `${description}, ISO 8601 UTC with microseconds`,
  })

export const position = Type.Object({
  amount: decimal('Size in the base asset'),
  createdAt: isoTime('When it was opened'),
  entryPrice: decimal('Average entry price, to 28 significant digits'),
  isolated: Type.Boolean({ description: 'Whether the position has isolated margin' }),
  margin: decimal(
    'Isolated position: its margin, with settled funding and fees. Cross position: ' +
      'unrealised profit minus the funding and fees paid. Both may be negative',
  ),
  side: side('bid is long, ask is short'),
  symbol,
  updatedAt: isoTime('Time of the last change'),
})

export const positionHistoryQuery = Type.Object({
  account: optional(
    Type.String({ maxLength: 64, description: 'Account address (default: all accounts)' }),
  ),
  symbol: optional(symbol),
  start_time: optional(timeMs('Only records of this time or later, milliseconds')),
  end_time: optional(timeMs('Only records of this time or earlier, milliseconds')),
  limit: limitOf({ maximum: 1_000, default: 100, rows: 'records' }),
  offset: optional(
    Type.Integer({
      minimum: 0,
      default: 0,
      format: 'int64',
      description: 'Number of newest rows to skip',
    }),
  ),
})

export const positionEvents = [
  'open_long',
  'open_short',
  'close_long',
  'close_short',
  'force_close_long',
  'force_close_short',
] as const

export const positionRecord = Type.Object({
  amount: decimal('Size of the event'),
  counterParty: Type.String({ description: 'Address of the other account' }),
  createdAt: isoTime('Time of the event'),
  entryPrice: decimal(
    'For an opening: average entry price of the position afterwards. For a closing: ' +
      'that of the closed part',
  ),
  eventType: Type.Enum([...positionEvents], {
    description: 'Effect on the position; force_* is a liquidation, a takeover or a deleveraging',
  }),
  fee: decimal('Fee charged; negative is a rebate'),
  historyId: Type.Integer({ description: 'History id; increases over all accounts' }),
  isMaker: Type.Boolean({ description: 'Whether the order of the account rested in the book' }),
  pnl: decimal('Profit of the event, net of its fee'),
  price: decimal('Price of the event'),
  symbol,
})

export const ccxtPosition = Type.Object({
  symbol,
  side: side('bid is long, ask is short'),
  amount: decimal('Size in the base asset'),
  entry_price: decimal('Average entry price'),
  margin: decimal('Margin of an isolated position; exactly 0 on a cross one'),
  funding: decimal('Funding paid since it was opened; negative was received'),
  isolated: Type.Boolean({ description: 'Whether the position has isolated margin' }),
  liquidation_price: Type.Union([decimal('Last healthy price'), Type.Null()], {
    description: 'Liquidation price; null if no price liquidates it',
  }),
  created_at: timeMs('When it was opened'),
  updated_at: timeMs('Time of the last change'),
})
