// `openperp cancel` and `openperp edit`: orders by id, by client id, or all of them.

import type { Client } from '../../client/client.ts'
import { ApiRefusal } from '../../client/errors.ts'
import { endOf, replyTo, signerOptions, signingClient } from '../connection.ts'
import { type Call, command } from '../frame/command.ts'
import { CliError, misused } from '../frame/exit-codes.ts'
import { newestOf } from './newest-event.ts'
import { orderIdOf } from './order-words.ts'

const refOptions = {
  ...signerOptions,
  symbol: { value: '<symbol>', about: 'market of the order (default: looked up)' },
  'client-id': { value: '<uuid>', about: 'client order id, instead of the order id' },
} as const

type RefCall = Call<typeof refOptions>

/** The order with its market, because the API needs both. */
async function refOf(call: RefCall, client: Client) {
  const { values, words } = call
  const clientId = values['client-id']
  if ((words[0] === undefined) === (clientId === undefined))
    throw misused('name the order by its id or by --client-id', '`openperp orders` lists yours')
  const orderId = words[0] === undefined ? undefined : orderIdOf(words[0])
  const ref = { order_id: orderId, client_order_id: clientId }
  if (values.symbol !== undefined) return { ...ref, symbol: values.symbol }
  const { rows } = await replyTo(call, client.getOpenOrders({}))
  // Icebergs, chases and TWAPs are not orders, but share their ids.
  const algos = await replyTo(call, client.getAlgoOrders({}))
  const twaps = await replyTo(call, client.getTwapOrders({}))
  const isMeant = (row: Readonly<{ order_id: number; client_order_id: string | null }>) =>
    row.order_id === orderId || (clientId !== undefined && row.client_order_id === clientId)
  const found = [...rows, ...algos, ...twaps].find(isMeant)
  if (found !== undefined) return { ...ref, symbol: found.symbol }
  throw new CliError('refused', `no open order ${words[0] ?? clientId} of this account`, {
    hint: '`openperp orders` lists the open ones, `openperp orders --history` the others',
    facts: { reason: 'ORDER_NOT_FOUND' },
  })
}

type Ref = Awaited<ReturnType<typeof refOf>>

/** Only TWAPs have a separate cancel operation: it is tried if there is no such order. */
async function cancelOf(call: RefCall, client: Client, ref: Ref): Promise<void> {
  try {
    await client.cancelOrder(ref)
  } catch (none) {
    if (!isRefusal(none, 'ORDER_NOT_FOUND')) throw endOf(call, none)
    await client.cancelTwapOrder(ref).catch((error) => {
      throw endOf(call, isRefusal(error, 'TWAP_NOT_FOUND') ? none : error)
    })
  }
}

function isRefusal(error: unknown, reason: string): boolean {
  return error instanceof ApiRefusal && error.reason === reason
}

export const cancel = command({
  name: 'cancel',
  group: 'trading',
  summary: 'Cancel an order, stop, level, iceberg, chase or TWAP, or all of them',
  about: '--all does not cancel TWAPs. Cancel each of them by its id.',
  arguments: [{ name: 'id', about: 'order id' }],
  options: {
    ...refOptions,
    all: { about: 'all orders; with --symbol: all in that market' },
    'keep-reduce-only': { about: 'with --all: keep reduce-only orders and stops' },
  },
  examples: [
    'openperp cancel 42',
    'openperp cancel --client-id 1b4e28ba-2fa1-41d2-883f-0016d3cca427',
    'openperp cancel --all --symbol BTC',
  ],
  async run(call) {
    const { values, words } = call
    const client = signingClient(call)
    if (values.all === true) {
      if (words[0] !== undefined || values['client-id'] !== undefined)
        throw misused('--all cancels every order: name none')
      const said = { symbol: values.symbol ?? '', flags: {} }
      const { cancelled_count } = await replyTo(
        { ...call, said },
        client.cancelAllOrders({
          all_symbols: values.symbol === undefined,
          exclude_reduce_only: values['keep-reduce-only'] === true,
          symbol: values.symbol,
        }),
      )
      return { json: { cancelled_count }, lines: [`${cancelled_count} cancelled`] }
    }
    if (values['keep-reduce-only'] === true)
      throw misused('--keep-reduce-only is of --all: one order is cancelled by its id alone')
    const ref = await refOf(call, client)
    await cancelOf(call, client, ref)
    const named = ref.order_id ?? ref.client_order_id
    return { json: { cancelled_count: 1, ...ref }, lines: [`${named} on ${ref.symbol} cancelled`] }
  },
})

