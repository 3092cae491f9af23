// The random histories of every day, once both engines have agreed on them.

import type { Sequenced } from '../../../src/core/commands/commands.ts'
import type { Genesis } from '../../../src/core/state/genesis.ts'
import { Coverage } from '../differential/coverage.ts'
import { everydayWorlds, runWorld } from '../differential/run-world.ts'
import { crashed, crashSeeds } from '../histories/crash.ts'
import { genesisOf } from '../scene.ts'

export type History = Readonly<{ genesis: Genesis; commands: readonly Sequenced[] }>

export function* agreedHistories(): Generator<History> {
  for (const seed of crashSeeds) {
    const { scene, tiers } = crashed(seed)
    yield { genesis: genesisOf(tiers), commands: scene.history }
  }
  for (const world of everydayWorlds) {
    const { genesis, history, failure } = runWorld(world, new Coverage())
    if (failure !== null) throw new Error(`world ${world.seed} fails without any fault`)
    const commands = history.map((step, at) => ({ ...step, seq: at + 1 }) as Sequenced)
    yield { genesis, commands }
  }
}
