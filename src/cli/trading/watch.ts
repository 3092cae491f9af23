// `openperp watch`: live book and trades of a market, and your own fills. On a terminal a screen
// that is redrawn; elsewhere lines, as text or JSON.

import type { Client } from '../../client/client.ts'
import type { Book } from '../../client/stream/book.ts'
import type { DataOf } from '../../client/stream/frames.ts'
import type { Stream } from '../../client/stream/stream.ts'
import { clientOf, endOf, replyTo, signerOptions } from '../connection.ts'
import { type Call, command } from '../frame/command.ts'
import { durationMs } from '../frame/duration.ts'
import { misused } from '../frame/exit-codes.ts'
import { keyIfAny } from '../key-source.ts'
import { MarketScreen } from './market-screen.ts'
import { remarkOf } from './standing.ts'

const depthDefault = '10'
const drawMs = 100

const options = {
  ...signerOptions,
  depth: { value: '<levels>', about: `levels per side (default: ${depthDefault})` },
  for: { value: '<duration>', about: 'end after this long: 10s, 5m' },
  count: { value: '<trades>', about: 'end after this many trades' },
} as const

type WatchCall = Call<typeof options>
type Trade = DataOf<'trades'>[number]
type Fill = DataOf<'account_trades'>[number]
type Market = Awaited<ReturnType<Client['getRisk']>>['markets'][number]

export const watch = command({
  name: 'watch',
  group: 'trading',
  summary: 'Follow the book and trades of a market, and your own fills',
  about:
    'On a terminal the screen is drawn in place; in a pipe every change is a line, with --json a ' +
    'JSON object of type book, trade, fill, status or gap. A market that is not plainly live ' +
    'says so, why, and what one can still do. A lost connection is made again. Ctrl-C ends it.',
  arguments: [{ name: 'symbol', about: 'market, such as BTC', required: true }],
  options,
  examples: [
    'openperp watch BTC',
    'openperp watch BTC --key alice --depth 15',
    'openperp watch ETH --json --for 1m | grep trade',
  ],
  async run(call) {
    const { values, words, environment } = call
    const symbol = words[0]!
    const depth = numberOf('--depth', values.depth ?? depthDefault, 50)
    const client = clientOf(call, keyIfAny(values, environment)?.key)
    // Unknown markets and missing exchanges are reported before waiting.
    await replyTo(call, client.getBook({ symbol, depth: 1 }))
    await follow(call, client, { symbol, depth })
    return null
  },
})

function numberOf(flag: string, text: string, most: number): number {
  const value = /^[1-9]\d{0,8}$/.test(text) ? Number.parseInt(text, 10) : 0
  if (value >= 1 && value <= most) return value
  throw misused(`${flag} ${text} is not a number from 1 to ${most}`)
}

type WatchOptions = Readonly<{ symbol: string; depth: number }>

async function follow(
  call: WatchCall,
  client: Client,
  { symbol, depth }: WatchOptions,
): Promise<void> {
  const { values, screen, signal } = call
  const most = values.count === undefined ? null : numberOf('--count', values.count, 1e9)
  const stream = client.stream()
  const shown = screen.isTerminal && !screen.json ? new MarketScreen(screen, symbol, depth) : null
  const lines = shown ?? new Lines(call)
  let trades = 0
  await new Promise<void>((done, fail) => {
    const refused = (error: Error) => fail(endOf(call, error))
    signal.addEventListener('abort', () => done())
    if (values.for !== undefined) setTimeout(done, durationMs(values.for)).unref()
    if (signal.aborted) done()
    stream.book(symbol, {
      changed: (book) => lines.book(book),
      gap: ({ reason }) => lines.gap(reason),
      refused,
    })
    stream.subscribe(
      'trades',
      { symbol },
      {
        frame: ({ data }) => {
          for (const trade of data) {
            lines.trade(trade)
            trades += 1
            if (trades === most) return done()
          }
        },
        refused,
      },
    )
    followStanding(client, stream, symbol, lines, refused)
    if (client.account !== null) followFills(stream, symbol, (fill) => lines.fill(fill), refused)
    if (shown !== null) shown.start(drawMs, () => stream.health())
  }).finally(() => {
    shown?.stop()
    stream.close()
  })
}

