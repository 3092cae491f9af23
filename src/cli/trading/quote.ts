// `openperp quote` and `openperp scale`: quotes at given prices, and a size spread over prices,
// each as one batch with one signature.

import { createHash } from 'node:crypto'
import type { BatchAction, Client } from '../../client/index.ts'
import { ladderOf, shapes } from '../../client/ladder.ts'
import { batchActionsMax } from '../../protocol/batch-actions.ts'
import { type Tif, tifs, timesInForce } from '../../protocol/words.ts'
import { messageFor, replyTo, signerOptions, signingClient } from '../connection.ts'
import { type Call, command } from '../frame/command.ts'
import { misused } from '../frame/exit-codes.ts'
import { tableOf } from '../frame/screen.ts'
import { endedOf } from './newest-event.ts'
import { checkProtected, optionFlags, remarkUnprotected } from './option-flags.ts'
import { marketAndSide, oneOf, sideOf } from './order-words.ts'

export const quote = command({
  name: 'quote',
  group: 'trading',
  summary: 'Place or replace a quote at a price',
  about:
    'Places it, moves it, leaves it alone if it stands so, or ends it with amount 0. It never ' +
    'takes. The quote is known by its client id; without one, by its market, side and --name.',
  arguments: [
    ...marketAndSide,
    { name: 'amount', about: 'remaining size; 0 cancels it', required: true },
    { name: 'price', about: 'limit price', required: true },
  ],
  options: {
    ...signerOptions,
    mmp: optionFlags.mmp,
    name: { value: '<word>', about: 'name that distinguishes your quotes on one side' },
    'client-id': { value: '<uuid>', about: 'client order id, chosen by you' },
  },
  examples: [
    'openperp quote BTC bid 0.5 99990 --mmp',
    'openperp quote BTC ask 0.2 120000 --name far',
    'openperp quote BTC bid 0 99990',
  ],
  async run(call) {
    const { values, words } = call
    const [symbol, side, amount, price] = words as [string, string, string, string]
    if (values.name !== undefined && values['client-id'] !== undefined)
      throw misused('--name makes a client id, and --client-id is one', 'give one of them')
    const data = {
      ...{ symbol, side: sideOf(side), amount, price },
      client_order_id: values['client-id'] ?? idOf([symbol, sideOf(side), values.name ?? '']),
      ...(values.mmp === true && { mmp: true }),
    }
    return sent(call, [{ type: 'Quote', data }])
  },
})

export const scale = command({
  name: 'scale',
  group: 'trading',
  summary: 'Place a ladder of limit orders between two prices: one batch, one signature',
  about:
    'Prices are on the grid of the market from the first to the last, and the amounts add up to ' +
    `the whole exactly. At most ${batchActionsMax} orders.`,
  arguments: [
    ...marketAndSide,
    { name: 'amount', about: 'total size of all orders', required: true },
    { name: 'from', about: 'first price', required: true },
    { name: 'to', about: 'last price', required: true },
  ],
  options: {
    ...signerOptions,
    mmp: optionFlags.mmp,
    orders: { value: '<n>', about: 'number of orders (default: 10)' },
    shape: {
      value: `<${shapes.join('|')}>`,
      about: 'rising: each order is larger by the size of the first (default: flat)',
    },
    tif: { value: `<${tifs.join('|')}>`, about: 'time in force (default: ALO)' },
    'reduce-only': { about: 'reduce the position only' },
    preview: { about: 'show the orders without placing them' },
  },
  examples: [
    'openperp scale BTC bid 1 99000 95000 --orders 20',
    'openperp scale ETH ask 5 3100 3300 --shape rising --preview',
  ],
  async run(call) {
    const { values, words } = call
    const [symbol, side, amount, from, to] = words as [string, string, string, string, string]
    const tif = oneOf('--tif', values.tif ?? 'ALO', ...tifs)
    if (values.mmp === true) checkProtected(tif)
    const count = countOf(values.orders ?? '10')
    const shape = oneOf('--shape', values.shape ?? 'flat', ...shapes)
    const rungs = await rungsOf(call, symbol, { from, to, amount, count, shape })
    const order = {
      ...{ symbol, side: sideOf(side), tif, reduce_only: values['reduce-only'] === true },
      ...(values.mmp === true && { mmp: true }),
    }
    if (values.preview !== true)
      return sent(
        call,
        rungs.map((rung) => ({ type: 'Create', data: { ...order, ...rung } })),
      )
    const cells = rungs.map((rung) => [rung.price, rung.amount])
    return { json: rungs, lines: tableOf(['price', 'amount'], cells) }
  },
})

