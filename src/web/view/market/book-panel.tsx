// The order book. At most once per frame changed cells are written, because fifty updates per
// second must cost next to nothing.

import { effect } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import {
  type BookRow,
  gather,
  groupsOf,
  ownByGroup,
  type Side,
  takenUpTo,
} from '../../model/market/book-rows.ts'
import { numberOnGrid } from '../../model/market/market-grid.ts'
import {
  amountText,
  averageText,
  compact,
  fixed,
  NONE,
  percent,
  placesOf,
  signed,
} from '../../model/number-text.ts'
import type { Terminal } from '../../model/terminal.ts'
import { Menu } from '../parts/menu.tsx'
import { useTerminal } from '../use-terminal.ts'
import { rowHeight, rowsMax, SideDrawing } from './side-drawing.ts'

/** Reads the state for a frame, and draws it. */
function drawBook(terminal: Terminal, asks: SideDrawing, bids: SideDrawing, rows: number): void {
  const { markets, live, account, preferences } = terminal
  const { tickPlaces, lotPlaces, tick } = markets.grid.peek()
  const tickSize = tick.stepValue / 10 ** tick.stepScale
  const symbol = markets.symbol.peek()
  const { groups, bookUnit } = preferences.now.peek()
  const group = (groups[symbol] ?? 1) * tickSize
  const orders = account.resting
    .peek()
    .filter(({ s }) => s === symbol)
    .map(({ d, ip, a, f }) => ({ side: d as Side, price: Number(ip), size: Number(a) - Number(f) }))
  const sides = [asks, bids].map(({ side }) => {
    const own = ownByGroup(orders, side, group)
    return gather(live.levels(side), { side, group, rows, own })
  })
  const most = Math.max(sides[0]!.at(-1)?.sum ?? 0, sides[1]!.at(-1)?.sum ?? 0, 1e-12)
  const style = { tickPlaces, lotPlaces, inUsd: bookUnit === 'usd' }
  asks.draw(sides[0]!, most, style)
  bids.draw(sides[1]!, most, style)
}

/** A click takes the price of a row; with Shift, Ctrl or Cmd also the size of all rows up to it. */
function pick({ markets, ticket }: Terminal, { price, sum }: BookRow, event: MouseEvent): void {
  const { tick, lot } = markets.grid.peek()
  ticket.takePrice(numberOnGrid(price, tick))
  if (event.shiftKey || event.ctrlKey || event.metaKey) ticket.setAmount(numberOnGrid(sum, lot))
}

/** Describes what a market order would take up to a row. */
function reachText({ markets, live }: Terminal, row: BookRow): string {
  const { tick, tickPlaces, lotPlaces } = markets.grid.peek()
  const mid = live.best('mid', tick)
  const { average, sum, worth, away } = takenUpTo(row, mid === null ? null : Number(mid))
  const base = markets.market.peek()?.base_asset ?? ''
  return [
    `Average ${averageText(average, tickPlaces)}`,
    `Sum ${amountText(sum, lotPlaces)} ${base} · ${compact(worth)} USD`,
    `From mid ${away === null ? NONE : percent(away, 3)}`,
    'Shift + click takes the size',
  ].join('\n')
}

const reachWidth = 200

/** Shows the description at the left of a row, or below it where there is no room. */
function showReach(box: HTMLElement, node: HTMLElement | null, text: string): void {
  box.hidden = node === null
  if (node === null) return
  if (box.textContent !== text) box.textContent = text
  const { left, top, bottom } = node.getBoundingClientRect()
  const isLeft = left > reachWidth
  box.style.left = `${isLeft ? left - reachWidth : left + 90}px`
  box.style.top = `${isLeft ? top : bottom + 2}px`
}

function useBookDrawing(terminal: Terminal) {
  const asks = useRef<HTMLElement>(null)
  const bids = useRef<HTMLElement>(null)
  const reach = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const events = {
      pick: (row: BookRow, event: MouseEvent) => pick(terminal, row, event),
      point: (row: BookRow | null, node: HTMLElement | null) =>
        row === null
          ? showReach(reach.current!, null, '')
          : showReach(reach.current!, node, reachText(terminal, row)),
    }
    const boxes = [asks.current!, bids.current!]
    const above = new SideDrawing(boxes[0]!, 'ask', events)
    const below = new SideDrawing(boxes[1]!, 'bid', events)
    let rows = 0
    let frame = 0
    const draw = () => {
      frame = 0
      if (rows > 0) drawBook(terminal, above, below, rows)
    }
    const ask = () => {
      if (frame === 0) frame = requestAnimationFrame(draw)
    }
    const watched = new ResizeObserver(() => {
      // One side may be hidden.
      const height = Math.max(...boxes.map(({ clientHeight }) => clientHeight))
      rows = Math.min(rowsMax, Math.floor(height / rowHeight))
      ask()
    })
    for (const box of boxes) watched.observe(box)
    const unfollow = terminal.live.onBook(ask)
    const stop = effect(() => {
      terminal.account.resting.value
      terminal.preferences.now.value.groups
      ask()
    })
    return () => {
      watched.disconnect()
      unfollow()
      stop()
      cancelAnimationFrame(frame)
    }
  }, [terminal])
  return { asks, bids, reach }
}

