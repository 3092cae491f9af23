// The order book. Rows are created once per size of the panel. Then at most once per frame only
// changed cells are written, because fifty updates per second must cost next to nothing.

import { effect } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import {
  type BookRow,
  gather,
  groupsOf,
  ownByGroup,
  type Side,
} from '../../model/market/book-rows.ts'
import { numberOnGrid } from '../../model/market/market-grid.ts'
import { amountText, fixed, NONE, percent, placesOf, signed } from '../../model/number-text.ts'
import type { Terminal } from '../../model/terminal.ts'
import { useTerminal } from '../use-terminal.ts'

const rowHeight = 18
const rowsMax = 60

type DrawnRow = {
  node: HTMLButtonElement
  texts: [Text, Text, Text]
  bar: HTMLElement
  shown: [number, number, number, number]
}

class SideDrawing {
  private readonly rows: DrawnRow[] = []
  private readonly box: HTMLElement
  readonly side: Side

  constructor(box: HTMLElement, side: Side, onPick: (price: number) => void) {
    this.box = box
    this.side = side
    box.addEventListener('click', (event) => {
      const node = (event.target as HTMLElement).closest('button')
      const row = this.rows.find((each) => each.node === node)
      if (row !== undefined) onPick(row.shown[0])
    })
    box.addEventListener('keydown', (event) => this.move(event))
  }

  /** Arrow keys move between the rows; the tab key has one stop per side. */
  private move(event: KeyboardEvent): void {
    const away = this.side === 'ask' ? 'ArrowUp' : 'ArrowDown'
    const towards = this.side === 'ask' ? 'ArrowDown' : 'ArrowUp'
    const step = event.key === away ? 1 : event.key === towards ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    const at = this.rows.findIndex(({ node }) => node === document.activeElement)
    this.rows[at + step]?.node.focus()
  }

  private row(at: number): DrawnRow {
    const found = this.rows[at]
    if (found !== undefined) return found
    const node = document.createElement('button')
    node.type = 'button'
    node.className = 'book-row'
    node.tabIndex = at === 0 ? 0 : -1
    const bar = node.appendChild(document.createElement('i'))
    const texts = [0, 1, 2].map(() =>
      node.appendChild(document.createElement('span')).appendChild(document.createTextNode('')),
    ) as unknown as DrawnRow['texts']
    this.box.appendChild(node)
    const row: DrawnRow = { node, texts, bar, shown: [Number.NaN, Number.NaN, Number.NaN, 0] }
    this.rows.push(row)
    return row
  }

  draw(rows: readonly BookRow[], most: number, places: readonly [number, number]): void {
    const count = Math.max(rows.length, this.rows.length)
    for (let at = 0; at < count; at++) {
      const data = rows[at]
      const row = this.row(at)
      row.node.classList.toggle('empty', data === undefined)
      if (data !== undefined) write(row, data, most, places)
    }
  }
}

function write(
  { node, texts, bar, shown }: DrawnRow,
  row: BookRow,
  most: number,
  places: readonly [number, number],
) {
  const { price, size, sum, own } = row
  if (shown[0] !== price) texts[0].data = fixed(price, places[0])
  if (shown[1] !== size) texts[1].data = amountText(size, places[1])
  if (shown[2] !== sum) texts[2].data = amountText(sum, places[1])
  if (shown[3] !== own) node.classList.toggle('own', own > 0)
  if (shown[0] !== price || shown[1] !== size || shown[2] !== sum || shown[3] !== own) {
    shown[0] = price
    shown[1] = size
    shown[2] = sum
    shown[3] = own
  }
  const width = `scaleX(${Math.round((sum / most) * 1_000) / 1_000})`
  if (bar.style.transform !== width) bar.style.transform = width
}

/** Reads the state for a frame, and draws it. */
function drawBook(terminal: Terminal, asks: SideDrawing, bids: SideDrawing, rows: number): void {
  const { markets, live, account, preferences } = terminal
  const { tickPlaces, lotPlaces, tick } = markets.grid.peek()
  const tickSize = tick.stepValue / 10 ** tick.stepScale
  const symbol = markets.symbol.peek()
  const group = (preferences.now.peek().groups[symbol] ?? 1) * tickSize
  const orders = account.resting
    .peek()
    .filter(({ s }) => s === symbol)
    .map(({ d, ip, a, f }) => ({ side: d as Side, price: Number(ip), size: Number(a) - Number(f) }))
  const sides = [asks, bids].map(({ side }) => {
    const own = ownByGroup(orders, side, group)
    return gather(live.levels(side), { side, group, rows, own })
  })
  const most = Math.max(sides[0]!.at(-1)?.sum ?? 0, sides[1]!.at(-1)?.sum ?? 0, 1e-12)
  asks.draw(sides[0]!, most, [tickPlaces, lotPlaces])
  bids.draw(sides[1]!, most, [tickPlaces, lotPlaces])
}

function useBookDrawing(terminal: Terminal) {
  const asks = useRef<HTMLElement>(null)
  const bids = useRef<HTMLElement>(null)
  useEffect(() => {
    const pick = (price: number) => {
      const { tick } = terminal.markets.grid.peek()
      terminal.ticket.takePrice(numberOnGrid(price, tick))
    }
    const above = new SideDrawing(asks.current!, 'ask', pick)
    const below = new SideDrawing(bids.current!, 'bid', pick)
    let rows = 0
    let frame = 0
    const draw = () => {
      frame = 0
      if (rows > 0) drawBook(terminal, above, below, rows)
    }
    const ask = () => {
      if (frame === 0) frame = requestAnimationFrame(draw)
    }
    const watched = new ResizeObserver(([entry]) => {
      rows = Math.min(rowsMax, Math.floor((entry?.contentRect.height ?? 0) / rowHeight))
      ask()
    })
    watched.observe(asks.current!)
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
  return { asks, bids }
}

export function BookPanel() {
  const terminal = useTerminal()
  const { asks, bids } = useBookDrawing(terminal)
  const { markets, live } = terminal
  const base = markets.market.value?.base_asset ?? ''
  const stale = live.stale.value || live.repairing.value
  return (
    <section class={`panel ${stale ? 'stale' : ''}`} aria-label="Order book">
      <div class="panel-head">
        <h2 class="tab">Book</h2>
        <span class="spacer" />
        {live.repairing.value && <span class="warn">repairing…</span>}
        <Grouping />
      </div>
      <div class="book-head" aria-hidden="true">
        <span>Price</span>
        <span class="num">Size ({base})</span>
        <span class="num">Sum</span>
      </div>
      <div class="book-sides">
        <section class="book-side asks" ref={asks} aria-label="Asks" />
        <Middle />
        <section class="book-side bids" ref={bids} aria-label="Bids" />
      </div>
    </section>
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
