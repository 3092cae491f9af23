// `openperp explain`: shows the numbers of an event, and the rules that produced them, from a data
// folder or from a running exchange.

import type { Client } from '../../client/client.ts'
import { accountOf, accountOptions, readingClient, replyTo } from '../connection.ts'
import { type Call, command } from '../frame/command.ts'
import { misused } from '../frame/exit-codes.ts'
import { type Explained, explanationLines } from '../frame/explanation-lines.ts'
import { dataFolderOf, dataOption, onData } from './data-option.ts'

const onlineKinds = ['order', 'fill', 'funding', 'liquidation', 'refusal', 'position']
const offlineKinds = ['withdrawal', 'trip', 'key']
const kinds = `${onlineKinds.join(', ')}, ${offlineKinds.slice(0, -1).join(', ')} or key`

const options = { ...accountOptions, ...dataOption }

export const explain = command({
  name: 'explain',
  group: 'data',
  summary: 'Explain events of an account, with the numbers and rules behind them',
  about:
    'Replays the journal up to the event, computes every number again from its inputs, and shows ' +
    'it next to the number in history. Each step names its rule and the page of that rule. With ' +
    '--url or --key, a running exchange explains it to the owner of the account. ' +
    'Otherwise the data folder is read. ' +
    'Ids are those of the API: order_id (also of a TWAP, an iceberg or a chase), history_id of a ' +
    'fill or of a funding payment, symbol of a position. A liquidation, a refusal or a trip of ' +
    'maker protection is selected by its seq or by the account (default: the newest), a key by ' +
    'its address. The seq of a refusal is the header openperp-seq of the reply. An open order ' +
    'and a position also show what has not happened: how close a stop or a liquidation came, ' +
    'and what a resting order waits for.',
  arguments: [
    { name: 'what', about: kinds, required: true },
    { name: 'id', about: 'id of the object; for some kinds a seq, a symbol or an address' },
  ],
  options,
  examples: [
    'openperp explain order 42 --key alice',
    'openperp explain liquidation --key alice',
    'openperp explain position BTC --key alice',
    'openperp explain fill 1071 --json',
    'openperp explain funding 7',
    'openperp explain liquidation <address>',
    'openperp explain refusal 10713',
    'openperp explain refusal --key alice',
    'openperp explain withdrawal 3',
    'openperp explain trip <address>',
    'openperp explain key <agent>',
  ],
  async run(call) {
    const explanation = await explained(call)
    const agrees = explanation.steps.every((step) => step.agrees)
    return {
      json: { ...explanation, agrees },
      lines: explanationLines(explanation, call.screen),
      end: agrees ? ('yes' as const) : ('damaged' as const),
    }
  },
})

type ExplainCall = Call<typeof options>

/** What `explain order` explains, too. */
const orders = ['stop', 'level', 'tpsl', 'twap', 'iceberg', 'chase', 'algo', 'oco', 'trail']

const hintFor = (what: string, id = '42') =>
  orders.includes(what) ? `openperp explain order ${id}` : kinds

async function explained(call: ExplainCall): Promise<Explained> {
  const { values, words, environment } = call
  const [what, id] = words as [string, string | undefined]
  const isOnline = onlineKinds.includes(what)
  if (!isOnline && !offlineKinds.includes(what))
    throw misused(`explain knows no ${what}`, hintFor(what, id))
  const asksExchange = [values.url, values.key, values['key-file']].some(
    (each) => each !== undefined,
  )
  if (!asksExchange) {
    const { folderExplanation } = await import('./explain/folder-explanation.ts')
    const hint = 'name a data folder with --data, or a running exchange with --url or --key'
    const folder = dataFolderOf(values.data, environment, hint)
    const account = values.account === undefined ? null : accountOf(call)
    return onData(() => folderExplanation(folder, { what, id, account }))
  }
  if (values.data !== undefined)
    throw misused('--data is for a data folder, and --url and --key are for an exchange', kinds)
  if (!isOnline)
    throw misused(`explain ${what} reads a data folder`, `openperp explain ${what} --data ./data`)
  return replyTo(call, answer(readingClient(call), what, id, accountOf(call)))
}

function answer(
  client: Client,
  what: string,
  id: string | undefined,
  account: string,
): Promise<Explained> {
  if (what === 'liquidation' || what === 'refusal') {
    const seq = id === undefined || id === account ? 'latest' : id
    if (!/^(latest|[1-9]\d{0,14})$/.test(seq)) throw misused(`${seq} is not a seq or latest`)
    const question = { account, seq }
    return what === 'refusal'
      ? client.explainRefusal(question)
      : client.explainLiquidation(question)
  }
  const example = what === 'position' ? 'BTC' : '42'
  if (id === undefined)
    throw misused(`explain ${what} needs an id`, `openperp explain ${what} ${example}`)
  if (what === 'position') return client.explainPosition({ account, symbol: id })
  if (!/^[1-9]\d{0,14}$/.test(id))
    throw misused(`explain ${what} needs an id`, `openperp explain ${what} ${example}`)
  const number = Number.parseInt(id, 10)
  if (what === 'order') return client.explainOrder({ account, order_id: number })
  const fields = { account, history_id: number }
  return what === 'fill' ? client.explainFill(fields) : client.explainFunding(fields)
}