export function BookPanel() {
  const terminal = useTerminal()
  const { asks, bids, reach } = useBookDrawing(terminal)
  const { markets, live, preferences } = terminal
  const { bookSides, bookUnit } = preferences.now.value
  const unit = bookUnit === 'usd' ? 'USD' : (markets.market.value?.base_asset ?? '')
  const stale = live.stale.value || live.repairing.value
  return (
    <section class={`panel ${stale ? 'stale' : ''}`} aria-label="Order book">
      <div class="panel-head">
        <h2 class="tab">Book</h2>
        <span class="spacer" />
        {live.repairing.value && <span class="warn">repairing…</span>}
        <BookView />
        <Grouping />
      </div>
      <div class="book-head" aria-hidden="true">
        <span>Price</span>
        <span class="num">Size ({unit})</span>
        <span class="num">Sum</span>
      </div>
      <div class="book-sides" data-sides={bookSides}>
        <section class="book-side asks" ref={asks} aria-label="Asks" />
        <Middle />
        <section class="book-side bids" ref={bids} aria-label="Bids" />
      </div>
      <div class="book-reach" ref={reach} hidden />
    </section>
  )
}

const sideLabels = { both: 'Both sides', bid: 'Bids only', ask: 'Asks only' } as const

/** Chooses the sides that are shown, and the unit of sizes. */
function BookView() {
  const { markets, preferences } = useTerminal()
  const { bookSides, bookUnit } = preferences.now.value
  const base = markets.market.value?.base_asset ?? ''
  const item = (id: string, label: string, checked: boolean, act: () => void) => ({
    ...{ id, label, checked, act },
    radio: true,
  })
  const sides = (['both', 'bid', 'ask'] as const).map((each) =>
    item(each, sideLabels[each], each === bookSides, () => preferences.change({ bookSides: each })),
  )
  const units = (['base', 'usd'] as const).map((each) =>
    item(each, `Sizes in ${each === 'usd' ? 'USD' : base}`, each === bookUnit, () =>
      preferences.change({ bookUnit: each }),
    ),
  )
  return (
    <Menu label="View of the book" items={[...sides, ...units]} floats>
      {bookSides === 'both' ? 'View' : sideLabels[bookSides]}
      <span class="arrow-down" aria-hidden="true" />
    </Menu>
  )
}

function Grouping() {
  const { markets, preferences } = useTerminal()
  const symbol = markets.symbol.value
  const tick = Number(markets.market.value?.tick_size ?? 1)
  const { groups } = preferences.now.value
  const places = placesOf(markets.market.value?.tick_size ?? '1')
  return (
    <select
      class="select"
      aria-label="Grouping of prices"
      value={String(groups[symbol] ?? 1)}
      onChange={({ currentTarget }) =>
        preferences.change({ groups: { ...groups, [symbol]: Number(currentTarget.value) } })
      }
    >
      {groupsOf(1).map((ticks) => (
        <option key={ticks} value={String(ticks)}>
          {fixed(ticks * tick, places)}
        </option>
      ))}
    </select>
  )
}

/** Shows last price, mark and spread, at most four times per second, with the prices. */
function Middle() {
  const { markets, live } = useTerminal()
  const price = markets.price.value
  const { tickPlaces } = markets.grid.value
  const { tape } = live
  const spread = live.spread()
  const direction = tape.last === null ? '' : tape.last.buys ? 'up' : 'down'
  // For a price with many leading zeros the difference is shown as a fraction.
  const inParts = tickPlaces > 5 && price !== undefined
  const apart =
    spread === null
      ? NONE
      : inParts
        ? percent(spread / Number(price.mark), 3)
        : signed(spread, tickPlaces).replace('+', '')
  return (
    <div class="book-middle">
      <b class={direction}>{fixed(tape.last?.price ?? price?.mark, tickPlaces)}</b>
      <span class="dim" title="Mark price">
        {price === undefined ? NONE : fixed(price.mark, tickPlaces)}
      </span>
      <span class="spacer" />
      <span class="dim" title="Spread">
        {apart}
      </span>
    </div>
  )
}
