// Simulated history for the charts of a new sandbox, by the same simulation that makes its prices
// from then on. The simulation runs from the price of the listing and is reversed in time, so that
// it ends where the market begins. It includes trades of takers. It depends on the seed, the market
// and the last minute alone, so that generating it again after a crash gives the same result.

import type { CommandOf, ExchangeView, MarketView } from '../core/index.ts'
import { type PastBar, pastBarsMax, pastText } from '../sequencer/past-bars.ts'
import { divFloor, mulDivFloor, roundHalfUp } from '../units/rounding.ts'
import { MICRO_PER_DOLLAR, MICRO_PER_TICK, PPM } from '../units/units.ts'
import { percentOfDepth } from './bots/taker.ts'
import { type SourceExchange, submitChecked } from './exchange-port.ts'
import { PriceSimulation } from './prices/price-simulation.ts'
import { RandomStream } from './random.ts'
import { type Character, characterOf, sandboxListings } from './sandbox-markets.ts'
import { type PastNote, pastIn, pastNote } from './sandbox-notes.ts'

const minuteMs = 60_000
/** Prices per minute, as many as in an advance. */
const stepsPerMinute = 20
/** Trades per minute: at least this many, and at most twice as many. */
const tradesMin = 4

/** Writes the missing simulated history that a note records, if any. */
export async function writePast(
  exchange: SourceExchange,
  seed: string,
  stopped: () => boolean,
): Promise<void> {
  const past = pastIn(exchange.view.notes)
  if (past === null) return
  for (const command of pastCommands(exchange.view, past, seed)) {
    // Requests that wait for an answer come first.
    await new Promise((next) => setImmediate(next))
    if (stopped()) return
    await submitChecked(exchange, command)
  }
  await submitChecked(exchange, pastNote(null))
}

/** For every initial market; markets that were listed later have no simulated history. */
export function* pastCommands(
  view: ExchangeView,
  { minutes, endMs }: PastNote,
  seed: string,
): Generator<CommandOf<'TellPast'>> {
  for (const { params, oracle: price } of sandboxListings) {
    const market = view.markets.named(params.symbol)
    if (market === undefined) continue
    const character = characterOf(params.symbol)
    for (const bars of pastOf({ market, character, price, seed, endMs, minutes }))
      yield { type: 'TellPast', market: market.id, bars: pastText(bars) }
  }
}

export type PastWish = Readonly<{
  market: Pick<MarketView, 'params' | 'unitValue'>
  character: Character
  /** Last price of the past, in millionths of a tick. */
  price: number
  seed: string
  /** The first millisecond after the past, on a minute. */
  endMs: number
  minutes: number
}>

/** Oldest first, in pieces that fit a command. */
export function* pastOf(wish: PastWish): Generator<readonly PastBar[]> {
  const { minutes, endMs } = wish
  const oracles = oraclesOf(wish)
  const random = new RandomStream(`${wish.seed} past trades ${wish.market.params.symbol}`)
  let last = 0
  let piece: PastBar[] = []
  for (let minute = 0; minute < minutes; minute++) {
    const from = minute * stepsPerMinute
    const prices = oracles.slice(from, from + stepsPerMinute)
    const bar = barOf(wish, prices, random, last)
    last = bar.last
    piece.push({ ...bar, start: endMs - (minutes - minute) * minuteMs })
    if (piece.length < pastBarsMax && minute + 1 < minutes) continue
    yield piece
    piece = []
  }
}

function oraclesOf({ market, character, price, seed, endMs, minutes }: PastWish): number[] {
  const { symbol } = market.params
  const { volatilityPpm } = character
  const backwards = new PriceSimulation(`${seed} past ${symbol} ${endMs}`, volatilityPpm, price, 0)
  const stepMs = minuteMs / stepsPerMinute
  const oracles = Array.from({ length: minutes * stepsPerMinute }, (_, step) =>
    backwards.priceAt((step + 1) * stepMs),
  )
  return oracles.reverse()
}

function barOf(
  wish: PastWish,
  oracles: readonly number[],
  random: RandomStream,
  last: number,
): Omit<PastBar, 'start'> {
  const marks = oracles.map((oracle) => roundHalfUp(oracle, MICRO_PER_TICK))
  return {
    ...tradesOf(wish, marks, random, last),
    oracle: oracles.at(-1)!,
    mark: marks.at(-1)!,
    markFirst: marks[0]!,
    markHigh: Math.max(...marks),
    markLow: Math.min(...marks),
  }
}

type Trades = Pick<PastBar, 'volume' | 'lots' | 'trades' | 'first' | 'high' | 'low' | 'last'>

function tradesOf(
  { market, character }: PastWish,
  marks: readonly number[],
  random: RandomStream,
  last: number,
): Trades {
  const bar: Trades = { volume: 0, lots: 0, trades: 0, first: 0, high: 0, low: 0, last }
  const count = tradesMin + random.below(tradesMin + 1)
  for (let trade = 0; trade < count; trade++) {
    const mark = marks[divFloor(trade * marks.length, count)]!
    const away = mulDivFloor(mark, character.spreadPpm, PPM)
    const price = Math.max(1, random.oneIn(2) ? mark + away : mark - away)
    const dollars = divFloor(character.depthDollars * percentOfDepth(random), 100)
    const lotValue = price * market.unitValue
    const lots = Math.max(1, divFloor(dollars * MICRO_PER_DOLLAR, lotValue))
    bar.volume += lots * lotValue
    bar.lots += lots
    bar.trades += 1
    bar.first = bar.first === 0 ? price : bar.first
    bar.high = Math.max(bar.high, price)
    bar.low = bar.low === 0 ? price : Math.min(bar.low, price)
    bar.last = price
  }
  return bar
}
