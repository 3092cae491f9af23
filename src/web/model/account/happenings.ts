// What happened to the account, as notices: each leads to the numbers behind it.

import { fixed, signed, wordsOf } from '../number-text.ts'
import type { Terminal } from '../terminal.ts'
import type { Fill, LiquidationEvent, Position } from '../wire.ts'

/** One notice for those that belong together: of one market and one direction. */
export function tellFills(terminal: Terminal, fills: readonly Fill[]): void {
  const groups = new Map<string, Fill[]>()
  for (const fill of fills) {
    const group = groups.get(`${fill.s} ${fill.e}`)
    if (group === undefined) groups.set(`${fill.s} ${fill.e}`, [fill])
    else group.push(fill)
  }
  for (const group of groups.values()) tellGroup(terminal, group)
}

function tellGroup(terminal: Terminal, fills: readonly Fill[]): void {
  const last = fills.at(-1)!
  const { tickPlaces, lotPlaces } = terminal.markets.gridOf(last.s)
  const size = fills.reduce((sum, { a }) => sum + Number(a), 0)
  const fee = fills.reduce((sum, { f }) => sum + Number(f), 0)
  const more = fills.length === 1 ? last.a : `${fixed(size, lotPlaces)} in ${fills.length} fills`
  terminal.notices.tell({
    kind: last.tc === 'normal' ? 'good' : 'warning',
    ...(last.i !== null && { about: `order ${last.i}` }),
    title: `${wordsOf(last.e)} ${last.s}`,
    text: `${more} at ${fixed(last.p, tickPlaces)}, fee ${fixed(fee, 4)}`,
    link: { label: 'The numbers', open: () => terminal.explain({ about: 'fill', fill: last }) },
  })
}

export function tellLiquidations(terminal: Terminal, events: readonly LiquidationEvent[]): void {
  const start = events.find(({ event_type }) => event_type === 'liquidation_started')
  const event = start ?? events[0]
  if (event === undefined) return
  const text =
    start === undefined
      ? `${event.amount ?? ''} ${event.symbol ?? ''} at ${event.price ?? 'the market'}`
      : `Equity ${fixed(start.equity, 2)}, below the maintenance margin ` +
        `${fixed(start.maintenance_margin, 2)}.`
  terminal.notices.tell({
    kind: 'bad',
    title: wordsOf(event.event_type),
    text,
    stays: true,
    link: {
      label: 'Why',
      open: () => terminal.explain({ about: 'liquidation', at: event.created_at }),
    },
  })
}

/** Funding has no channel of its own: what a position has paid moved while its size did not. */
export function tellFunding(
  terminal: Terminal,
  before: readonly Position[],
  after: readonly Position[],
): void {
  for (const position of after) {
    const old = before.find(({ s }) => s === position.s)
    if (old === undefined || old.d !== position.d || old.f === position.f || old.a !== position.a)
      continue
    const paid = Number(position.f) - Number(old.f)
    terminal.account.happened()
    terminal.notices.tell({
      kind: 'plain',
      title: `Funding ${paid > 0 ? 'paid' : 'received'}, ${position.s}`,
      text: `${signed(-paid, 4)} USD`,
      link: { label: 'The payments', open: () => terminal.showTab('funding') },
    })
  }
}
