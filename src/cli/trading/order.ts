// `openperp order`: limit, market and stop orders, with take-profit and stop-loss.

import type { Client } from '../../client/client.ts'
import { optionNames, tifs, timesInForce } from '../../protocol/words.ts'
import { replyTo, signerOptions, signingClient } from '../connection.ts'
import { type Call, command } from '../frame/command.ts'
import { misused } from '../frame/exit-codes.ts'
import { pairsOf } from '../frame/screen.ts'
import type { OrderWords } from '../refusal-words.ts'
import { type Ending, endingIn, endsPairs, expireOption } from './expiry.ts'
import { levelFields, levelOptions, levelPairs, levelsIn } from './level-flags.ts'
import { endedOf } from './newest-event.ts'
import { checkProtected, optionFlags, optionsIn, remarkUnprotected } from './option-flags.ts'
import { marketAndSide, oneOf, ownFlags, sideOf } from './order-words.ts'
import { previewed, previewOption } from './preview.ts'
import { sendStop } from './stops/send-stop.ts'
import {
  checkStopFlags,
  isStop,
  slippageIn,
  stopFields,
  stopOptions,
  stopWatch,
} from './stops/stop-flags.ts'

const slippageDefault = '0.5'

const options = {
  ...signerOptions,
  tif: { value: `<${tifs.join('|')}>`, about: 'time in force of a limit order (default: GTC)' },
  slippage: {
    value: '<percent>',
    about:
      `maximum distance from the mark of a market order (default: ${slippageDefault}), or of a ` +
      'stop at the market (up to 10; default: that of the market)',
  },
  ...stopOptions,
  ...levelOptions,
  ...expireOption,
  ...optionFlags,
  ...ownFlags,
  ...previewOption,
} as const

type OrderCall = Call<typeof options> & Readonly<{ said?: OrderWords }>

/** Fields of the requests by their flags. */
const flags = {
  ...levelFields,
  ...stopFields,
  expire_time: '--expire',
  slippage_percent: '--slippage',
  client_order_id: '--client-id',
  'send reduce_only true': 'give --reduce-only',
}

export const order = command({
  name: 'order',
  group: 'trading',
  summary: 'Place a limit, market or stop order',
  about:
    'With a price this is a limit order, without a price a market order. With --stop it is a ' +
    'stop order, which places one of the two when the stop price is reached. --tp and --sl set ' +
    'take-profit and stop-loss levels of the position that the order opens. An order that may ' +
    'take waits at the speed bump, some 200 ms, and then for a price observed after its arrival; ' +
    'the command waits up to 1.5 s for the result. After a reduce-only market stop has fired, ' +
    'its order is retried with each new price until the position is closed.',
  arguments: [
    ...marketAndSide,
    { name: 'amount', about: 'size in the base asset, such as 0.01', required: true },
    { name: 'price', about: 'limit price, or mark for the current mark (default: a market order)' },
  ],
  options,
  examples: [
    'openperp order BTC bid 0.01 --key alice',
    'openperp order BTC bid 0.01 95000 --tif ALO --tp 120000 --sl 90000',
    'openperp order BTC bid 0.02 95000 --tp 120000:0.01,130000:0.01 --sl 90000',
    'openperp order ETH sell 0.5 --stop 3000 --reduce-only',
    'openperp order ETH sell 0.5 --stop 3000 --slippage 2 --reduce-only',
    'openperp order BTC ask 0.01 --trail 1% --reduce-only',
    'openperp order BTC bid 0.01 --stop 105000 --tp 120000 --sl 100000',
    'openperp order BTC bid 5 95000 --preview',
    'openperp order BTC ask 0.01 --stop 90000 --reduce-only --preview',
    'openperp order BTC bid 0.01 95000 --expire 10m --stp cancel_taker',
    'openperp order BTC bid 0.01 95000 --tif ALO --mmp',
  ],
  async run(typed) {
    const client = signingClient(typed)
    const said = { symbol: typed.words[0]!, flags }
    const asking = { ...typed, said }
    const call = { ...asking, words: await pricedWords(asking, client) }
    const ending = await endingOf(call, client)
    if (isStop(call.values)) return placeStop(call, client, ending)
    return place(call, client, ending)
  },
})

