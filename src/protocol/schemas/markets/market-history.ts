// Public market history: open interest and index price by interval, and liquidations.

import { intervals } from '../../../units/intervals.ts'
import { decimal, optional, symbol, timeMs } from '../field-types.ts'
import { cursor, listFormat, listLimit, offset } from '../lists.ts'
import { Type } from '../typebox.ts'

export const INTERVAL_DEFAULT = '1h'

const from = optional(timeMs('The interval that contains this time is the oldest, milliseconds'))
const until = optional(timeMs('The interval that contains this time is the newest (default: now)'))

/** Query of a market's history by interval. */
export const intervalsQuery = Type.Object({
  symbol,
  interval: optional(
    Type.Enum([...intervals], {
      default: INTERVAL_DEFAULT,
      description:
        'Length: minutes, hours, days (UTC), weeks (from Monday), months (1M, calendar) ' +
        `(default: ${INTERVAL_DEFAULT})`,
    }),
  ),
  start_time: from,
  end_time: until,
  limit: listLimit,
  cursor,
  offset,
  format: listFormat,
})

const intervalFields = {
  start_time: timeMs('Start of the interval'),
  end_time: timeMs(
    'End of the interval; the newest interval has not ended, and has current values',
  ),
}

export const openInterestRow = Type.Object({
  ...intervalFields,
  open_interest: decimal('Open interest in the base asset at the end of the interval'),
  open_interest_value: decimal('Open interest in USD, at the mark price of that time'),
})

export const indexPriceRow = Type.Object({
  ...intervalFields,
  index_price: decimal('Index price at the end of the interval'),
})

export const liquidationsQuery = Type.Object({
  symbol: optional(symbol),
  start_time: optional(timeMs('Only rows of this time or later, milliseconds')),
  end_time: optional(timeMs('Only rows of this time or earlier, milliseconds')),
  limit: listLimit,
  cursor,
  offset,
  format: listFormat,
})

export const liquidation = Type.Object({
  history_id: Type.Integer({
    description: 'History id of the record, the same as over the websocket',
  }),
  symbol,
  side: Type.Enum(['force_close_long', 'force_close_short'], {
    description: 'Whether a long or a short was closed',
  }),
  amount: decimal('Size in the base asset'),
  price: decimal('Price'),
  cause: Type.Enum(['market_liquidation', 'backstop_liquidation', 'deleverage'], {
    description:
      'How the position was closed: in the market, by a takeover of the backstop, or by ' +
      'deleveraging',
  }),
  created_at: timeMs('Time of the event'),
})
