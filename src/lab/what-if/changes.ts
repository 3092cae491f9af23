// What a variant does differently: parameters of markets, commands that are dropped, and another
// version of the rules. Inserted requests are in inserted.ts.

import type {
  BatchAction,
  Command,
  ExchangeView,
  MarketChange,
  MarketId,
  MarketParams,
  OrderId,
} from '../../core/index.ts'
import { changeOf } from '../../gateway/parameters/market-fields.ts'
import type { Outcome } from '../../sequencer/outcome.ts'
import { changeableNames, marketParameters } from '../../words/market-parameters.ts'
import { LabFault } from '../lab-fault.ts'
import { isMade, noSuchId } from './id-map.ts'

export type Dropped = Readonly<{
  /** Orders, stops and algos of the original, and addresses of accounts. */
  orders: ReadonlySet<number>
  accounts: ReadonlySet<string>
}>

export type Setting = Readonly<{ symbol: string; field: string; value: string }>

const wires = changeableNames.map((name) => marketParameters[name].wire)
/** `leverage_max` is another spelling of `max_leverage`: the words of the rules. */
const spellings = new Map(
  changeableNames.map((name) => [
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    marketParameters[name].wire,
  ]),
)
const units = new Map<string, string>(
  changeableNames.map((name) => [marketParameters[name].wire, marketParameters[name].unit]),
)

/** `BTC.leverage_max=20`; lists are JSON. */
export function parseSet(text: string): Setting {
  const [, symbol, written, value] = /^([^.=]+)\.([^.=]+)=(.+)$/.exec(text) ?? []
  if (symbol === undefined || written === undefined || value === undefined)
    throw new LabFault(`${text} is not <symbol>.<parameter>=<value>`, 'as BTC.max_leverage=20')
  const field = spellings.get(written) ?? written
  if (units.has(field)) return { symbol, field, value }
  throw new LabFault(`unknown parameter ${field}; valid parameters: ${wires.join(', ')}`)
}

/** `order=42` or `account=<address>`. */
export function parseDrops(texts: readonly string[]): Dropped {
  const dropped = { orders: new Set<number>(), accounts: new Set<string>() }
  for (const text of texts) {
    const [, what, value = ''] = /^(order|account)=(.+)$/.exec(text) ?? []
    if (what === 'account') dropped.accounts.add(value)
    else if (what === 'order' && /^[1-9]\d{0,14}$/.test(value))
      dropped.orders.add(Number.parseInt(value, 10))
    else throw new LabFault(`${text} is neither order=<id> nor account=<address>`)
  }
  return dropped
}

/** The parameters of one market that are set, in the units of the engine. */
export function changeFor(
  sets: readonly Setting[],
  params: MarketParams,
  ticksMost: number,
): MarketChange {
  const written: Record<string, unknown> = {}
  for (const { symbol, field, value } of sets)
    if (symbol === params.symbol) written[field] = wireValue(field, value)
  const { tickSize, lotSize } = params
  return changeOf(written, { tickSize, lotSize, ticksMost })
}

function wireValue(field: string, value: string): unknown {
  const unit = units.get(field)
  if (unit === 'whole' && /^\d{1,15}$/.test(value)) return Number.parseInt(value, 10)
  if (unit === 'whole') throw new LabFault(`${field} is a whole number, not ${value}`)
  if (unit !== 'tiers') return value
  try {
    return JSON.parse(value)
  } catch {
    throw new LabFault(`${field} is a JSON list of {"from_value","max_leverage"}, not ${value}`)
  }
}

/** Throws if a parameter of a market that does not exist was set. */
export function requireMarkets(sets: readonly Setting[], { symbols }: ExchangeView): void {
  const unknown = sets.find(({ symbol }) => !symbols.has(symbol))
  if (unknown === undefined) return
  const { symbol, field } = unknown
  const known = [...symbols.keys()].join(', ')
  throw new LabFault(`--set ${symbol}.${field}: there is no market ${symbol}; there are ${known}`)
}

/** A recorded command as the variant sends it: with the set parameters in place of recorded ones,
 *  and without what is dropped. `null`: the whole command is dropped. */
export function changed(
  command: Command,
  { original, outcome, sets, dropped, rules }: Recorded,
): Command | null {
  if (isDropped(command, original, dropped)) return null
  if (rules !== null && command.type === 'SetRulesVersion') return null
  if (command.type === 'ListMarket' && sets.length > 0) {
    const { params } = command
    return { ...command, params: { ...params, ...changeFor(sets, params, ticksMostOf(original)) } }
  }
  if (command.type === 'ChangeMarket' && sets.length > 0) {
    const params = original.markets.get(command.market)?.params
    const kept = params && changeFor(sets, params, ticksMostOf(original))
    return kept ? { ...command, change: { ...command.change, ...kept } } : command
  }
  return withoutOrders(command, outcome, dropped)
}

type Recorded = Readonly<{
  /** View of the original, after the command. */
  original: ExchangeView
  outcome: Outcome
  sets: readonly Setting[]
  dropped: Dropped
  rules: number | null
}>

export const ticksMostOf = ({ ruleLimits }: ExchangeView) => ruleLimits.tickMaxMost

function isDropped(command: Command, { accounts }: ExchangeView, dropped: Dropped): boolean {
  if (dropped.accounts.size === 0) return false
  if (command.type === 'Deposit' || command.type === 'CreditDeposit')
    return dropped.accounts.has(command.address)
  if (!('account' in command)) return false
  const { account } = command
  return [...dropped.accounts].some((address) => accounts.idOf(address) === account)
}

/** Without the orders that this command has created, and without the actions that did so. */
function withoutOrders(command: Command, { log, ownFirst, ownEnd }: Outcome, dropped: Dropped) {
  if (dropped.orders.size === 0 || !('account' in command)) return command
  const actions = new Set<number>()
  let action = -1
  for (const event of log.readBetween(ownFirst, ownEnd)) {
    if (event.type === 'BatchActionStarted') action = event.index
    if (isMade(event) && dropped.orders.has(event.order)) actions.add(action)
  }
  if (actions.size === 0) return command
  if (command.type !== 'Batch') return null
  // The other actions keep their places, by which their orders are found in both histories.
  return {
    ...command,
    actions: command.actions.map((each, at) => (actions.has(at) ? noAction(each) : each)),
  }
}

function noAction(action: BatchAction): BatchAction {
  const { account, proof } = action
  const market = ('market' in action && action.market) || (1 as MarketId)
  return { type: 'CancelOrder', account, market, proof, order: noSuchOrder, clientOrderId: null }
}

const noSuchOrder = noSuchId as OrderId
