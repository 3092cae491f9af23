// `openperp markets`: the markets and their prices.

import type { Client } from '../../client/client.ts'
import { marketStatuses } from '../../protocol/words.ts'
import { clientOf, replyTo, serverOptions } from '../connection.ts'
import { command } from '../frame/command.ts'
import { tableOf } from '../frame/screen.ts'
import { remarkOf } from './standing.ts'

export const markets = command({
  name: 'markets',
  group: 'trading',
  summary: 'List the markets with prices, steps and limits',
  options: serverOptions,
  examples: ['openperp markets', 'openperp markets --json'],
  async run(call) {
    const client = clientOf(call)
    const [infos, prices, risk] = await replyTo(
      call,
      Promise.all([client.getInfo(), client.getPrices(), client.getRisk()]),
    )
    const rows = infos.map((info) => ({
      ...info,
      ...prices.find(({ symbol }) => symbol === info.symbol),
      ...standingOf(risk.markets.find(({ symbol }) => symbol === info.symbol)),
    }))
    const heads = [
      'market',
      'mark',
      'index',
      'tick',
      'lot',
      'min USD',
      'leverage, from USD',
      'funding/h',
      'status',
    ]
    const cells = rows.map((row) => [
      row.symbol,
      row.mark ?? '-',
      row.oracle ?? '-',
      row.tick_size,
      row.lot_size,
      row.min_order_size,
      leverageText(row),
      row.funding_rate,
      marketStatuses[row.status].label,
    ])
    const remarks = rows.flatMap((row) =>
      [row.remark ?? [], keptText(row), pendingText(row)].flat(),
    )
    const rest = remarks.length === 0 ? [] : ['', ...remarks]
    return { json: rows, lines: [...tableOf(heads, cells), ...rest] }
  },
})

type Risk = Awaited<ReturnType<Client['getRisk']>>['markets'][number]

/** Status of a market; a live one needs no remark. */
function standingOf(risk: Risk | undefined) {
  if (risk === undefined)
    return {
      ...{ status: 'live' as const, remark: null },
      ...{ risk_tiers: [], kept_tiers: [], pending_changes: [] },
    }
  const { status, mode, price_state, price_age_ms } = risk
  const { risk_tiers, kept_tiers, pending_changes } = risk
  const standing = { status, mode, price_state, price_age_ms, remark: remarkOf(risk) }
  return { ...standing, risk_tiers, kept_tiers, pending_changes }
}

/** After an immediate change: until when existing positions have lower maintenance. */
function keptText({ symbol, kept_tiers }: Pick<Risk, 'symbol' | 'kept_tiers'>): readonly string[] {
  const last = kept_tiers.at(-1)
  if (last === undefined) return []
  const until = new Date(last.until).toISOString()
  return [`${symbol} has new tiers: maintenance follows them in full at ${until}.`]
}

/** Announced changes, with their times. */
function pendingText({ symbol, pending_changes }: Pick<Risk, 'symbol' | 'pending_changes'>) {
  return pending_changes.map(({ effective_at, change }) => {
    const at = new Date(effective_at).toISOString()
    const values = Object.entries(change).map(([name, value]) => {
      return `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`
    })
    return `${symbol} changes at ${at}: ${values.join(', ')}.`
  })
}

/** `50, 25 from 2M`: falls with the size of the position. */
function leverageText({ max_leverage, risk_tiers }: Pick<Risk, 'max_leverage' | 'risk_tiers'>) {
  const lower = risk_tiers.slice(1).map((tier) => {
    const from = tier.from_value.replace(/000000$/, 'M').replace(/000$/, 'K')
    return `${tier.max_leverage} from ${from}`
  })
  return [`${max_leverage}`, ...lower].join(', ')
}
