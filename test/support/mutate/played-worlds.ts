// The random worlds of every day, once both engines have agreed on them.

import type { Sequenced } from '../../../src/core/commands/commands.ts'
import { Coverage } from '../../programs/differential/coverage/coverage.ts'
import { everydayWorlds, runWorld } from '../../programs/differential/run-world.ts'
import type { History } from './answers.ts'

export function* playedWorlds(): Generator<History> {
  for (const world of everydayWorlds) {
    const { genesis, history, failure } = runWorld(world, new Coverage())
    if (failure !== null) throw new Error(`world ${world.seed} fails without any fault`)
    const commands = history.map((step, at) => ({ ...step, seq: at + 1 }) as Sequenced)
    yield { genesis, commands }
  }
}