function followFills(
  stream: Stream,
  symbol: string,
  print: (fill: Fill) => void,
  refused: (error: Error) => void,
): void {
  const frame = ({ data }: Readonly<{ data: readonly Fill[] }>) => {
    for (const fill of data) if (fill.s === symbol) print(fill)
  }
  stream.subscribe('account_trades', {}, { frame, refused })
}

/** Status of the market, at the beginning and when it changes. The stream reports the change, and
 *  the age of the price is requested from the exchange. */
function followStanding(
  client: Client,
  stream: Stream,
  symbol: string,
  lines: Watcher,
  refused: (error: Error) => void,
): void {
  const ask = () =>
    client.getRisk({ symbol }).then(
      ({ markets }) => lines.standing(markets[0]!),
      // Requested again with the next change; the connection reports the error.
      () => undefined,
    )
  void ask()
  const frame = ({ data }: Readonly<{ data: readonly Readonly<{ symbol: string }>[] }>) => {
    if (data.some((row) => row.symbol === symbol)) void ask()
  }
  stream.subscribe('market_status', {}, { frame, refused })
}

/** An output: a screen, or lines. */
export type Watcher = Readonly<{
  book(book: Book): void
  trade(trade: Trade): void
  fill(fill: Fill): void
  gap(reason: string): void
  standing(market: Market): void
}>

class Lines implements Watcher {
  private readonly call: WatchCall
  private last = ''
  private remark: string | null = null

  constructor(call: WatchCall) {
    this.call = call
  }

  /** Only changes of the best prices and sizes, to limit the output. */
  book({ symbol, bids, asks, t }: Book): void {
    const [bid, ask] = [bids[0], asks[0]]
    const text = `${bid?.p} ${bid?.a} ${ask?.p} ${ask?.a}`
    if (text === this.last) return
    this.last = text
    const shown = (level: typeof bid) => (level === undefined ? '-' : `${level.a} @ ${level.p}`)
    this.print(
      { type: 'book', symbol, bid: bid ?? null, ask: ask ?? null, t },
      `book   ${symbol}  ${shown(bid)}  |  ${shown(ask)}`,
    )
  }

  trade({ h, s, a, p, side, tc, t }: Trade): void {
    const forced = tc === 'normal' ? '' : `  ${tc}`
    this.print(
      { type: 'trade', symbol: s, id: h, side, amount: a, price: p, cause: tc, t },
      `trade  ${s}  ${side}  ${a} @ ${p}${forced}`,
    )
  }

  fill({ h, i, s, a, p, f, n, te, ts, t }: Fill): void {
    const row = { id: h, order: i, kind: ts, amount: a, price: p, fee: f, pnl: n, role: te, t }
    this.print(
      { type: 'fill', symbol: s, ...row },
      `fill   ${s}  ${ts}  ${a} @ ${p}  order ${i}  fee ${f}  pnl ${n}`,
    )
  }

  gap(reason: string): void {
    this.print({ type: 'gap', reason }, `gap    ${reason}: the book was requested again`)
  }

  /** For a live market only that it is live again. */
  standing(market: Market): void {
    const { symbol, status, mode, price_state, price_age_ms } = market
    const remark = remarkOf(market)
    if (remark === null && this.remark === null) return
    this.remark = remark
    this.print(
      { type: 'status', symbol, status, mode, price_state, price_age_ms },
      `status ${remark ?? `${symbol} is live`}`,
    )
  }

  private print(row: Readonly<Record<string, unknown>>, text: string): void {
    this.call.screen.line(this.call.screen.json ? JSON.stringify(row) : text)
  }
}
