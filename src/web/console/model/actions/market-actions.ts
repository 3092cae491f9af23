// Actions on markets, and on the whole exchange.

import type { AdminRequest } from '../../../../protocol/admin/admin-api.ts'
import { type MarketTemplate, reasonOf } from '../../../../protocol/admin/market-catalogue.ts'
import { type Action, action, changesBetween, type Touched } from '../action.ts'
import type { MarketRow, PendingChange, Standing } from '../admin-rows.ts'
import type { Console } from '../console.ts'
import { bodyOf, field, fieldsOf, typed } from '../form-field.ts'
import type { Operation, Schema } from '../operations.ts'

/** The action for each mode. */
export const modeOperations = {
  open: { operation: 'resume_market', verb: 'Resume' },
  reduce_only: { operation: 'reduce_only_market', verb: 'Reduce only' },
  post_only: { operation: 'post_only_market', verb: 'Post only' },
  cancel_only: { operation: 'cancel_only_market', verb: 'Cancel only' },
  halted: { operation: 'halt_market', verb: 'Halt' },
} as const

export type ModeName = keyof typeof modeOperations

export function setMode({ symbol, mode }: MarketRow, next: ModeName): Action {
  const { operation, verb } = modeOperations[next]
  return action({
    ...{ operation, title: `${verb} ${symbol}`, given: { symbol } },
    changes: () => [{ name: `mode of ${symbol}`, now: mode, next }],
  })
}

const interestOf = ({ open_interest, base_asset, open_interest_value }: MarketRow) =>
  `${open_interest} ${base_asset}, ${open_interest_value} USD at mark`

export function settleMarket(market: MarketRow): Action {
  const { symbol, status, mark } = market
  return action({
    ...{ operation: 'settle_market', title: `Settle ${symbol}`, given: { symbol } },
    warning: 'It cannot be undone: every position is closed at the price, every order cancelled.',
    fields: [field('price', { initial: mark, hint: `Mark is ${mark}, index ${market.oracle}` })],
    changes: ({ price }) => [
      { name: `status of ${symbol}`, now: status, next: 'settled' },
      { name: 'price of its positions', now: `mark ${mark}`, next: String(price) },
      { name: 'open interest', now: interestOf(market), next: '0' },
    ],
  })
}

export const paramOf = ({ params }: MarketRow, name: string) =>
  typed((params as Readonly<Record<string, unknown>>)[name])

const changeSchema = (operation: Operation | undefined): Schema =>
  operation?.body.properties?.change ?? {}

/** Changes the market. Sends only values that differ from the current ones. */
export function changeMarket(market: MarketRow, operators: Console): Action {
  const { symbol, params } = market
  const operation = operators.operation('change_market')
  const schema = changeSchema(operation)
  const described = schema.anyOf?.find(({ properties }) => properties !== undefined) ?? schema
  const fields = fieldsOf(described).map((each) => ({
    ...{ ...each, optional: true, initial: paramOf(market, each.name) },
  }))
  const immediate = field('immediate', {
    ...{ kind: 'flag', initial: 'false' },
    hint: operation?.body.properties?.immediate?.description ?? '',
  })
  return action({
    ...{ operation: 'change_market', title: `Change ${symbol}`, fields: [...fields, immediate] },
    body(values) {
      const typedIn = bodyOf(fields, values)
      const differing = Object.entries(typedIn).filter(
        ([name, value]) => typed(value) !== paramOf(market, name),
      )
      const change = Object.fromEntries(differing)
      return { symbol, change, ...bodyOf([immediate], values) }
    },
    changes: ({ change, immediate: isImmediate }) => [
      ...changesBetween(params, change as Readonly<Record<string, unknown>>),
      {
        ...{ name: 'in force', now: null },
        next:
          isImmediate === true
            ? 'immediately; raised maintenance in an hour'
            : 'immediately, or after a day if it requires more of traders',
      },
    ],
    touched: ({ change }) =>
      affectedBy(operators, { symbol, change: change as PendingChange['change'] }),
  })
}

/** Tables for the confirmation: accounts that the change would liquidate, and accounts that could
 *  open nothing more. */
