// A liquidation or a deleveraging has one notice: what it closed, and what was lost.

import type { Desk } from '../desk.ts'
import { asTrade, fillQuestion } from '../forced-fills.ts'
import { numberOnGrid } from '../market/market-grid.ts'
import { amountText, averageText, fixed, signed } from '../number-text.ts'
import type { BalanceChange, Fill, LiquidationEvent } from '../wire.ts'
import type { Episode } from './account.ts'

type Parts = Pick<Desk, 'account' | 'explain' | 'markets' | 'notices' | 'trader'>

type Filled = Pick<Fill, 'a' | 'p' | 'f' | 'n'>

/** Size, average price, fees, and profit after fees. */
export function filledOf(fills: readonly Filled[]) {
  const sum = (of: (fill: Filled) => number) => fills.reduce((total, fill) => total + of(fill), 0)
  const size = sum(({ a }) => Number(a))
  const value = sum(({ a, p }) => Number(a) * Number(p))
  const average = size === 0 ? 0 : value / size
  return { size, average, fee: sum(({ f }) => Number(f)), profit: sum(({ n }) => Number(n)) }
}

/** Forced closes with less time between them belong together. */
const episodeMs = 300_000

function episodeAt({ account }: Parts, at: number, deleverages: boolean): Episode {
  const { forced } = account
  if (forced?.deleverages === deleverages && at - forced.at < episodeMs) return { ...forced, at }
  const about = `${deleverages ? 'deleveraging' : 'liquidation'} ${at}`
  return { about, deleverages, events: [], fills: [], moved: null, at }
}

/** Adds forced fills to their notice. */
export function notifyClosed(desk: Parts, fills: readonly Fill[]): void {
  for (const fill of fills) {
    const episode = episodeAt(desk, fill.t, fill.tc === 'deleverage')
    // A fill may be streamed, and read again after an interruption.
    if (episode.fills.some(({ h }) => h === fill.h)) continue
    notifyEpisode(desk, { ...episode, fills: [...episode.fills, fill], moved: null })
  }
  const { forced } = desk.account
  if (fills.length > 0 && forced !== null && takenOver(forced).length > 0)
    void readMoved(desk, forced)
}

/** Announces a liquidation that begins. Its closes are reported by their fills. */
export function notifyLiquidations(desk: Parts, events: readonly LiquidationEvent[]): void {
  for (const event of events) {
    if (event.event_type !== 'liquidation_started' && event.event_type !== 'insurance_paid')
      continue
    const episode = episodeAt(desk, event.created_at, false)
    notifyEpisode(desk, { ...episode, events: [...episode.events, event] })
  }
}

const startsOf = ({ events }: Episode) =>
  events.filter(({ event_type }) => event_type === 'liquidation_started')

const isTakeover = ({ tc }: Fill) => tc === 'backstop_liquidation'

/** Cross positions that the backstop took over, which moves margin to it. */
function takenOver(episode: Episode): readonly Fill[] {
  const isolated = startsOf(episode).map(({ symbol }) => symbol)
  return episode.fills.filter((fill) => isTakeover(fill) && !isolated.includes(fill.s))
}

/** What was lost after fees, and whether that is all: the margin of a takeover is not in its
 *  fills. Where the insurance fund paid, none was left to move. */
export function lossOf(episode: Episode): Readonly<{ total: number; isWhole: boolean }> {
  const { fills, events, moved } = episode
  const paid = events.filter(({ event_type }) => event_type === 'insurance_paid')
  const insured = paid.reduce((sum, { amount }) => sum + Number(amount), 0)
  const { profit } = filledOf(fills)
  const cross = takenOver(episode)
  const others = fills.filter((fill) => isTakeover(fill) && !cross.includes(fill))
  const isKnown = others.every(({ s }) => paid.some(({ symbol }) => symbol === s))
  const total = profit + insured + (moved ?? 0)
  return { total, isWhole: isKnown && (cross.length === 0 || moved !== null) }
}

/** The part of the changes of the balance by takeovers that is not in their fills. */
export function movedBy(rows: readonly BalanceChange[], episode: Episode): number | null {
  const fills = takenOver(episode)
  const [from, to] = [Math.min(...fills.map(({ t }) => t)), Math.max(...fills.map(({ t }) => t))]
  const its = rows.filter((row) => row.event_type === 'backstop_liquidation')
  if (!its.some(({ created_at }) => created_at >= to)) return null
  const changed = its
    .filter(({ created_at }) => created_at >= from)
    .reduce((sum, { amount }) => sum + Number(amount), 0)
  return Math.min(0, changed - filledOf(fills).profit)
}

const tries = 5
const againMs = 400

/** Reads the margin that a takeover moved, with retries because history is written after the
 *  streams are published. */
async function readMoved(desk: Parts, episode: Episode): Promise<void> {
  const client = desk.trader.peek()?.client
  for (let at = 0; at < tries && client !== undefined; at++) {
    const page = await client.getBalanceHistory({ limit: 100 }).catch(() => null)
    const moved = movedBy(page?.rows ?? [], episode)
    const now = desk.account.forced
    // Newer fills read it again.
    if (now?.fills !== episode.fills) return
    if (moved !== null) return notifyEpisode(desk, { ...now, moved })
    await new Promise((resolve) => setTimeout(resolve, againMs))
  }
}

function notifyEpisode(desk: Parts, episode: Episode): void {
  const { about, deleverages, fills } = episode
  const [start] = startsOf(episode)
  desk.account.forced = episode
  const last = fills.at(-1)
  const symbols = [...new Set(fills.map(({ s }) => s))]
  const word = deleverages ? 'Deleveraged' : 'Liquidated'
  desk.notices.show({
    kind: 'bad',
    about,
    title: last === undefined ? 'Liquidation started' : `${word}: ${symbols.join(', ')}`,
    text:
      last === undefined
        ? `Equity ${fixed(start?.equity, 2)} USD, below the maintenance margin of ` +
          `${fixed(start?.maintenance_margin, 2)} USD.`
        : closedText(desk, episode, symbols),
    stays: true,
    link: {
      label: 'Why',
      open: () =>
        desk.explain(
          deleverages && last !== undefined
            ? fillQuestion(asTrade(last))
            : { about: 'liquidation', seq: start === undefined ? 'latest' : `${start.li}` },
        ),
    },
  })
}

function closedText({ markets }: Parts, episode: Episode, symbols: readonly string[]): string {
  const closes = symbols.map((symbol) => {
    const fills = episode.fills.filter(({ s }) => s === symbol)
    const { tickPlaces, lot } = markets.gridOf(symbol)
    const { size, average } = filledOf(fills)
    const side = fills[0]!.ts.endsWith('long') ? 'long' : 'short'
    const price = averageText(average, tickPlaces)
    return `${side} ${amountText(numberOnGrid(size, lot))} ${symbol} at an average of ${price}`
  })
  const { total, isWhole } = lossOf(episode)
  const name = `${isWhole ? 'Total' : 'Realised'} ${total < 0 ? 'loss' : 'profit'}`
  return (
    `The ${episode.deleverages ? 'deleveraging' : 'liquidation'} closed ${closes.join(', ')}. ` +
    `${name} ${signed(total, 2)} USD after fees.`
  )
}