async function endingOf(call: OrderCall, client: Client): Promise<Ending> {
  const { values, words } = call
  if (values.expire === undefined) return {}
  const tif = oneOf('--tif', values.tif ?? 'GTC', ...tifs)
  const rests = words[3] !== undefined && timesInForce[tif].rests
  if (!rests && !isStop(values))
    throw misused(
      words[3] === undefined
        ? '--expire is of an order that can rest, and one at the market does not'
        : `--expire is of an order that can rest, and ${tif} does not`,
      `give a price, and --tif ${tifs.filter((each) => timesInForce[each].rests).join(', ')}`,
    )
  return endingIn(call, client)
}

/** With the price in place of the keyword. */
async function pricedWords(call: OrderCall, client: Client): Promise<readonly string[]> {
  const [symbol, side, amount, price] = call.words
  if (price !== 'mark') return call.words
  const prices = await replyTo(call, client.getPrices())
  const mark = prices.find((row) => row.symbol === symbol)?.mark
  if (mark == null) throw misused(`${symbol} has no mark price`, '`openperp markets` lists them')
  return [symbol!, side!, amount!, mark]
}

function fieldsOf({ values, words }: OrderCall) {
  const [symbol, side, amount, price] = words as [string, string, string, string | undefined]
  const limit =
    price === undefined ? null : { price, tif: oneOf('--tif', values.tif ?? 'GTC', ...tifs) }
  if (price === undefined && values.tif !== undefined)
    throw misused('--tif is of a limit order: give a price', 'or leave --tif out')
  if (price !== undefined && values.slippage !== undefined)
    throw misused('--slippage is of a market order: leave the price out', 'or --slippage')
  checkStopFlags(values)
  if (values.mmp === true && !isStop(values)) checkProtected(limit?.tif ?? null)
  return {
    limit,
    market: { slippage_percent: values.slippage ?? slippageDefault },
    shared: {
      symbol,
      side: sideOf(side),
      amount,
      reduce_only: values['reduce-only'] === true,
      client_order_id: values['client-id'],
      ...levelsIn(values),
      ...optionsIn(values, limit !== null),
    },
  }
}

async function place(call: OrderCall, client: Client, ending: Ending) {
  const { limit, market, shared } = fieldsOf(call)
  if (call.values.preview === true)
    return previewed(call, client, { ...shared, ...(limit ?? market), ...ending })
  if (call.values.mmp === true) await remarkUnprotected(call, client, shared.symbol)
  const placed = await replyTo(
    call,
    limit === null
      ? client.createMarketOrder({ ...shared, ...market })
      : client.createOrder({ ...shared, ...limit, ...ending }),
  )
  const rests = limit !== null && timesInForce[limit.tif].rests
  const now = rests ? null : await endedOf(call, client, placed.order_id)
  const status = now?.order_status ?? placed.order_status
  const result = {
    order_id: placed.order_id,
    client_order_id: placed.client_order_id,
    order_status: status,
    filled_amount: now?.filled_amount ?? null,
    average_filled_price: now?.average_filled_price ?? null,
    ...ending,
  }
  const pairs: [string, string][] = [
    ['order', `${placed.order_id}`],
    ['status', status],
    ...endsPairs(ending),
    ...levelPairs(call.values),
  ]
  if (now !== null && now.filled_amount !== '0')
    pairs.push(['filled', `${now.filled_amount} at ${now.average_filled_price}`])
  if (placed.client_order_id !== null) pairs.push(['client id', placed.client_order_id])
  if (status === 'rejected') pairs.push(['why', 'it is post-only and would have taken'])
  const end = status === 'rejected' ? ('refused' as const) : ('yes' as const)
  return { json: result, lines: pairsOf(pairs), end }
}

async function placeStop(call: OrderCall, client: Client, ending: Ending) {
  const { values } = call
  const { limit, shared } = fieldsOf(call)
  for (const flag of ['tif', ...optionNames] as const)
    if (values[flag] !== undefined) throw misused(`--${flag} does not go with --stop or --trail`)
  const bounds = limit === null ? slippageIn(values) : { limit_price: limit.price }
  return sendStop(call, client, { ...shared, ...stopWatch(values, shared.side), bounds, ending })
}
