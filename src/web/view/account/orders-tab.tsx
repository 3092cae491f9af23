import { fixed, NONE, wordsOf } from '../../model/number-text.ts'
import type { Terminal } from '../../model/terminal.ts'
import type { OpenOrder } from '../../model/wire.ts'
import { Amount, type Column, Moment, Table } from '../parts/table.tsx'
import { useTerminal } from '../use-terminal.ts'

export function SideText({ side }: { side: string }) {
  return <span class={side === 'bid' ? 'up' : 'down'}>{side === 'bid' ? 'Buy' : 'Sell'}</span>
}

function common(terminal: Terminal): readonly Column<OpenOrder>[] {
  return [
    { name: 'Time', cell: ({ t }) => <Moment at={t} /> },
    {
      name: 'Market',
      cell: ({ s }) => (
        <button type="button" onClick={() => terminal.markets.choose(s)}>
          <b>{s}</b>
        </button>
      ),
    },
    { name: 'Side', cell: ({ d }) => <SideText side={d} /> },
    {
      name: 'Type',
      cell: ({ ot, ro }) => (
        <>
          {wordsOf(ot)} {ro && <span class="chip">reduce only</span>}
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
          onClick={() => terminal.explain({ about: 'order', orderId: order.i })}
        >
          Events
        </button>
        <button
          type="button"
          class="button small danger"
          aria-label={`Cancel order ${order.i}`}
          onClick={() => terminal.trading.cancel(order)}
        >
          Cancel
        </button>
      </div>
    ),
  }
}

/** Where some end at a time of their own. */
function endsIn(rows: readonly OpenOrder[]): readonly Column<OpenOrder>[] {
  if (!rows.some(({ expire_time }) => expire_time !== undefined)) return []
  const cell = ({ expire_time }: OpenOrder) =>
    expire_time === undefined ? <span class="dim">{NONE}</span> : <Moment at={expire_time} />
  return [{ name: 'Ends', cell }]
}

const priceIn = ({ markets }: Terminal, symbol: string, price: string | null) =>
  price === null || Number(price) === 0 ? 'market' : fixed(price, markets.gridOf(symbol).tickPlaces)

export function OrdersTab() {
  const terminal = useTerminal()
  return (
    <Table
      label="Open orders"
      rows={terminal.account.resting.value}
      rowKey={({ i }) => i}
      empty="No open orders"
      columns={[
        ...common(terminal),
        { name: 'Price', num: true, cell: ({ s, ip }) => priceIn(terminal, s, ip) },
        { name: 'Size', num: true, cell: ({ a }) => <Amount value={a} /> },
        { name: 'Filled', num: true, cell: ({ f }) => <Amount value={f} /> },
        ...endsIn(terminal.account.resting.value),
        actions(terminal),
      ]}
    />
  )
}

/** Of a stop that trails: where it would fire now, and how far behind that is. */
function triggerText(terminal: Terminal, { s, sp, trailing }: OpenOrder) {
  if (trailing === undefined) return priceIn(terminal, s, sp)
  const { trailing_percent, trailing_distance, activation_price } = trailing
  const behind = trailing_percent === null ? trailing_distance : `${trailing_percent} %`
  const now = sp === null ? `from ${activation_price ?? NONE} on` : priceIn(terminal, s, sp)
  return (
    <span title="It follows the mark">
      {now} <span class="chip">{behind} behind</span>
    </span>
  )
}

export function TriggersTab() {
  const terminal = useTerminal()
  return (
    <Table
      label="Triggers"
      rows={terminal.account.triggers.value}
      rowKey={({ i }) => i}
      empty="No stops, take profits or stop losses"
      columns={[
        ...common(terminal),
        { name: 'Trigger', num: true, cell: (order) => triggerText(terminal, order) },
        { name: 'Then', num: true, cell: ({ s, ip }) => priceIn(terminal, s, ip) },
        { name: 'Size', num: true, cell: ({ a }) => <Amount value={a} /> },
        ...endsIn(terminal.account.triggers.value),
        actions(terminal),
      ]}
    />
  )
}
