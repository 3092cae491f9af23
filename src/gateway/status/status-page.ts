// GET /status as an HTML page.

import type { IncidentRow, StatusReply } from '../../protocol/schemas/status.ts'
import { escaped, plainPage } from '../documents/plain-page.ts'

const headlines: Readonly<Record<StatusReply['status'], string>> = {
  operational: 'All systems operational',
  degraded: 'Not everything works',
  closed: 'No orders are accepted',
}
const timeText = (ms: number) => `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`
const tones = { operational: 'up', degraded: 'warn', closed: 'down' } as const

export function statusPage(reply: StatusReply): string {
  const { status, closed, mode, at, markets, incidents } = reply
  const why = closed === null ? '' : ` (${escaped(closed)})`
  const rows = markets.map((market) => {
    const age = `${Math.round(market.price_age_ms / 1_000)} s`
    const tone = market.status === 'live' ? 'up' : 'warn'
    const state = `<td class="${tone}">${escaped(market.status)}<td>${escaped(market.feed)}`
    return `<tr><td><b>${escaped(market.symbol)}</b>${state}<td>${age}</tr>`
  })
  const head = '<tr><th>Market<th>Status<th>Prices<th>Age of the newest price</tr>'
  const body =
    `<h1 class="${tones[status]}">${headlines[status]}${why}</h1>` +
    `<p class="dim">As of ${timeText(at)}. Mode of the exchange: ${escaped(mode)}. ` +
    '<a href="/status">Refresh</a>. Programs request this page with ' +
    '<code>accept: application/json</code>.</p>' +
    `<h2>Markets</h2>${markets.length === 0 ? '<p>None yet.</p>' : table(head, rows)}` +
    `<h2>Incidents</h2>${incidents.map(incidentHtml).join('') || '<p>None.</p>'}`
  return plainPage(`Status: ${status}`, body)
}

const table = (head: string, rows: readonly string[]) => `<table>${head}${rows.join('')}</table>`

function incidentHtml(incident: IncidentRow): string {
  const { title, text, impact, markets, announced_at, updates, resolved_at } = incident
  const whom = markets.length === 0 ? '' : `, ${markets.join(', ')}`
  const state = resolved_at === null ? 'goes on' : `resolved ${timeText(resolved_at)}`
  const said = [{ at: announced_at, text }, ...updates].map(
    ({ at, text: words }) => `<tr><td>${timeText(at)}<td>${escaped(words)}</tr>`,
  )
  return (
    `<h3>${escaped(title)}</h3><p>${escaped(impact)}${escaped(whom)}: ${state}</p>` +
    table('<tr><th>When<th>What</tr>', said)
  )
}
