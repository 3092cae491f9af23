import { twinOf } from '../../model/account/positions.ts'
import { amountText, fixed, NONE, wordsOf } from '../../model/number-text.ts'
import { leftOf } from '../../model/pending/work-rows.ts'
import type { Terminal } from '../../model/terminal.ts'
import type { OpenOrder } from '../../model/wire.ts'
import { nameOf } from '../../model/words/order-names.ts'
import { CancelButton } from '../parts/cancel-button.tsx'
import { Amount, type Column, Moment, Table } from '../parts/table.tsx'
import { useTerminal } from '../use-terminal.ts'

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
    { name: 'Time', cell: ({ t }) => <Moment at={t} /> },
    {
      name: 'Market',
      cell: ({ s }) => <MarketButton symbol={s} />,
    },
    { name: 'Side', cell: ({ d }) => <SideText side={d} /> },
    {
      name: 'Type',
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
        <button
          type="button"
          class="button small"
          onClick={() => terminal.explain({ about: 'order', id: order.i })}
        >
          Events
        </button>
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
  return [{ name: 'Ends', cell }]
}

export const priceIn = ({ markets }: Terminal, symbol: string, price: string | null) =>
  price === null || Number(price) === 0 ? 'market' : fixed(price, markets.gridOf(symbol).tickPlaces)

/** Limit price. That of a triggered order follows the mark. */
const limitIn = (terminal: Terminal, { s, ip, triggered }: OpenOrder) =>
  priceIn(terminal, s, triggered === true ? null : ip)

export function OrdersTab() {
  const terminal = useTerminal()
  return (
    <Table
      label="Open orders"
      rows={terminal.account.resting.value}
      rowKey={({ i }) => i}
      empty="No open orders"
      columns={[
        ...common(),
        { name: 'Price', num: true, cell: (order) => limitIn(terminal, order) },
        { name: 'Size', num: true, cell: ({ a }) => <Amount value={a} /> },
        { name: 'Filled', num: true, cell: ({ f }) => <Amount value={f} /> },
        ...endsIn(terminal.account.resting.value),
        actions(terminal),
      ]}
    />
  )
}
