// Shows events of the account as notices, each with a link to its numbers.

import type { Desk } from '../desk.ts'
import { asTrade, fillQuestion, isForced } from '../forced-fills.ts'
import { numberOnGrid } from '../market/market-grid.ts'
import { amountText, averageText, dateText, fixed, signed, wordsOf } from '../number-text.ts'
import type { AccountTrade, Fill, Position } from '../wire.ts'
import { filledOf, notifyClosed } from './forced-closes.ts'

type Parts = Pick<
  Desk,
  'account' | 'explain' | 'markets' | 'notices' | 'seen' | 'showTab' | 'trader'
>

/** Shows one notice per order, or per market and direction for fills without an order. Forced
 *  closes have a notice together. */
export function notifyFills(desk: Parts, fills: readonly Fill[]): void {
  const groups = new Map<string, Fill[]>()
  const isForcedFill = (fill: Fill) => isForced(asTrade(fill))
  notifyClosed(desk, fills.filter(isForcedFill))
  for (const fill of fills) {
    if (isForcedFill(fill)) continue
    const about = fill.i === null ? `${fill.s} ${fill.e}` : `order ${fill.i}`
    const group = groups.get(about)
    if (group === undefined) groups.set(about, [fill])
    else group.push(fill)
  }
  for (const [about, group] of groups) notifyGroup(desk, about, group)
}

/** A notice replaces the previous one for the same order, so it covers all known fills of the
 *  order. */
function notifyGroup(desk: Parts, about: string, fills: readonly Fill[]): void {
  const last = fills.at(-1)!
  const known = desk.account.fills.peek().filter(({ i }) => i !== null && i === last.i)
  const all = known.length > fills.length ? known.toReversed() : fills
  const { tickPlaces, lot } = desk.markets.gridOf(last.s)
  const { size, average, fee, profit } = filledOf(all)
  const much = amountText(numberOnGrid(size, lot))
  const what = [...new Set(all.map(({ e }) => e))].map(wordsOf).join(', then ')
  const many = all.length > 1
  const closes = all.some(({ ts }) => ts.startsWith('close'))
  desk.notices.show({
    kind: last.tc === 'normal' ? 'good' : 'warning',
    about,
    title: `${what} ${last.s}`,
    text:
      `${much}${many ? ` in ${all.length} fills` : ''} at ` +
      `${many ? 'an average of ' : ''}${averageText(average, tickPlaces)}, ` +
      (closes
        ? `realised profit ${signed(profit, 2)} USD after ${fixed(fee, 2)} USD of fees`
        : `fee ${fixed(fee, 4)}`),
    link: { label: 'Details', open: () => desk.explain(fillQuestion(asTrade(last))) },
  })
}

/** Notifies of forced fills that were missed `when` the page was closed or not connected. */
export function notifyForced(
  desk: Parts,
  rows: readonly AccountTrade[],
  when: 'while you were away' | 'during an interruption',
): void {
  const forced = rows.filter(isForced)
  for (const symbol of new Set(forced.map((row) => row.symbol))) {
    const its = forced.filter((row) => row.symbol === symbol)
    const last = its.reduce((one, other) => (other.created_at > one.created_at ? other : one))
    const { tickPlaces, lot } = desk.markets.gridOf(symbol)
    const { size, average, profit } = filledOf(
      its.map(({ amount: a, price: p, fee: f, pnl: n }) => ({ a, p, f, n })),
    )
    const adl = its.every(({ cause }) => cause === 'deleverage')
    desk.notices.show({
      kind: 'bad',
      title: `${adl ? 'Deleveraged' : 'Liquidation'} ${when}, ${symbol}`,
      text:
        `${wordsOf(last.side)} ${amountText(numberOnGrid(size, lot))} by force at ` +
        `${averageText(average, tickPlaces)} on ${dateText(last.created_at)}, ` +
        `profit ${signed(profit, 2)} USD`,
      stays: true,
      closed: desk.seen.hold(),
      link: {
        label: 'Why',
        open: () =>
          desk.explain(adl ? fillQuestion(last) : { about: 'liquidation', seq: 'latest' }),
      },
    })
  }
}

/** Detects funding payments. Funding has no channel, but changes a position's funding while the
 *  size stays the same. */
export function notifyFunding(
  desk: Parts,
  before: readonly Position[],
  after: readonly Position[],
): void {
  for (const position of after) {
    const old = before.find(({ s }) => s === position.s)
    if (old === undefined || old.d !== position.d || old.f === position.f || old.a !== position.a)
      continue
    const paid = Number(position.f) - Number(old.f)
    desk.account.happened()
    desk.notices.show({
      kind: 'plain',
      title: `Funding ${paid > 0 ? 'paid' : 'received'}, ${position.s}`,
      text: `${signed(-paid, 4)} USD`,
      link: { label: 'Funding history', open: () => desk.showTab('funding') },
    })
  }
}
