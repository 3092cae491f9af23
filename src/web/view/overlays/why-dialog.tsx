// Explains events by their numbers, which are read from the exchange's records.

import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import type { ApiRefusal } from '../../../client/errors.ts'
import type { Explained } from '../../model/desk.ts'
import { dateText, fixed, NONE, percent, signed, usd, wordsOf } from '../../model/number-text.ts'
import type { Terminal } from '../../model/terminal.ts'
import type {
  AccountTrade,
  Fill,
  FundingPayment,
  FundingRate,
  OrderEvent,
} from '../../model/wire.ts'
import { sentence } from '../../model/words/sentence.ts'
import { Dialog, Numbers } from '../parts/dialog.tsx'
import { Table, Unread } from '../parts/table.tsx'
import { useTerminal } from '../use-terminal.ts'

export function WhyDialog({ what }: { what: Explained }) {
  switch (what.about) {
    case 'order':
      return <OrderStory orderId={what.orderId} />
    case 'fill':
      return <FillStory fill={what.fill} />
    case 'funding':
      return <FundingStory payment={what.payment} />
    case 'liquidation':
      return <LiquidationStory at={what.at} />
    case 'refusal':
      return <RefusalStory title={what.title} refusal={what.refusal} />
    default:
      what satisfies never
      return null
  }
}

/** Requests data once, and again after a failure if the user retries. `value` is `null` until
 *  then. */
function useLoaded<T>(ask: () => Promise<T>) {
  const value = useSignal<T | null>(null)
  const failed = useSignal<string | null>(null)
  const again = () => {
    failed.value = null
    ask().then(
      (answer) => {
        value.value = answer
      },
      (error: Error) => {
        failed.value = error.message
      },
    )
  }
  useEffect(again, [])
  return { value: value.value, failed: failed.value, again }
}

/** Text shown if there are no rows. */
function emptyText(
  { value, failed }: Readonly<{ value: unknown; failed: string | null }>,
  none: string,
) {
  if (value !== null) return none
  return failed === null ? 'Loading…' : NONE
}

type Loading = Pick<ReturnType<typeof useLoaded>, 'failed' | 'again'>

function Failure({ what, state: { failed, again } }: Readonly<{ what: string; state: Loading }>) {
  return failed === null ? null : <Unread what={what} why={failed} onAgain={again} />
}

function Story({
  title,
  wide = false,
  children,
}: {
  title: string
  wide?: boolean
  children: ComponentChildren
}) {
  const terminal = useTerminal()
  return (
    <Dialog title={title} wide={wide} onClose={() => terminal.close()}>
      {children}
    </Dialog>
  )
}

const priceOf = ({ markets }: Terminal, symbol: string, price: string | number | null) =>
  fixed(price, markets.gridOf(symbol).tickPlaces)

function OrderStory({ orderId }: { orderId: number }) {
  const terminal = useTerminal()
  const events = useLoaded<readonly OrderEvent[]>(() =>
    terminal.reader.peek().getOrderEvents({ order_id: orderId }),
  )
  const first = events.value?.at(-1)
  return (
    <Story title={`Order ${orderId}`} wide>
      {first !== undefined && (
        <Numbers
          rows={[
            ['Market', first.symbol],
            ['Side', first.side === 'bid' ? 'Buy' : 'Sell'],
            ['Type', wordsOf(first.order_type)],
            ...(first.stop_price === null
              ? []
              : ([['Trigger', priceOf(terminal, first.symbol, first.stop_price)]] as const)),
            ['Size', first.initial_amount],
            ['Status', wordsOf(events.value![0]!.order_status)],
          ]}
        />
      )}
      <Failure what="The events of the order" state={events} />
      <Table
        label="Events"
        rows={events.value ?? []}
        rowKey={(row) => row.history_id}
        empty={emptyText(events, 'No events')}
        columns={[
          { name: 'Time', cell: (row) => dateText(row.created_at) },
          { name: 'What happened', cell: (row) => wordsOf(row.event_type) },
          { name: 'Price', num: true, cell: (row) => priceOf(terminal, row.symbol, row.price) },
          { name: 'Filled', num: true, cell: (row) => row.filled_amount },
          { name: 'Cancelled', num: true, cell: (row) => row.cancelled_amount },
          { name: 'Status', cell: (row) => wordsOf(row.order_status) },
        ]}
      />
    </Story>
  )
}

