// The trade tape. As in the order book, rows are created once and updated once per frame.

import { useEffect, useRef } from 'preact/hooks'
import type { TapeRow } from '../../model/market/tape.ts'
import { amountText, clockText, fixed } from '../../model/number-text.ts'
import type { Terminal } from '../../model/terminal.ts'
import { useTerminal } from '../use-terminal.ts'

const rowHeight = 18
const noRow = -1

type Drawn = { node: HTMLElement; texts: Text[]; id: number }

function newRow(box: HTMLElement): Drawn {
  const node = document.createElement('div')
  node.className = 'tape-row'
  const texts = [0, 1, 2].map(() =>
    node.appendChild(document.createElement('span')).appendChild(document.createTextNode('')),
  )
  box.appendChild(node)
  return { node, texts, id: noRow }
}

function write(drawn: Drawn, row: TapeRow | undefined, places: readonly [number, number]): void {
  const id = row?.id ?? noRow
  if (drawn.id === id) return
  drawn.id = id
  if (row === undefined) {
    for (const text of drawn.texts) text.data = ''
    return
  }
  const [price, size, time] = drawn.texts
  price!.data = fixed(row.price, places[0])
  size!.data = amountText(row.size, places[1])
  time!.data = clockText(row.at)
  price!.parentElement!.className = row.buys ? 'up' : 'down'
  drawn.node.title = row.forced ? 'by force: a liquidation' : ''
}

function useTapeDrawing(terminal: Terminal) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { live, markets } = terminal
    const drawn: Drawn[] = []
    let wanted = 0
    let frame = 0
    const draw = () => {
      frame = 0
      while (drawn.length < wanted) drawn.push(newRow(box.current!))
      const { tickPlaces, lotPlaces } = markets.grid.peek()
      drawn.forEach((each, at) => {
        write(each, live.tape.rows[at], [tickPlaces, lotPlaces])
      })
    }
    const ask = () => {
      if (frame === 0) frame = requestAnimationFrame(draw)
    }
    const watched = new ResizeObserver(([entry]) => {
      wanted = Math.min(100, Math.ceil((entry?.contentRect.height ?? 0) / rowHeight))
      ask()
    })
    watched.observe(box.current!)
    const unfollow = live.tape.onChange(ask)
    return () => {
      watched.disconnect()
      unfollow()
      cancelAnimationFrame(frame)
    }
  }, [terminal])
  return box
}

export function TapePanel() {
  const terminal = useTerminal()
  const box = useTapeDrawing(terminal)
  return (
    <section class={`panel ${terminal.live.stale.value ? 'stale' : ''}`} aria-label="Trades">
      <div class="book-head" aria-hidden="true">
        <span>Trades</span>
        <span class="num">Size</span>
        <span class="num">Time</span>
      </div>
      <div class="tape-rows" ref={box} />
    </section>
  )
}
