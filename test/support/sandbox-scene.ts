// A whole sandbox on the real core, with a wall clock moved by hand.

import { SandboxClock } from '../../src/sources/clock.ts'
import { SandboxSources } from '../../src/sources/sandbox.ts'
import { standardGenesis } from '../../src/sources/sandbox-markets.ts'
import type { SavedSnapshot } from '../../src/sources/sandbox-snapshots.ts'
import { Waker } from '../../src/sources/waker.ts'
import { ManualTime } from './manual-time.ts'
import { MemorySequencer } from './memory-sequencer.ts'

/** Twenty to ten in the morning, on no round number of anything. */
export const sceneStartMs = 1_750_066_842_137

export type SandboxScene = Readonly<{
  time: ManualTime
  clock: SandboxClock
  exchange: MemorySequencer
  waker: Waker
  sandbox: SandboxSources
}>

type Restart = Readonly<{ exchange: MemorySequencer; snapshots: readonly SavedSnapshot[] }>

export function sandboxScene(
  seed: string,
  wallMs = sceneStartMs,
  restart?: Restart,
  pastMinutes = 0,
  cadenceMs: number | null = null,
): SandboxScene {
  const time = new ManualTime(wallMs)
  const fault = (error: unknown) => {
    throw error
  }
  let clock: SandboxClock
  const exchange = restart?.exchange ?? new MemorySequencer(standardGenesis, () => clock)
  const { atMs, clockFrozen } = exchange.state
  clock = new SandboxClock(time.wall, atMs, clockFrozen)
  exchange.clock = () => clock
  if (restart !== undefined) clock.holdFrom(atMs)
  const { timers } = time
  const waker = new Waker({ exchange, clock, fault, timers })
  exchange.onBatch = () => waker.rearm()
  const sandbox = new SandboxSources({
    exchange,
    clock,
    seed,
    fault,
    timers,
    clockMoved: () => waker.rearm(),
    ...(restart === undefined ? {} : { snapshots: restart.snapshots }),
    pastMinutes,
    cadenceMs,
  })
  return { time, clock, exchange, waker, sandbox }
}