function countOf(text: string): number {
  const count = /^\d{1,3}$/.test(text) ? Number.parseInt(text, 10) : 0
  if (count >= 1 && count <= batchActionsMax) return count
  throw misused(`--orders ${text} is not a number from 1 to ${batchActionsMax}`)
}

type SignerCall = Call<typeof signerOptions>
type QuoteCall = Call<typeof signerOptions & Pick<typeof optionFlags, 'mmp'>>

async function rungsOf(
  call: SignerCall,
  symbol: string,
  ladder: Parameters<typeof ladderOf>[1],
): Promise<ReturnType<typeof ladderOf>> {
  const infos = await replyTo(call, signingClient(call).getInfo())
  const market = infos.find((info) => info.symbol === symbol)
  if (market === undefined) throw misused(`there is no market ${symbol}`, '`openperp markets`')
  try {
    return ladderOf(market, ladder)
  } catch (error) {
    if (error instanceof RangeError) throw misused(error.message)
    throw error
  }
}

async function sent(call: QuoteCall, actions: readonly BatchAction[]) {
  const client = signingClient(call)
  if (call.values.mmp === true) await remarkUnprotected(call, client, call.words[0]!)
  const said = { symbol: call.words[0]!, flags: {} }
  const asking = { ...call, said }
  const { results } = await replyTo(asking, client.batchOrders({ actions, together: true }))
  const cells: string[][] = []
  for (const [at, result] of results.entries()) {
    const { data } = actions[at] as Sent
    const became = becameOf(result, data.amount, (message) => messageFor(asking, message))
    const now = isPassing(data) && stands(result) ? await passedText(call, client, result) : null
    cells.push([data.price, data.amount, now ?? became])
  }
  const end = results.every(stands) ? ('yes' as const) : ('refused' as const)
  return { json: { results }, lines: tableOf(['price', 'amount', 'became'], cells), end }
}

type Sent = Readonly<{ data: Readonly<{ price: string; amount: string; tif?: Tif }> }>

/** It takes immediately and ends. */
const isPassing = ({ tif }: Sent['data']) => tif !== undefined && !timesInForce[tif].rests

async function passedText(call: QuoteCall, client: Client, { order_id }: Became) {
  const end = order_id === null ? null : await endedOf(call, client, order_id)
  if (end === null) return null
  const filled = end.filled_amount === '0' ? 'nothing' : `${end.filled_amount}`
  const price = end.average_filled_price
  return `order ${order_id}: ${filled} filled${price === null ? '' : ` at ${price}`}`
}

type Became = Awaited<ReturnType<Client['batchOrders']>>['results'][number]

/** Whether the quote is in the book; a post-only order that would have taken is not. */
function stands({ success, order_status }: Became): boolean {
  return success && order_status !== 'rejected'
}

function becameOf(
  { success, order_id, order_status, error }: Became,
  amount: string,
  messageOf: (message: string) => string,
): string {
  if (!success) return error === null ? 'refused' : messageOf(error)
  if (order_id === null) return isNothing(amount) ? 'none stood' : 'as it was'
  if (order_status === 'rejected')
    return `order ${order_id} was rejected: it is post-only and would have taken; no quote rests`
  if (order_status === undefined || order_status === 'open') return `order ${order_id}`
  return `order ${order_id} ${order_status.replace('_', ' ')}`
}

const isNothing = (amount: string) => /^0+(\.0+)?$/.test(amount)

/** Equal input gives the same id: a UUID of its hash. */
function idOf(words: readonly string[]): string {
  const hash = createHash('sha256')
    .update(`openperp quote ${words.join(' ')}`)
    .digest('hex')
  const [, one, two, three, four] = /^(.{8})(.{4})(.{3})(.{3})/.exec(hash)!
  return `${one}-${two}-8${three}-8${four}-${hash.slice(18, 30)}`
}
