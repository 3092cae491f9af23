// Moves engine time forward without a jump (ADR 11): oracle ticks for every market on a grid of
// three seconds, a command at each queued due instant, the bots once a minute. Many steps are
// submitted at once; a stretch ends where a decision needs the state, and is durable before the
// next one begins. Where stretches end depends on engine time and state only, so that a walk
// repeats exactly. Others' commands come in between, at the time the walk has reached.

import type { Command } from '../core/commands.ts'
import { nextQueuedAt } from '../core/due-work.ts'
import { SequencerStopped } from '../sequencer/sequencer.ts'
import { divFloor } from '../units/rounding.ts'
import { type Bots, coarseStepMs } from './bots/bots.ts'
import type { SandboxClock } from './clock.ts'
import type { SourceExchange } from './exchange-port.ts'
import type { Oracle } from './prices/oracle.ts'

export const walkStepMs = 3_000
/** Commands on the way at once, about. */
const inFlightMax = 256

export type WalkParts = Readonly<{
  exchange: SourceExchange
  clock: SandboxClock
  oracle: Oracle
  bots: Bots
  botsRunning: () => boolean
  /** The exchange is closing, and a long walk would keep it from that. */
  stopped?: () => boolean
}>

/** The clock must be held, and ends at the target, held. */
export async function walkTo(parts: WalkParts, target: number): Promise<void> {
  const { clock, exchange } = parts
  let at = clock.now()
  // What is due at once runs with the next command.
  if (at < target && nextQueuedAt(exchange.state) <= at)
    await submitAt(parts, at, [{ type: 'Tick' }])
  while (at < target) {
    if (parts.stopped?.()) throw new SequencerStopped('the exchange is stopping')
    const stop = stretchEnd(parts, at, target)
    await Promise.all(stretch(parts, at, stop))
    at = stop
    if (parts.botsRunning() && at % coarseStepMs === 0) await runBots(parts, at)
  }
}

function stretchEnd({ exchange, botsRunning }: WalkParts, at: number, target: number): number {
  const { state } = exchange
  const steps = Math.max(1, divFloor(inFlightMax, Math.max(1, state.markets.length - 1)))
  const due = nextQueuedAt(state)
  return Math.min(
    target,
    after(at, walkStepMs) + (steps - 1) * walkStepMs,
    botsRunning() ? after(at, coarseStepMs) : Number.POSITIVE_INFINITY,
    // One that a command in between has brought may be due at once.
    due > at ? due : at + walkStepMs,
  )
}

/** The next multiple. */
function after(at: number, period: number): number {
  return (divFloor(at, period) + 1) * period
}

/** The ticks of the grid after `from` up to `to`, and a command at `to` itself. */
function stretch(parts: WalkParts, from: number, to: number): Promise<void>[] {
  const { exchange, oracle } = parts
  const steps: Promise<void>[] = []
  for (let at = after(from, walkStepMs); at <= to; at += walkStepMs)
    steps.push(submitAt(parts, at, oracle.ticksAt(exchange.state, at)))
  if (to % walkStepMs !== 0) steps.push(submitAt(parts, to, [{ type: 'Tick' }]))
  return steps
}

async function runBots(parts: WalkParts, at: number): Promise<void> {
  const { exchange, bots } = parts
  const { state } = exchange
  const commands: Command[] = []
  for (const market of state.markets)
    if (market !== undefined) commands.push(...bots.turn(state, market, at, 'coarse'))
  await submitAt(parts, at, commands)
}

/** No command at all would let time stand: then a bare tick takes their place. */
async function submitAt(
  { exchange, clock }: WalkParts,
  at: number,
  commands: readonly Command[],
): Promise<void> {
  clock.holdAt(at)
  const wanted: readonly Command[] = commands.length === 0 ? [{ type: 'Tick' }] : commands
  const outcomes = await Promise.all(wanted.map((command) => exchange.submit(command)))
  for (const { atMs } of outcomes)
    if (atMs !== at) throw new Error(`a step of the walk to ${at} was stamped ${atMs}`)
}