/** Converts a streamed fill to the format of history. */
function asTrade(fill: Fill | AccountTrade): AccountTrade {
  if ('history_id' in fill) return fill
  return {
    history_id: fill.h,
    order_id: fill.i,
    client_order_id: fill.I,
    symbol: fill.s,
    amount: fill.a,
    price: fill.p,
    entry_price: fill.o,
    fee: fill.f,
    pnl: fill.n,
    event_type: fill.te,
    side: fill.ts,
    cause: fill.tc,
    created_at: fill.t,
  } as AccountTrade
}

function FillStory({ fill }: { fill: Fill | AccountTrade }) {
  const terminal = useTerminal()
  const trade = asTrade(fill)
  const value = Number(trade.price) * Number(trade.amount)
  const closes = trade.side.startsWith('close')
  const long = trade.side.endsWith('long')
  const gross =
    (Number(trade.price) - Number(trade.entry_price)) * Number(trade.amount) * (long ? 1 : -1)
  const rate = value === 0 ? 0 : Number(trade.fee) / value
  return (
    <Story title={`Fill ${trade.history_id}: ${wordsOf(trade.side)} ${trade.symbol}`}>
      <Numbers
        rows={[
          ['When', dateText(trade.created_at)],
          ['Size × price', `${trade.amount} × ${priceOf(terminal, trade.symbol, trade.price)}`],
          ['Value', `${usd(value)} USD`],
          ['Entry price', priceOf(terminal, trade.symbol, trade.entry_price)],
          ...(closes ? ([['(price − entry) × size', `${signed(gross, 4)} USD`]] as const) : []),
          [
            `Fee, ${percent(rate, 4)} as ${trade.event_type.endsWith('maker') ? 'maker' : 'taker'}`,
            `${fixed(trade.fee, 4)} USD`,
          ],
          ['Profit, net of the fee', `${signed(trade.pnl, 4)} USD`],
          ['Cause', wordsOf(trade.cause)],
        ]}
      />
      {trade.cause !== 'normal' && (
        <button
          type="button"
          class="button"
          onClick={() => terminal.explain({ about: 'liquidation', at: trade.created_at })}
        >
          The liquidation
        </button>
      )}
      {trade.order_id !== null && (
        <button
          type="button"
          class="button"
          onClick={() => terminal.explain({ about: 'order', orderId: trade.order_id! })}
        >
          Order {trade.order_id}
        </button>
      )}
    </Story>
  )
}

const minute = 60_000

function FundingStory({ payment }: { payment: FundingPayment }) {
  const terminal = useTerminal()
  const { symbol, amount, rate, payout, side, created_at } = payment
  const epoch = useLoaded<FundingRate | null>(async () => {
    const { rows } = await terminal.visitor.getFundingRates({ symbol, limit: 200 })
    const near = rows.filter((row) => Math.abs(row.created_at - created_at) < minute)
    return near.find((row) => Number(row.funding_rate) === Number(rate)) ?? near[0] ?? null
  })
  const row = epoch.value
  const product = Number(amount) * Number(row?.oracle_price) * Math.abs(Number(rate))
  const pays = Number(payout) < 0
  return (
    <Story title={`Funding of ${symbol}`}>
      <p class="dim">
        {Number(rate) >= 0
          ? 'The rate was above zero: longs paid shorts.'
          : 'The rate was below zero: shorts paid longs.'}{' '}
        Size × index price × rate, once an hour.
      </p>
      <Numbers
        rows={[
          ['When', dateText(created_at)],
          ['Position', `${side === 'bid' ? 'Long' : 'Short'} ${amount} ${symbol}`],
          ['Index price', row === null ? NONE : priceOf(terminal, symbol, row.oracle_price)],
          ['Rate of the hour', percent(Number(rate), 6)],
          [
            'Selling price of the book',
            row === null ? NONE : priceOf(terminal, symbol, row.bid_impact_price),
          ],
          [
            'Buying price of the book',
            row === null ? NONE : priceOf(terminal, symbol, row.ask_impact_price),
          ],
          ['Size × index × rate', row === null ? NONE : `${fixed(product, 6)} USD`],
          [pays ? 'Paid' : 'Received', `${signed(payout, 6)} USD`],
        ]}
      />
      <Failure what="The rate of the hour" state={epoch} />
    </Story>
  )
}

