import { canEdit, editOrder } from '../../model/account/move-line.ts'
import { twinOf } from '../../model/account/positions.ts'
import { less } from '../../model/market/market-grid.ts'
import { amountText, fixed, NONE, wordsOf } from '../../model/number-text.ts'
import { leftOf } from '../../model/pending/work-rows.ts'
import type { Terminal } from '../../model/terminal.ts'
import type { OpenOrder } from '../../model/wire.ts'
import { nameOf } from '../../model/words/order-names.ts'
import { CancelButton } from '../parts/cancel-button.tsx'
import { Amount, type Column, Moment } from '../parts/table.tsx'
import { useTerminal } from '../use-terminal.ts'
import { EditCell } from './edit-cell.tsx'
import { RowsTable } from './rows-table.tsx'

export function SideText({ side }: { side: string }) {
  return <span class={side === 'bid' ? 'up' : 'down'}>{side === 'bid' ? 'Buy' : 'Sell'}</span>
}

export function MarketButton({ symbol }: { symbol: string }) {
  const { markets } = useTerminal()
  return (
    <button type="button" onClick={() => markets.choose(symbol)}>
      <b>{symbol}</b>
    </button>
  )
}

/** Button that shows the history of an order. */
export function Events({ id }: { id: number }) {
  const terminal = useTerminal()
  return (
    <button
      type="button"
      class="button small"
      onClick={() => terminal.explain({ about: 'order', id })}
    >
      Events
    </button>
  )
}

/** Link to the algo that placed it, or to the other leg of an OCO. */
function Belongs({ order }: { order: OpenOrder }) {
  const { account } = useTerminal()
  const algo = account.algos.value.find(({ child_order_id }) => child_order_id === order.i)
  const twin = twinOf(order, account.orders.value)
  if (algo === undefined && twin === null) return null
  if (algo !== undefined)
    return (
      <span class="chip" title={`${wordsOf(algo.kind)} ${algo.order_id}`}>
        of the {algo.kind} of {amountText(algo.initial_amount)}
      </span>
    )
  return (
    <span class="chip" title={`Order ${twin}`}>
      OCO with {nameOf(twin!, account.orders.value)}
    </span>
  )
}

/** Shows the order of a triggered stop, which stays open until its position is closed. */
function Triggered({ order }: { order: OpenOrder }) {
  const about = `Stop ${order.si} fired: what is left runs again with each new price`
  return (
    <span class="chip" title={about}>
      Triggered, {amountText(leftOf(order))} left
    </span>
  )
}

function common(): readonly Column<OpenOrder>[] {
  return [
    { name: 'Time', cell: ({ t }) => <Moment at={t} />, sort: ({ t }) => t },
    { name: 'Market', cell: ({ s }) => <MarketButton symbol={s} />, sort: ({ s }) => s },
    { name: 'Side', cell: ({ d }) => <SideText side={d} />, sort: ({ d }) => d },
    {
      name: 'Type',
      sort: ({ ot }) => ot,
      cell: (order) => (
        <>
          <span title={`Order ${order.i}`}>{wordsOf(order.ot)}</span>{' '}
          {order.ro && <span class="chip">reduce only</span>}
          {order.triggered === true && <Triggered order={order} />}
          <Belongs order={order} />
        </>
      ),
    },
  ]
}

function actions(terminal: Terminal): Column<OpenOrder> {
  return {
    name: '',
    cell: (order) => (
      <div class="row-actions">
        <Events id={order.i} />
        <CancelButton
          id={order.i}
          label={`Cancel order ${order.i}`}
          cancel={() => void terminal.trading.cancel(order)}
        />
      </div>
    ),
  }
}

/** Column with the expiry, if some orders expire. */
function endsIn(rows: readonly OpenOrder[]): readonly Column<OpenOrder>[] {
  if (!rows.some(({ expire_time }) => expire_time !== undefined)) return []
  const cell = ({ expire_time }: OpenOrder) =>
    expire_time === undefined ? <span class="dim">{NONE}</span> : <Moment at={expire_time} />
  return [{ name: 'Ends', cell, sort: ({ expire_time }) => expire_time ?? Number.NaN }]
}

export const priceIn = ({ markets }: Terminal, symbol: string, price: string | null) =>
  price === null || Number(price) === 0 ? 'market' : fixed(price, markets.gridOf(symbol).tickPlaces)

/** Limit price. That of a triggered order follows the mark. */
const limitIn = (terminal: Terminal, { s, ip, triggered }: OpenOrder) =>
  priceIn(terminal, s, triggered === true ? null : ip)

/** Price and size, which can be changed in their place unless only the exchange changes them. */
function priceColumns(terminal: Terminal): readonly Column<OpenOrder>[] {
  const { account, markets } = terminal
  const isFixed = (order: OpenOrder) => !canEdit(order, account.algos.value)
  const left = ({ s, a, f }: OpenOrder) => less(a, f, markets.gridOf(s).lot)
  return [
    {
      name: 'Price',
      num: true,
      sort: ({ ip }) => Number(ip),
      cell: (order) =>
        isFixed(order) ? (
          limitIn(terminal, order)
        ) : (
          <EditCell
            label={`Price of order ${order.i}`}
            value={order.ip}
            places={markets.gridOf(order.s).tickPlaces}
            save={(price) => editOrder(terminal, order, { price, amount: left(order) })}
          >
            {limitIn(terminal, order)}
          </EditCell>
        ),
    },
    {
      name: 'Size',
      num: true,
      sort: ({ a }) => Number(a),
      cell: (order) =>
        isFixed(order) ? (
          <Amount value={order.a} />
        ) : (
          <EditCell
            label={`Remaining size of order ${order.i}`}
            value={left(order)}
            places={markets.gridOf(order.s).lotPlaces}
            save={(amount) => editOrder(terminal, order, { price: order.ip, amount })}
          >
            <Amount value={order.a} />
          </EditCell>
        ),
    },
  ]
}

const wordsOfOrder = ({ s, d, ot, ip, a, i, ro }: OpenOrder) =>
  [s, d === 'bid' ? 'Buy' : 'Sell', wordsOf(ot), ip, a, i, ro ? 'reduce only' : ''].join(' ')

export function OrdersTab() {
  const terminal = useTerminal()
  return (
    <RowsTable
      label="Open orders"
      rows={terminal.account.resting.value}
      rowKey={({ i }) => i}
      marketOf={({ s }) => s}
      words={wordsOfOrder}
      empty="No open orders"
      columns={[
        ...common(),
        ...priceColumns(terminal),
        {
          name: 'Filled',
          num: true,
          cell: ({ f }) => <Amount value={f} />,
          sort: ({ f }) => Number(f),
        },
        ...endsIn(terminal.account.resting.value),
        actions(terminal),
      ]}
    />
  )
}
