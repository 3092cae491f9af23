// Describes the status of a market: its cause, the allowed actions, and the effect on the order in
// the ticket. Changes are streamed. While a market is not live, the age of its price is also
// requested.

import { effect } from '@preact/signals'
import type { Stream } from '../../../client/stream/stream.ts'
import { causeOf, marketStatuses } from '../../../protocol/words.ts'
import type { Desk } from '../desk.ts'
import type { OrderKind } from '../ticket/order-kinds.ts'
import type { MarketRisk } from '../wire.ts'

type Parts = Pick<Desk, 'markets' | 'visitor'>

export type Notice = Readonly<{
  /** Severity: nothing is restricted, some actions are, or only cancels are allowed. */
  tone: 'mild' | 'partly' | 'closed'
  label: string
  text: string
  can: string
}>

type Status = MarketRisk['status']

const askMs = 2_000
const closed: ReadonlySet<Status> = new Set<Status>(['cancel_only', 'halted', 'settled'])

export const isClosed = (risk: MarketRisk | undefined) =>
  risk !== undefined && closed.has(risk.status)

/** Notice about a market; `null` if it is live. */
export function noticeOf(risk: MarketRisk | undefined): Notice | null {
  if (risk === undefined || risk.status === 'live') return null
  const { label, means, can } = marketStatuses[risk.status]
  const cause = causeOf(risk)
  const text = `${upperFirst(means)}${cause === null ? '' : ` (${cause})`}.`
  const mild = risk.status === 'catching_up'
  const tone = closed.has(risk.status) ? 'closed' : mild ? 'mild' : 'partly'
  return { tone, label, text, can: `${can}.` }
}

type Wish = Readonly<{ kind: OrderKind; postOnly: boolean; reduceOnly: boolean }>

const unmatched: Readonly<Record<OrderKind, string>> = {
  limit: 'Limit orders are accepted if they rest, and refused if they would trade.',
  market: 'Market orders are refused. Limit orders that rest are accepted.',
  stop: 'Accepted. The stop can fire when there is a price again and the market trades.',
  twap: 'Accepted. Slices that fail now are retried later.',
  oco: 'Accepted. The stop can fire when there is a price again and the market trades.',
  iceberg: 'Accepted. A part is shown when the market trades again.',
  chase: 'Accepted. The order follows the best price when the market trades again.',
  scale: 'Orders are accepted if they rest, and refused if they would trade.',
}

const onlyReducing: Readonly<Record<OrderKind, string>> = {
  limit: 'Limit orders may rest. An order that would trade must only reduce your position.',
  market: 'Market orders must only reduce your position.',
  stop: 'Accepted. When it fires, it must only reduce your position.',
  twap: 'Accepted. Its slices must only reduce your position.',
  oco: 'Accepted. When its stop fires, it must only reduce your position.',
  iceberg: 'Accepted. Its parts only rest.',
  chase: 'Accepted. Its order only rests.',
  scale: 'Orders may rest. An order that would trade must only reduce your position.',
}

/** What would happen to such an order now; `null` if nothing special. */
export function ticketNote(
  risk: MarketRisk | undefined,
  { kind, postOnly, reduceOnly }: Wish,
): string | null {
  if (risk === undefined) return null
  const rests = (kind === 'limit' || kind === 'scale') && postOnly
  const { long, short } = risk.guarded_price
  switch (risk.status) {
    case 'live':
      return null
    case 'catching_up':
      return `Margin counts a long at ${long}, a short at ${short}.`
    case 'reduce_only':
      return rests || reduceOnly ? null : onlyReducing[kind]
    case 'stale':
    case 'post_only':
      return rests ? null : unmatched[kind]
    default:
      return 'No orders are accepted now.'
  }
}

/** Effect of the market's status on closing or reversing a position at market; `null` if none. */
export function closingNote(risk: MarketRisk | undefined): string | null {
  if (risk === undefined || risk.status === 'catching_up') return null
  const atMarket = { kind: 'market', postOnly: false } as const
  const closes = ticketNote(risk, { ...atMarket, reduceOnly: true })
  if (closes !== null) return `Close and Reverse: ${closes}`
  const reverses = ticketNote(risk, { ...atMarket, reduceOnly: false })
  return reverses === null ? null : `Reverse: ${reverses}`
}

/** Maintenance rate of a small position, and until when replaced tiers still lower it; `null` if
 *  there are no such tiers. */
export function maintenanceNow(risk: MarketRisk | undefined, leverageMax: number) {
  const own = 1 / (2 * leverageMax)
  const kept = risk?.kept_tiers ?? []
  const fractions = kept.map(({ tiers }) => Number(tiers[0]?.maintenance_fraction ?? own))
  const until = kept.length === 0 ? null : Math.max(...kept.map((each) => each.until))
  return { fraction: Math.min(own, ...fractions), afterwards: own, until }
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Requests the status of one market, or of all. After a failure the next change or request updates
 *  it. */
export async function askStanding({ markets, visitor }: Parts, symbol?: string): Promise<void> {
  await visitor
    .getRisk(symbol === undefined ? {} : { symbol })
    .then((risk) => markets.updateRisk(risk.markets))
    .catch(() => undefined)
}

export function followStanding(desk: Parts, stream: Stream): void {
  const { markets } = desk
  const ask = (symbol?: string) => askStanding(desk, symbol)
  stream.subscribe('market_status', {}, ({ data, begins }) => {
    if (begins) void ask()
    for (const { symbol, status, mode, price_state } of data)
      markets.updateStatus(symbol, { status, mode, price_state })
  })
  effect(() => {
    const symbol = markets.symbol.value
    if ((markets.status.value ?? 'live') === 'live') return
    void ask(symbol)
    const timer = setInterval(() => void ask(symbol), askMs)
    return () => clearInterval(timer)
  })
}