/** Maximum time in ms between the forced fills and events of one liquidation. */
const liquidationSpan = 120_000

function LiquidationStory({ at }: { at: number }) {
  const terminal = useTerminal()
  const { account, address, reader } = terminal
  const within = (time: number) => Math.abs(time - at) < liquidationSpan
  const events = account.liquidations.value.filter((event) => within(event.created_at)).toReversed()
  const fills = useLoaded(async () => {
    const who = address.peek()
    if (who === null) return []
    // Without an end time, newer fills would replace those of an old liquidation.
    const span = { start_time: at - liquidationSpan, end_time: at + liquidationSpan }
    const { rows } = await reader.peek().getTradeHistory({ account: who, ...span, limit: 1_000 })
    return rows.filter((row) => row.cause !== 'normal' && within(row.created_at)).toReversed()
  })
  const start = events.find((event) => event.event_type === 'liquidation_started')
  const lost = (fills.value ?? []).reduce((sum, row) => sum + Number(row.pnl), 0)
  return (
    <Story title="Liquidation" wide>
      <p class="dim">
        When equity falls below the maintenance margin, orders are cancelled and positions are
        closed in steps until the account is healthy. Below two thirds of it the backstop takes
        over; below zero the insurance fund pays.
      </p>
      <Numbers
        rows={[
          ['When', dateText(at)],
          ...(start === undefined
            ? []
            : ([
                ['Equity', `${usd(start.equity)} USD`],
                ['Maintenance margin', `${usd(start.maintenance_margin)} USD`],
              ] as const)),
          ['Profit of what was closed', fills.value === null ? NONE : `${signed(lost, 2)} USD`],
          ['Equity now', `${usd(account.numbers.value?.ae)} USD`],
        ]}
      />
      {start === undefined && (
        <p class="dim">
          Equity and maintenance margin of that moment are published only while it happens, and this
          page was not open then: the histories have what was closed, not those two numbers.
        </p>
      )}
      <Failure what="What was closed" state={fills} />
      <Table
        label="Steps"
        rows={fills.value ?? []}
        rowKey={(row) => row.history_id}
        empty={emptyText(fills, 'Nothing was closed by force')}
        columns={[
          { name: 'Time', cell: (row) => dateText(row.created_at) },
          { name: 'Market', cell: (row) => row.symbol },
          { name: 'How', cell: (row) => wordsOf(row.cause) },
          { name: 'Size', num: true, cell: (row) => row.amount },
          { name: 'Price', num: true, cell: (row) => priceOf(terminal, row.symbol, row.price) },
          {
            name: 'Entry',
            num: true,
            cell: (row) => priceOf(terminal, row.symbol, row.entry_price),
          },
          { name: 'Profit', num: true, cell: (row) => signed(row.pnl, 2) },
        ]}
      />
    </Story>
  )
}

function RefusalStory({ title, refusal }: { title: string; refusal: ApiRefusal }) {
  const { account, markets } = useTerminal()
  const numbers = account.numbers.value
  const price = markets.price.value
  return (
    <Story title={`${title} refused`}>
      <p>{sentence(refusal.message)}</p>
      <Numbers
        rows={[
          ['Rule', refusal.reason],
          ['Code', refusal.code],
          ['Mark of the market', fixed(price?.mark, markets.grid.value.tickPlaces)],
          ['Equity', `${usd(numbers?.ae)} USD`],
          ['Margin used', `${usd(numbers?.mu)} USD`],
          ['Available', `${usd(numbers?.as)} USD`],
        ]}
      />
      <p class="dim">Nothing was changed.</p>
    </Story>
  )
}
