// `openperp explain`: shows the numbers of an event, and the rules that produced them.

import { command } from '../frame/command.ts'
import { misused } from '../frame/exit-codes.ts'
import { dataFolderOf, dataOption, onData } from './data-option.ts'

const kinds = 'order, fill, funding, liquidation, refusal, withdrawal, trip or key'
const numbered: ReadonlySet<string> = new Set(['order', 'fill', 'funding', 'withdrawal'])

export const explain = command({
  name: 'explain',
  group: 'data',
  summary: 'Explain an event or a rejection of an account: numbers and rules',
  about:
    'Replays the journal up to the event, computes every number again from its inputs, and shows ' +
    'it next to the number in history. Each step names its rule and the page of that rule. ' +
    'Ids are those of the API: order_id (also of a TWAP, an iceberg or a chase), history_id of a ' +
    'fill or of a funding payment. A liquidation, a refusal or a trip of maker protection is ' +
    'selected by its seq or by the account (default: the newest), a key by its address. ' +
    'The seq of a refusal is the header openperp-seq of the reply. For a refusal for margin and ' +
    'for a withdrawal it also shows the valuation prices of the positions, the tier that applied ' +
    'and the state of the market.',
  arguments: [
    { name: 'what', about: kinds, required: true },
    { name: 'id', about: 'its id; for some kinds its seq, or an address' },
  ],
  options: { ...dataOption },
  examples: [
    'openperp explain order 42',
    'openperp explain fill 1071 --json',
    'openperp explain funding 7',
    'openperp explain liquidation <address>',
    'openperp explain refusal 10713',
    'openperp explain withdrawal 3',
    'openperp explain trip <address>',
    'openperp explain key <agent>',
  ],
  async run({ values, words, screen, environment }) {
    const folder = dataFolderOf(values.data, environment)
    const explanation = await onData(() => explained(folder, words[0]!, words[1]))
    const { linesOf } = await import('./explain/explanation.ts')
    const agrees = explanation.steps.every((step) => step.agrees)
    return {
      json: { ...explanation, agrees },
      lines: linesOf(explanation, screen),
      end: agrees ? ('yes' as const) : ('damaged' as const),
    }
  },
})

async function explained(folder: string, what: string, id: string | undefined) {
  if (what === 'liquidation') {
    const { explainLiquidation } = await import('./explain/explain-liquidation.ts')
    return explainLiquidation(folder, id ?? null)
  }
  if (what === 'refusal') {
    const { explainRefusal } = await import('./explain/explain-refusal.ts')
    return explainRefusal(folder, id ?? null)
  }
  if (what === 'trip') {
    const { explainTrip } = await import('./explain/explain-trip.ts')
    return explainTrip(folder, id ?? null)
  }
  if (what === 'key') {
    if (id === undefined)
      throw misused('explain key needs its address', 'openperp explain key 9hSR…')
    const { explainKey } = await import('./explain/explain-key.ts')
    return explainKey(folder, id)
  }
  if (!numbered.has(what)) throw misused(`explain knows no ${what}`, kinds)
  if (id === undefined || !/^[1-9]\d{0,14}$/.test(id))
    throw misused(`explain ${what} needs an id`, `openperp explain ${what} 42`)
  const number = Number.parseInt(id, 10)
  if (what === 'withdrawal') {
    const { explainWithdrawal } = await import('./explain/explain-refusal.ts')
    return explainWithdrawal(folder, number)
  }
  if (what === 'funding') {
    const { explainFunding } = await import('./explain/explain-funding.ts')
    return explainFunding(folder, number)
  }
  const { explainFill, explainOrder } = await import('./explain/explain-order.ts')
  return what === 'order' ? explainOrder(folder, number) : explainFill(folder, number)
}
