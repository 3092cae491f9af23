// Explains why the object with an id cannot be edited as an order, and how to change it instead.

import type { BatchAction, Command, ExchangeView } from '../../core/index.ts'

export function editCause(view: ExchangeView, command: Command | BatchAction): string | null {
  if (command.type !== 'EditOrder') return null
  const { account, market, order, clientOrderId } = command
  const isMeant = (
    row: Readonly<{ market: number; order: number; clientOrderId: string | null }>,
  ) =>
    row.market === market &&
    (order === null ? row.clientOrderId === clientOrderId : row.order === order)
  const algos = view.orders.algosOf(account)
  const algo = algos.find(isMeant)
  if (algo !== undefined)
    return `${algo.order} is ${algo.kind === 'chase' ? 'a chase' : 'an iceberg'}${again}`
  const found = view.orders.openOf(account).find(isMeant)
  if (found === undefined) return null
  const of = algos.find((each) => each.order === found.source)
  if (of !== undefined) return `${found.order} is the order of ${of.kind} ${of.order}${again}`
  if (found.stopPrice === null) return null
  return (
    `${found.order} is a stop or a level${again}; levels of a position are replaced by POST ` +
    '/api/v1/positions/tpsl'
  )
}

const again = ', which cannot be edited: cancel that and place it again'