export const edit = command({
  name: 'edit',
  group: 'trading',
  summary: 'Replace an order with a new price or size',
  about:
    'In one step: if the new order is refused, the old one stays. The new one is post-only and ' +
    'has a new id; it keeps its place in the queue only when the price stays and the size falls.',
  arguments: [{ name: 'id', about: 'order id' }],
  options: {
    ...refOptions,
    price: { value: '<price>', about: 'new limit price (default: unchanged)' },
    amount: { value: '<size>', about: 'new total size (default: unchanged)' },
  },
  examples: ['openperp edit 42 --price 95100 --amount 0.02', 'openperp edit 42 --amount 0.01'],
  async run(call) {
    const client = signingClient(call)
    const { price, amount } = call.values
    if (price === undefined && amount === undefined)
      throw misused('edit needs --price, --amount or both')
    const ref = await refOf(call, client)
    const old = price === undefined || amount === undefined ? await sizeOf(call, client, ref) : null
    const fields = { price: price ?? old!.price, amount: amount ?? old!.left }
    const { order_id } = await replyTo(call, client.editOrder({ ...ref, ...fields }))
    const named = ref.order_id ?? ref.client_order_id
    const { order_status } = await newestOf(call, client, order_id)
    if (order_status === 'rejected') {
      const why = `the new order ${order_id} is post-only and would have taken`
      const json = { order_id, order_status, replaced: null, ...fields }
      return { json, lines: [`${why}; ${named} stands as it was`], end: 'refused' as const }
    }
    return {
      json: { order_id, order_status, replaced: named, ...fields },
      lines: [`order ${order_id}: ${fields.amount} at ${fields.price} on ${ref.symbol}`],
    }
  },
})

type EditCall = RefCall & Readonly<{ values: Readonly<{ amount?: string }> }>

/** Price of the present order, and its size if nothing is filled. */
async function sizeOf(call: EditCall, client: Client, ref: Ref) {
  const { rows } = await replyTo(call, client.getOpenOrders({}))
  const found = rows.find((row) =>
    ref.order_id === undefined
      ? row.client_order_id === ref.client_order_id
      : row.order_id === ref.order_id,
  )
  if (found === undefined) throw await notEdited(call, client, ref)
  if (found.filled_amount !== '0' && call.values.amount === undefined)
    throw misused('the order is filled in part: say with --amount what the new one is to have')
  return { price: found.price, left: found.initial_amount }
}

/** It exists, but is not an order. */
async function notEdited(call: EditCall, client: Client, ref: Ref) {
  const isMeant = (row: Readonly<{ order_id: number; client_order_id: string | null }>) =>
    row.order_id === ref.order_id || row.client_order_id === (ref.client_order_id ?? '')
  const algo = (await replyTo(call, client.getAlgoOrders({}))).find(isMeant)
  const twap = algo ?? (await replyTo(call, client.getTwapOrders({}))).find(isMeant)
  if (twap === undefined) return misused('that order is not open; give both --price and --amount')
  const kind = algo?.kind ?? 'TWAP'
  const named = `${twap.order_id} is ${kind === 'iceberg' ? 'an' : 'a'} ${kind}`
  return new CliError('refused', `${named}, which cannot be edited: cancel it and place it again`, {
    facts: { reason: 'ORDER_NOT_FOUND' },
  })
}
