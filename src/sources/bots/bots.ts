// The bots: their actions on one market at one instant, as commands in order. They depend only on
// engine time, the state and a random stream per market, so that a run is repeatable.

import type {
  AccountId,
  Command,
  ExchangeView,
  Holding,
  MarketId,
  MarketView,
  Offer,
} from '../../core/index.ts'
import { divFloor } from '../../units/rounding.ts'
import type { Quote } from '../../units/units.ts'
import { stepMs } from '../prices/price-simulation.ts'
import { RandomStream } from '../random.ts'
import { type Character, characterOf } from '../sandbox-markets.ts'
import { accountOf, allBots, makers, refills, takers } from './bot-accounts.ts'
import { commandsOf, type Moves, makerMoves } from './maker.ts'
import { marketOrder, moodPpmMax, sweep } from './taker.ts'

/** `live`: each market has a turn once per second. `coarse`, during an advance: once per minute. */
export type Pace = 'live' | 'coarse'
export const coarseStepMs = 60_000
const liveStepMs = 1_000
/** Number of beats in which each market gets one turn. */
const beatsPerTurn = 4
const minuteMs = 60_000
/** Maximum number of orders of bots that are skipped to find an order of another account. */
const looksMax = 200
/** One market order in this many live turns. A coarse turn has one to three. */
const liveTakeOneIn = 4
const isolatedLeverage = 3
const moodOneIn = { live: 600, coarse: 10 } as const

type Temper = { random: RandomStream; moodPpm: number }
type TemperMemory = Readonly<{ market: number; random: string; moodPpm: number }>
export type BotsMemory = Readonly<{ minute: number; tempers: readonly TemperMemory[] }>

type Turn = Readonly<{
  view: ExchangeView
  market: MarketView
  character: Character
  atMs: number
  pace: Pace
  temper: Temper
  othersBid: Offer | null
  othersAsk: Offer | null
}>

export class Bots {
  private readonly seed: string
  private readonly tempers = new Map<number, Temper>()
  /** The newest minute in which the bots' money was checked. */
  private minute = 0

  constructor(seed: string) {
    this.seed = seed
  }

  /** Live actions on the markets that have a turn in this beat. */
  beat(view: ExchangeView, atMs: number): Command[] {
    const beat = divFloor(atMs, stepMs) % beatsPerTurn
    return view.markets
      .all()
      .filter(({ id }) => id % beatsPerTurn === beat)
      .flatMap((market) => this.turn(view, market, atMs, 'live'))
  }

  /** Actions on this market now. */
  turn(view: ExchangeView, market: MarketView, atMs: number, pace: Pace): Command[] {
    if (!market.trades || accountOf(view, makers[0]!) === 0) return []
    const bots = new Set(allBots.map((bot) => accountOf(view, bot)))
    const turn: Turn = {
      view,
      market,
      character: characterOf(market.params.symbol),
      atMs,
      pace,
      temper: this.temperOf(market),
      othersBid: view.books.bestOffer(market.id, 'bid', bots, looksMax),
      othersAsk: view.books.bestOffer(market.id, 'ask', bots, looksMax),
    }
    return [...this.moneyMoves(turn), ...makerCommands(turn), ...takerCommands(turn)]
  }

  save(): BotsMemory {
    const tempers = [...this.tempers]
      .sort(([one], [other]) => one - other)
      .map(([market, { random, moodPpm }]) => ({ market, random: random.save(), moodPpm }))
    return { minute: this.minute, tempers }
  }

  restore({ minute, tempers }: BotsMemory): void {
    this.minute = minute
    this.tempers.clear()
    for (const { market, random, moodPpm } of tempers)
      this.tempers.set(market, { random: RandomStream.restored(random), moodPpm })
  }

  private moneyMoves({ view, market, atMs }: Turn): Command[] {
    const commands: Command[] = walletMoves(view, market)
    const minute = divFloor(atMs, minuteMs)
    if (minute === this.minute) return commands
    this.minute = minute
    return [...commands, ...refills(view)]
  }

  private temperOf(market: MarketView): Temper {
    const known = this.tempers.get(market.id)
    if (known !== undefined) return known
    const temper = {
      random: new RandomStream(`${this.seed} bots ${market.params.symbol}`),
      moodPpm: 0,
    }
    this.tempers.set(market.id, temper)
    return temper
  }
}

function makerCommands({
  view,
  market,
  character,
  atMs,
  pace,
  temper,
  ...others
}: Turn): Command[] {
  const moves: Moves[] = []
  for (const [maker, bot] of makers.entries()) {
    // In live mode the makers alternate, which halves the work and makes the book move in two
    // steps.
    if (pace === 'live' && divFloor(atMs, liveStepMs) % makers.length !== maker) continue
    const account = accountOf(view, bot)
    const stand = {
      market,
      character,
      maker,
      lots: view.positions.lotsOf(account, market.id),
      othersBid: others.othersBid?.price ?? 0,
      othersAsk: others.othersAsk?.price ?? 0,
    }
    moves.push(makerMoves(view, stand, account, temper.random))
  }
  const most = view.ruleLimits.batchActionsEach
  return [
    ...moves.flatMap(({ retreats }) => commandsOf(retreats, most)),
    ...moves.flatMap(({ advances }) => commandsOf(advances, most)),
  ]
}

function takerCommands(turn: Turn): Command[] {
  const { view, market, character, pace, temper } = turn
  const { random } = temper
  if (random.oneIn(moodOneIn[pace])) temper.moodPpm = random.below(2 * moodPpmMax + 1) - moodPpmMax
  const first = { view, market, character, account: accountOf(view, takers[0]!) }
  const commands = [
    sweep(first, turn.othersAsk, 'bid'),
    sweep(first, turn.othersBid, 'ask'),
  ].filter((command) => command !== null)
  const count = pace === 'coarse' ? 1 + random.below(3) : random.oneIn(liveTakeOneIn) ? 1 : 0
  for (let time = 0; time < count; time++) {
    const account = accountOf(view, takers[random.below(takers.length)]!)
    commands.push(marketOrder({ view, market, character, account }, temper.moodPpm, random))
  }
  return commands
}

/** Leverage and margin of bots on an isolated-only market. Bots use little leverage, and fully fund
 *  a position worth less than half its value, so that it is not liquidated and can be increased. */
function walletMoves(view: ExchangeView, market: MarketView): Command[] {
  if (!market.params.isolatedOnly) return []
  return allBots.flatMap((bot) => {
    const account = accountOf(view, bot)
    const named = { account, proof: null, market: market.id }
    const held = view.positions.holdingOf(account, market.id)
    if (held !== null) return fillUp(market, held, named)
    const leverage = Math.min(isolatedLeverage, market.params.leverageMax)
    if (view.positions.leverageSet(account, market.id) === leverage) return []
    return [{ type: 'SetLeverage' as const, ...named, leverage }]
  })
}

type Named = Readonly<{ account: AccountId; proof: null; market: MarketId }>

function fillUp(market: MarketView, { lots, cost, wallet }: Holding, named: Named): Command[] {
  const value = lots * market.lotValue
  const worth = wallet + value - cost
  const lacking = Math.abs(value) - worth
  if (lacking * 2 <= Math.abs(value)) return []
  return [{ type: 'MoveIsolatedMargin', ...named, amount: lacking as Quote }]
}
