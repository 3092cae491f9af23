// Public announcements of incidents.

import type { IncidentRow } from '../../../../protocol/schemas/status.ts'
import { type Action, action } from '../action.ts'
import { field } from '../form-field.ts'

const seenBy = 'It is public, at /status of the public port, and cannot be withdrawn.'

export function announceIncident(symbols: readonly string[]): Action {
  return action({
    ...{ operation: 'announce_incident', title: 'Announce an incident', warning: seenBy },
    fields: [
      field('title', { hint: 'In a few words' }),
      field('text', { kind: 'long', hint: 'What is wrong, and what you do about it' }),
      field('impact', {
        ...{ kind: 'choice', choices: ['notice', 'degraded', 'outage'], initial: 'notice' },
        hint: 'notice: for information; outage: trading is not possible',
      }),
      field('markets', {
        optional: true,
        hint: `Symbols (default: all markets). There are ${symbols.join(', ')}`,
      }),
    ],
    body: ({ title = '', text = '', impact = 'notice', markets = '' }) => ({
      ...{ title: title.trim(), text: text.trim(), impact },
      markets: markets.split(/[\s,]+/).filter((symbol) => symbol !== ''),
    }),
    changes: ({ title, text, impact, markets }) => [
      { name: 'title', now: null, next: String(title) },
      { name: 'text', now: null, next: String(text) },
      { name: 'impact', now: null, next: String(impact) },
      {
        ...{ name: 'concerns', now: null },
        next: (markets as readonly string[]).join(', ') || 'all markets',
      },
    ],
  })
}

const lastOf = ({ text, updates }: IncidentRow) => updates.at(-1)?.text ?? text

function say(incident: IncidentRow, verb: 'update' | 'resolve'): Action {
  const { id, title } = incident
  const next = verb === 'resolve' ? 'resolved' : 'goes on'
  return action({
    ...{ operation: `${verb}_incident`, warning: seenBy, given: { id } },
    title: `${verb === 'update' ? 'Update' : 'Resolve'} ${title}`,
    fields: [field('text', { kind: 'long', hint: 'Public' })],
    changes: ({ text }) => [
      { name: 'what is said', now: lastOf(incident), next: String(text) },
      { name: 'state', now: 'goes on', next },
    ],
  })
}

export const updateIncident = (incident: IncidentRow) => say(incident, 'update')
export const resolveIncident = (incident: IncidentRow) => say(incident, 'resolve')
