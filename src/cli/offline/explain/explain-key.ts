// `explain key`: explains when an agent was bound, its past and present policy, and its possible
// loss.

import { policyCost } from '../../../client/policy-cost.ts'
import type { Event, EventOf, ExchangeView } from '../../../core/index.ts'
import {
  type Explanation,
  type Happening,
  timeOf,
  usd,
} from '../../../projections/explain/explanation.ts'
import { type Found, findEvents, notFound, type Past } from '../../../projections/explain/past.ts'
import { formatDecimal } from '../../../units/decimal.ts'

const bindings = ['AgentBound', 'AgentConfirmed', 'AgentUnbound', 'AgentRevoked'] as const
const addresses = ['AgentIpAllowed', 'AgentIpDisallowed', 'AgentIpFilterSet'] as const
const kinds = [...bindings, ...addresses, 'AgentPolicySet'] as const
type KeyEvent = Extract<Event, { type: (typeof kinds)[number] }>

export async function explainKey(past: Past, agent: string): Promise<Explanation> {
  const filter = Object.fromEntries(kinds.map((type) => [type, () => true]))
  const search = await findEvents(past, filter, null)
  const found = search.found.filter((each) => eventOf(each).agent === agent)
  const last = found.at(-1)
  if (last === undefined) throw notFound(`key ${agent}`, search)
  const { view } = search
  const set = found.findLast((each) => eventOf(each).type === 'AgentPolicySet')
  const policy = set === undefined ? null : (eventOf(set) as EventOf<'AgentPolicySet'>)
  const accounts = new Set(found.map((each) => view.accounts.addressOf(eventOf(each).account)))
  return {
    title: `Key ${agent}`,
    facts: {
      'agent of': [...accounts].join(', '),
      policy: policy === null ? 'it never had one' : policyText(view, policy),
      'a stolen one could cost': policy === null ? 'all of it' : costText(policy),
    },
    happened: found.map((each) => happeningOf(view, each)),
    steps: [],
    pending: [],
  }
}

const eventOf = ({ events, at }: Found) => events[at] as KeyEvent

function happeningOf(view: ExchangeView, found: Found): Happening {
  const event = eventOf(found)
  const at = { seq: found.seq, time: timeOf(found.atMs) }
  switch (event.type) {
    case 'AgentBound':
      return { ...at, what: `bound to ${view.accounts.addressOf(event.account)}`, rule: 'ACCT-4' }
    case 'AgentConfirmed':
      return { ...at, what: 'signed for the account for the first time', rule: 'ACCT-4' }
    case 'AgentUnbound':
      return { ...at, what: `no agent any more: ${event.reason}`, rule: 'ACCT-4' }
    case 'AgentRevoked':
      return { ...at, what: 'revoked', rule: 'ACCT-4' }
    case 'AgentIpAllowed':
      return { ...at, what: `may be used from ${event.ip}`, rule: 'ACCT-4' }
    case 'AgentIpDisallowed':
      return { ...at, what: `may no longer be used from ${event.ip}`, rule: 'ACCT-4' }
    case 'AgentIpFilterSet': {
      const what = event.enabled ? 'only from its addresses' : 'from any address'
      return { ...at, what: `may be used ${what}`, rule: 'ACCT-4' }
    }
    case 'AgentPolicySet':
      return { ...at, what: `policy: ${policyText(view, event)}`, rule: 'ACCT-9' }
  }
}

/** Formats a limit; −1 means unlimited. */
const given = (value: number, text: (value: number) => string) => (value < 0 ? null : text(value))

function policyText({ markets }: ExchangeView, event: EventOf<'AgentPolicySet'>): string {
  if (event.removed) return 'removed'
  const symbols = event.markets?.split(',').map((id) => markets.paramsOf(Number.parseInt(id, 10)))
  const said = [
    symbols === undefined ? null : symbols.map(({ symbol }) => symbol).join(' '),
    event.postOnly ? 'post-only' : null,
    event.reduceOnly ? 'reduce-only' : null,
    given(event.maxSlippagePpm, (ppm) => `slippage up to ${formatDecimal(ppm, 4)} % from the mark`),
    given(event.maxOrderValue, (value) => `orders to ${usd(value)}`),
    given(event.maxPositionValue, (value) => `positions to ${usd(value)}`),
    given(event.maxDailyLoss, (value) => `loses at most ${usd(value)} a day`),
    given(event.expiresAt, (time) => `until ${timeOf(time)}`),
    event.margin ? 'may change margin' : null,
    event.apiKeys ? 'may handle API keys' : null,
  ].filter((each) => each !== null)
  return said.length === 0 ? 'no limits' : said.join(', ')
}

function costText(event: EventOf<'AgentPolicySet'>): string {
  if (event.removed) return 'all of it'
  const cost = policyCost({
    max_daily_loss: given(event.maxDailyLoss, (value) => formatDecimal(value, 6)),
    max_slippage_percent: given(event.maxSlippagePpm, (ppm) => formatDecimal(ppm, 4)),
    max_position_value: given(event.maxPositionValue, (value) => formatDecimal(value, 6)),
  })
  return cost === null
    ? 'no bound: it needs a daily loss, a slippage and a position value'
    : `about ${cost} USD a market and day, and what the market moves (ACCT-9)`
}
