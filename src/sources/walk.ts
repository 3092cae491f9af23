// Advances engine time without a jump (ADR 11). A walk consists of:
// - oracle ticks for every market on a grid of three seconds or less, and immediately where a price
//   has moved;
// - a command at each instant at which queued work is due;
// - the bots, once per minute.
//
// Many steps are submitted together. A stretch of steps ends where a decision needs the state, and
// is durable before the next stretch begins. Work that its commands left unfinished is completed
// before time continues. The ends of stretches depend only on engine time and state, so that a walk
// repeats exactly. Commands of clients are executed in between, at the time that the walk has
// reached.

import type { Command, ExchangeView } from '../core/index.ts'
import { SequencerStopped } from '../sequencer/not-taken.ts'
import { divFloor } from '../units/rounding.ts'
import { type Bots, coarseStepMs } from './bots/bots.ts'
import type { SandboxClock } from './clock.ts'
import type { SourceExchange } from './exchange-port.ts'
import type { Oracle } from './prices/oracle.ts'
import { stepMs } from './prices/price-simulation.ts'
import { tickEveryMs } from './prices/tick-times.ts'

export const walkStepMs = 3_000
/** Approximate maximum number of submitted commands that are not applied yet. */
const inFlightMax = 256

export type WalkParts = Readonly<{
  exchange: Pick<SourceExchange, 'view' | 'submit'>
  clock: Pick<SandboxClock, 'now' | 'holdAt'>
  oracle: Oracle
  bots: Bots
  botsRunning: () => boolean
  /** Whether the exchange is closing, which a long walk would delay. */
  stopped?: () => boolean
}>

/** Commands of one instant. `ends`: the next step depends on the state after these commands. */
export type Step = Readonly<{ at: number; commands: readonly Command[]; ends: boolean }>

export type StepParts = Readonly<{
  exchange: Readonly<{ view: ExchangeView }>
  oracle: Oracle
  bots: Bots
  botsRunning: () => boolean
}>

/** Walks to the target time. The clock must be frozen, and is frozen at the target afterwards. */
export async function walkTo(parts: WalkParts, target: number): Promise<void> {
  let underWay: Promise<void>[] = []
  for (const step of stepsBetween(parts, parts.clock.now(), target)) {
    underWay.push(submitAt(parts, step))
    if (!step.ends) continue
    await Promise.all(underWay)
    underWay = []
    if (parts.stopped?.()) throw new SequencerStopped('the exchange is stopping')
  }
}

/** The next time after `now` at which something happens by itself: a price, or work that is due. */
export function nextStepAt(view: ExchangeView, now: number): number {
  const price = Math.min(...[walkStepMs, ...periodsOf(view)].map((period) => after(now, period)))
  const due = view.nextQueuedAt()
  return due > now ? Math.min(due, price) : price
}

/** Yields the steps in order. Each step must be submitted before the next is requested. A step that
 *  ends a stretch must also be applied. */
export function* stepsBetween(parts: StepParts, from: number, target: number): Generator<Step> {
  const { exchange, bots } = parts
  let at = from
  // Work that is due immediately runs with the next command.
  if (at < target && exchange.view.nextQueuedAt() <= at) yield bareTick(at)
  while (at < target) {
    const stop = stretchEnd(parts, at, target)
    yield* stretch(parts, at, stop)
    at = stop
    while (exchange.view.hasWorkLeft) yield bareTick(at)
    if (!parts.botsRunning() || at % coarseStepMs !== 0) continue
    const { view } = exchange
    const commands = view.markets.all().flatMap((market) => bots.turn(view, market, at, 'coarse'))
    if (commands.length > 0) yield { at, commands, ends: true }
  }
}

function bareTick(at: number): Step {
  return { at, commands: [{ type: 'Tick' }], ends: true }
}

function stretchEnd({ exchange, botsRunning }: StepParts, at: number, target: number): number {
  const { view } = exchange
  const steps = Math.max(1, divFloor(inFlightMax, Math.max(1, view.markets.count)))
  const period = Math.min(walkStepMs, ...periodsOf(view))
  const due = view.nextQueuedAt()
  return Math.min(
    target,
    after(at, period) + (steps - 1) * period,
    botsRunning() ? after(at, coarseStepMs) : Number.POSITIVE_INFINITY,
    // A command of a client may have added work that is due immediately.
    due > at ? due : at + walkStepMs,
  )
}

/** Tick intervals of the markets' prices, from shortest to longest. */
function periodsOf(view: ExchangeView): number[] {
  const open = view.markets.all().filter(({ settled }) => !settled)
  return [...new Set(open.map(({ params }) => tickEveryMs(params)))]
}

/** Next multiple of the period after `at`. */
function after(at: number, period: number): number {
  return (divFloor(at, period) + 1) * period
}

/** Yields the ticks of the grid after `from` up to `to`, and a command at `to` itself. If there is
 *  no command, a bare tick is inserted, because time only advances with commands. */
function* stretch({ exchange, oracle }: StepParts, from: number, to: number): Generator<Step> {
  const periods = [stepMs, ...periodsOf(exchange.view)]
  const next = (at: number) => Math.min(...periods.map((period) => after(at, period)))
  let reached = from
  for (let at = next(from); at <= to; at = next(at)) {
    const ticks = oracle.dueTicksAt(exchange.view, at)
    if (ticks.length === 0 && at % walkStepMs !== 0) continue
    reached = at
    yield { at, commands: ticks.length === 0 ? [{ type: 'Tick' }] : ticks, ends: at === to }
  }
  if (reached !== to) yield bareTick(to)
}

async function submitAt({ exchange, clock }: WalkParts, { at, commands }: Step): Promise<void> {
  clock.holdAt(at)
  const outcomes = await Promise.all(commands.map((command) => exchange.submit(command)))
  for (const { atMs } of outcomes)
    if (atMs !== at) throw new Error(`a step of the walk to ${at} was stamped ${atMs}`)
}
