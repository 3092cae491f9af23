// A recorded command in the units and names of the API, for reading.

import type { BatchAction, Command, ExchangeView } from '../../core/index.ts'
import { moneyText, priceText, sizeText } from '../../projections/market-text.ts'
import type { Outcome } from '../../sequencer/outcome.ts'

type Fields = Readonly<Record<string, unknown>>
const shownMax = 3

/** Text such as `PlaceOrder BTC bid 0.1 at 95000 GTC by <address>`. */
export function commandWords({ entry }: Outcome, view: ExchangeView): string {
  if (entry.kind !== 'command') return `${entry.kind} ${entry.id}`
  const { command } = entry
  const account = 'account' in command ? (command.account as number) : 0
  const isKnown = Number.isInteger(account) && account > 0 && account <= view.accounts.count
  const by = isKnown ? ` by ${view.accounts.addressOf(account)}` : ''
  if (command.type !== 'Batch') return wordsOf(command, view) + by
  const actions = command.actions.slice(0, shownMax).map((each) => wordsOf(each, view))
  const more = command.actions.length - actions.length
  return `Batch: ${actions.join('; ')}${more > 0 ? `; and ${more} more` : ''}${by}`
}

function wordsOf(command: Command | BatchAction, { markets }: ExchangeView): string {
  const fields = { ...command, ...('level' in command ? command.level : {}) } as Fields
  const params = typeof fields.market === 'number' ? markets.get(fields.market)?.params : undefined
  const of = (name: string, text: (value: number) => string, before = '') => {
    const value = fields[name]
    return typeof value === 'number' && value !== 0 ? [before + text(value)] : []
  }
  const size = (value: number) => (params === undefined ? `${value}` : sizeText(params, value))
  const price = (value: number) => (params === undefined ? `${value}` : priceText(params, value))
  // Prices of a feed are finer than a tick.
  const isOrder = fields.type !== 'OracleTick'
  const said = (name: string) => (typeof fields[name] === 'string' ? [`${fields[name]}`] : [])
  return [
    command.type,
    ...(params === undefined ? [] : [params.symbol]),
    ...('params' in command ? [command.params.symbol] : []),
    ...said('side'),
    ...of('size', size),
    ...(isOrder ? of('price', price, 'at ') : []),
    ...of('limitPrice', price, 'at '),
    ...of('stopPrice', price, 'stop '),
    ...said('tif'),
    ...(fields.reduceOnly === true ? ['reduce-only'] : []),
    ...of('order', String, 'order '),
    ...of('amount', moneyText),
    ...of('leverage', String, 'leverage '),
    ...said('address'),
  ].join(' ')
}
