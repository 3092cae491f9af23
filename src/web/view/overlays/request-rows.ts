// The fields of a request, with the labels of the ticket.

import { dateText, fixed, wholeAmount, wordsOf } from '../../model/number-text.ts'
import { orderKinds } from '../../model/ticket/order-kinds.ts'
import { outlineOf, type Request } from '../../model/ticket/order-request.ts'
import type { LevelBody, OcoBody, StopBody } from '../../model/wire.ts'

export type Rows = readonly (readonly [string, string])[]

type Price = (text: string | null | undefined) => string
type Watch = Pick<
  StopBody['stop_order'],
  | 'stop_price'
  | 'limit_price'
  | 'trailing_percent'
  | 'activation_price'
  | 'trigger_direction'
  | 'trigger_price_type'
>

export function requestRows(request: Request, places: number, base: string): Rows {
  const { kind } = request
  const { amount, reduce_only } = outlineOf(request)
  const price: Price = (text) => fixed(text, places)
  return [
    ['Type', orderKinds[kind].label],
    ['Size', `${wholeAmount(amount)} ${base}`],
    ...particulars(request, price),
    ...options(request, price),
    ...(reduce_only ? ([['Reduce only', 'yes']] as const) : []),
  ]
}

function particulars({ kind, body }: Request, price: Price): Rows {
  switch (kind) {
    case 'limit':
      return [
        ['Price', price(body.price)],
        ['Time in force', body.tif],
      ]
    case 'market':
      return [['Max slippage', `${body.slippage_percent} %`]]
    case 'twap':
      return [
        ['Max slippage', `${body.slippage_percent} %`],
        ['Duration', `${body.duration_in_seconds} s`],
      ]
    case 'iceberg':
      return [
        ['Price', price(body.price)],
        ['Visible size', wholeAmount(body.display_amount)],
      ]
    case 'chase':
      return [[body.side === 'bid' ? 'Max price' : 'Min price', price(body.price)]]
    case 'scale':
      return body.orders.map((each) => [price(each.price), wholeAmount(each.amount)] as const)
    case 'oco':
      return body.legs.flatMap((leg) => legRows(leg, price))
    default:
      return [...watchRows(body.stop_order, price), ...slippageRows(body.stop_order)]
  }
}

function slippageRows({ slippage_percent }: StopBody['stop_order']): Rows {
  return slippage_percent == null ? [] : [['Max slippage', `${slippage_percent} %`]]
}

function legRows(leg: OcoBody['legs'][number], price: Price): Rows {
  const verb = leg.side === 'bid' ? 'Buy' : 'Sell'
  if ('price' in leg) return [[`${verb} at`, price(leg.price)]]
  return watchRows(leg, price).map(([name, text]) => [`${verb}: ${name.toLowerCase()}`, text])
}

const byOf = ({ trigger_price_type: type }: Watch) =>
  wordsOf(type ?? 'mark_price')
    .replace(/ .*/, '')
    .toLowerCase()

function watchRows(watch: Watch, price: Price): Rows {
  const { stop_price, limit_price, trailing_percent, activation_price } = watch
  const way = watch.trigger_direction
  const sign = way == null ? '' : way === 'gte' ? '≥ ' : '≤ '
  if (trailing_percent != null)
    return [
      ['Behind the best mark', `${trailing_percent} %`],
      ...(activation_price == null ? [] : ([['From', price(activation_price)]] as const)),
    ]
  return [
    [`Trigger at ${byOf(watch)}`, `${sign}${price(stop_price)}`],
    ['Then', limit_price == null ? 'market' : `limit ${price(limit_price)}`],
  ]
}

function options({ kind, body }: Request, price: Price): Rows {
  const rows: (readonly [string, string])[] = []
  if ('expire_time' in body && body.expire_time != null)
    rows.push(['Ends', dateText(body.expire_time)])
  if (kind !== 'limit' && kind !== 'market' && kind !== 'stop') return rows
  if (kind !== 'stop' && body.stp != null) rows.push(['Self-trade', wordsOf(body.stp)])
  for (const level of [body.take_profit ?? []].flat())
    rows.push(['Take profit', levelText(level, price)])
  for (const level of [body.stop_loss ?? []].flat())
    rows.push(['Stop loss', levelText(level, price)])
  return rows
}

function levelText(level: LevelBody, price: Price): string {
  const { stop_price, trailing_percent, trailing_distance, amount } = level
  const trail = trailing_percent == null ? trailing_distance : `${trailing_percent} %`
  const where = stop_price == null ? `${trail} behind the best mark` : price(stop_price)
  return amount == null ? where : `${where}, ${wholeAmount(amount)}`
}