async function affectedBy(
  operators: Console,
  body: AdminRequest<'preview_market_change'>,
): Promise<readonly Touched[]> {
  const preview = await operators.look('preview_market_change', body)
  const { holders, below_maintenance, below_initial, liquidated, short_of_margin } = preview
  return [
    {
      title: `Would be liquidated: ${below_maintenance} of ${holders} holders`,
      columns: ['Account', 'Scope', 'Equity', 'Maintenance', 'Then', 'How'],
      rows: liquidated.map((row) => [
        ...[row.account, row.scope, row.equity, row.maintenance, row.maintenance_then, row.fate],
      ]),
    },
    {
      title: `Could open nothing more: ${below_initial}`,
      columns: ['Account', 'Equity', 'Requirement', 'Then'],
      rows: short_of_margin.map((row) => [
        ...[row.account, row.equity, row.requirement, row.requirement_then],
      ]),
    },
  ]
}

export function cancelChange(market: MarketRow, pending: PendingChange): Action {
  const { symbol } = market
  const { change_id, change } = pending
  return action({
    ...{ operation: 'cancel_market_change', title: `Cancel change ${change_id} of ${symbol}` },
    given: { symbol, change_id },
    changes: () =>
      Object.entries(change).map(([name, value]) => ({
        ...{ name: `announced ${name}`, now: typed(value), next: `stays ${paramOf(market, name)}` },
      })),
  })
}

type Listing = Readonly<{
  title: string
  values: Readonly<Record<string, unknown>>
  /** Returns the reason for the value of a field, which is shown in place of its description. */
  why?: (field: string) => string
}>

/** Shows every field, because the console applies the template, not the exchange. */
function listing(operation: Operation | undefined, content: Listing): Action {
  const { title, values, why = () => '' } = content
  const fields = fieldsOf(operation?.body ?? {})
    .filter(({ name }) => name !== 'template')
    .map((each) => ({
      ...{ ...each, initial: typed(values[each.name]), hint: why(each.name) || each.hint },
    }))
  return action({ operation: 'list_market', title, fields })
}

export const listMarket = (operation: Operation | undefined) =>
  listing(operation, { title: 'List a market', values: {} })

export function listAlike(operation: Operation | undefined, like: MarketRow): Action {
  const values = { ...like.params, isolated_only: like.isolated_only }
  return listing(operation, { title: `List a market like ${like.symbol}`, values })
}

export function listTemplate(operation: Operation | undefined, template: MarketTemplate): Action {
  return listing(operation, {
    ...{ title: `List ${template.listing.symbol} from its template`, values: template.listing },
    why: (name) => reasonOf(template.group, name),
  })
}

const modes = ['open', 'reduce_only', 'post_only', 'cancel_only', 'halted']

export function setExchangeMode({ mode }: Pick<Standing, 'mode'>): Action {
  return action({
    ...{ operation: 'set_exchange_mode', title: 'Set the mode of the exchange' },
    fields: [field('mode', { kind: 'choice', choices: modes, initial: mode })],
    now: { mode },
  })
}

export const backUp: Action = action({
  ...{ operation: 'back_up', title: 'Back up' },
  changes: () => [
    { name: 'a new folder next to the data', now: null, next: 'what a restore needs' },
  ],
})

export const drain: Action = action({
  ...{ operation: 'drain', title: 'Drain' },
  warning: 'Only a new start of the process takes orders again.',
  changes: () => [{ name: 'orders', now: 'taken', next: 'refused; cancels are served' }],
})

export function pushPrice(symbols: readonly string[], source: string): Action {
  const price = field('price', { hint: `Of the source ${source}, until it is stale` })
  const symbol = field('symbol', {
    ...{ kind: 'choice', choices: symbols, initial: symbols[0] ?? '' },
  })
  return action({
    ...{ operation: 'push_prices', title: 'Push a price', fields: [symbol, price] },
    body: (values) => ({ prices: [bodyOf([symbol, price], values)] }),
    changes({ prices }) {
      const [pushed] = prices as readonly Readonly<{ symbol: string; price: string }>[]
      return [{ name: `${pushed!.symbol} by ${source}`, now: null, next: pushed!.price }]
    },
  })
}
