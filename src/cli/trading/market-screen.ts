// A market on a terminal: asks above, bids below, the last trades and your own fills next to them.
// Drawn at a fixed rate, regardless of the number of updates.

import type { Book, Level } from '../../client/stream/book.ts'
import type { Health } from '../../client/stream/connection.ts'
import type { DataOf } from '../../client/stream/frames.ts'
import type { Screen } from '../frame/screen.ts'
import { remarkOf } from './standing.ts'

type Trade = DataOf<'trades'>[number]
type Fill = DataOf<'account_trades'>[number]

const kept = 50
const bookWidth = 38

export class MarketScreen {
  private readonly screen: Screen
  private readonly symbol: string
  private readonly depth: number
  private readonly trades: string[] = []
  private readonly fills: string[] = []
  private current: Book | null = null
  private remark = ''
  private notice: string | null = null
  private timer: NodeJS.Timeout | null = null

  constructor(screen: Screen, symbol: string, depth: number) {
    this.screen = screen
    this.symbol = symbol
    this.depth = depth
  }

  start(everyMs: number, healthOf: () => Health): void {
    this.screen.enter()
    this.timer = setInterval(() => this.screen.redraw(this.lines(healthOf())), everyMs)
  }

  stop(): void {
    if (this.timer !== null) clearInterval(this.timer)
    this.screen.leave()
  }

  book(book: Book): void {
    this.current = book
    this.remark = ''
  }

  trade({ a, p, side, tc, t }: Trade): void {
    const colour = side === 'bid' ? 'green' : 'red'
    const forced = tc === 'normal' ? '' : ` ${tc}`
    const text = this.screen.paint(colour, `${p.padStart(12)} ${a.padStart(12)}`)
    put(this.trades, `${timeOf(t)} ${text}${forced}`)
  }

  fill({ i, a, p, f, n, ts, t }: Fill): void {
    put(this.fills, `${timeOf(t)} ${ts} ${a} @ ${p}, order ${i}, fee ${f}, pnl ${n}`)
  }

  standing(market: Parameters<typeof remarkOf>[0]): void {
    this.notice = remarkOf(market)
  }

  gap(reason: string): void {
    this.remark = reason
  }

  private lines({ state, latencyMs }: Health): readonly string[] {
    const delay = latencyMs === null ? '' : `, ${Math.round(latencyMs)} ms`
    const light = this.screen.paint(state === 'open' ? 'green' : 'yellow', `● ${state}${delay}`)
    const head = `${this.screen.paint('bold', this.symbol)}  ${light}  ${this.remark}`
    const left = this.bookLines()
    const right = ['last trades', ...this.trades]
    const rows = left.map(({ text, width }, at) => {
      const gap = ' '.repeat(Math.max(1, bookWidth - width))
      return `${text}${gap}${right[at] ?? ''}`
    })
    const own = this.fills.length === 0 ? [] : ['', 'your fills', ...this.fills.slice(0, 5)]
    const notice = this.notice === null ? [] : [this.screen.paint('yellow', this.notice)]
    return [head, ...notice, '', ...rows, ...own]
  }

  private bookLines(): readonly Readonly<{ text: string; width: number }>[] {
    const { depth, current } = this
    const plain = (text: string) => ({ text, width: text.length })
    const head = plain(`${'price'.padStart(12)} ${'size'.padStart(14)}`)
    if (current === null) return [head, plain('waiting for the book')]
    const level = (colour: 'red' | 'green') => (each: Level) => {
      const text = `${each.p.padStart(12)} ${each.a.padStart(14)}`
      return { text: this.screen.paint(colour, text), width: text.length }
    }
    const asks = current.asks.slice(0, depth).reverse().map(level('red'))
    const bids = current.bids.slice(0, depth).map(level('green'))
    return [head, ...asks, plain('-'.repeat(27)), ...bids]
  }
}

function put(list: string[], text: string): void {
  list.unshift(text)
  if (list.length > kept) list.pop()
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString().slice(11, 19)
}
