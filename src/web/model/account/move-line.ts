// Moves a line of the chart by changing the price of its order, stop or level. A refusal changes
// nothing, and a notice gives the reason.

import { watched } from '../alerts.ts'
import { keptOf, sizeOf, sizesMoved } from '../levels/position-levels.ts'
import { less } from '../market/market-grid.ts'
import { lostBy, movedStop } from '../pending/moved-stop.ts'
import type { Terminal } from '../terminal.ts'
import type { OpenAlgo, OpenOrder, Position } from '../wire.ts'
import { sentence } from '../words/sentence.ts'
import type { ChartLine } from './chart-lines.ts'
import { levelsOf } from './positions.ts'
import { levelsBody, type Refused } from './trading.ts'

type Level = Readonly<{
  kind: 'take_profit' | 'stop_loss'
  order: OpenOrder
  position: Position
}>

/** Called when the user has moved a line of the chart to a price. */
export async function moveLine(
  terminal: Terminal,
  { kind, order, position, alert }: ChartLine,
  price: string,
): Promise<boolean> {
  if (alert !== undefined) {
    const row = terminal.markets.prices.peek().get(alert.symbol)
    if (row === undefined) return false
    terminal.alerts.move(alert.id, Number(price), watched(alert.source, row))
    return true
  }
  if (order === null) return false
  if (kind === 'take_profit' || kind === 'stop_loss')
    return position !== null && moveLevel(terminal, { kind, order, position }, price)
  return kind === 'stop' ? moveStop(terminal, order, price) : moveOrder(terminal, order, price)
}

function moveOrder(terminal: Terminal, order: OpenOrder, price: string): Promise<boolean> {
  const amount = less(order.a, order.f, terminal.markets.gridOf(order.s).lot)
  return editOrder(terminal, order, { price, amount })
}

/** Whether an order can be edited: only the exchange changes the order of an algo. */
export const canEdit = ({ i, ot }: OpenOrder, algos: readonly OpenAlgo[]) =>
  ot === 'limit' && !algos.some(({ child_order_id }) => child_order_id === i)

/** Changes the price and the remaining size of an order. An edited order must rest, so a price that
 *  would trade immediately is refused here, if the book of its market is shown. */
export async function editOrder(
  terminal: Terminal,
  order: OpenOrder,
  wish: Readonly<{ price: string; amount: string }>,
  refused?: Refused,
): Promise<boolean> {
  const { live, markets } = terminal
  const { tick } = markets.gridOf(order.s)
  const isHere = order.s === markets.symbol.peek()
  const met = isHere ? live.best(order.d === 'bid' ? 'ask' : 'bid', tick) : null
  const beyond = order.d === 'bid' ? 1 : -1
  const { price } = wish
  if (met !== null && (Number(price) - Number(met)) * beyond >= 0) {
    terminal.notices.show({
      kind: 'bad',
      title: 'Move refused',
      text: `At ${price} it would trade immediately with ${met}; a moved order only rests.`,
      about: `move ${order.i}`,
      link: { label: 'Orders', open: () => terminal.showTab('orders') },
    })
    return false
  }
  return terminal.trading.act(
    'Edit',
    ({ client }) => client.editOrder({ symbol: order.s, order_id: order.i, ...wish }),
    refused === undefined ? {} : { refused },
  )
}

/** Replaces a stop. The new stop is placed before the old one is cancelled, so that the position is
 *  always protected and a refusal changes nothing. */
async function moveStop(terminal: Terminal, order: OpenOrder, price: string): Promise<boolean> {
  const { s: symbol, i: order_id } = order
  return terminal.trading.act('Stop', async ({ client }) => {
    const orders = terminal.account.orders.peek()
    const now = openNow(order, orders)
    const body = movedStop(now, price, orders, terminal.markets.gridOf(symbol))
    const made = await client.createStopOrder(body)
    await client.cancelStopOrder({ symbol, order_id }).catch((error: Error) => {
      const text = `Stop ${made.order_id} is there, and stop ${order_id} may be there too.`
      terminal.notices.show({
        kind: 'bad',
        title: 'The old stop was not cancelled',
        text: `${text} ${sentence(error.message)}`,
        stays: true,
        link: { label: 'Stops', open: () => terminal.showTab('work') },
      })
    })
  })
}

/** Describes what is lost if the line is moved; empty if nothing is lost. */
export function lostByMoving({ kind, order }: ChartLine, orders: readonly OpenOrder[]): string {
  return kind === 'stop' && order !== null ? lostBy(order, orders) : ''
}

/** Moves a level and sends all others of its kind unchanged, because a request replaces all of
 *  them. */
async function moveLevel(
  terminal: Terminal,
  { kind, order, position }: Level,
  stop_price: string,
): Promise<boolean> {
  return terminal.trading.act('TP/SL', async ({ client }) => {
    const orders = terminal.account.orders.peek()
    openNow(order, orders)
    const levels = levelsOf(position, orders)[kind]
    // Another trailing level would restart at the current mark, further away than now.
    if (levels.some(({ i, trailing }) => i !== order.i && trailing !== undefined))
      throw new Error('another stop loss trails and would restart: change them in the dialog')
    const { lot } = terminal.markets.gridOf(order.s)
    const after = levels.map((level) =>
      level.i === order.i ? { ...level, sp: stop_price } : level,
    )
    const now = terminal.account.position(order.s) ?? position
    const sizes = sizesMoved(now, kind, { before: levels, after, lot })
    const bodies = after.map((level, at) => ({
      stop_price: level.sp ?? '',
      ...keptOf(level),
      ...sizes[at],
    }))
    await client.setPositionTpsl(levelsBody(position, { [kind]: bodies }))
  })
}

/** Adds a take-profit or stop-loss for the whole rest of a position, next to its other levels. */
export function addLevel(
  terminal: Terminal,
  { position, kind }: Pick<Level, 'position' | 'kind'>,
  stop_price: string,
): Promise<boolean> {
  return terminal.trading.act('TP/SL', async ({ client }) => {
    const now = terminal.account.position(position.s) ?? position
    const levels = levelsOf(now, terminal.account.orders.peek())[kind]
    if (levels.some(({ trailing }) => trailing !== undefined))
      throw new Error('another stop loss trails and would restart: change them in the dialog')
    if (levels.some(({ whole_position }) => whole_position === true))
      throw new Error('another level closes the whole position: change them in the dialog')
    const { lot } = terminal.markets.gridOf(position.s)
    const kept = levels.map((level) => ({
      stop_price: level.sp ?? '',
      ...keptOf(level),
      ...sizeOf(level, lot),
    }))
    await client.setPositionTpsl(levelsBody(now, { [kind]: [...kept, { stop_price }] }))
  })
}

/** Returns the current version of the order; throws if it is no longer open. */
function openNow({ i: id }: OpenOrder, orders: readonly OpenOrder[]): OpenOrder {
  const now = orders.find(({ i }) => i === id)
  if (now === undefined) throw new Error('it is not open any more')
  return now
}
