// Random histories through the core alone, for properties of what reads it. Before each command the
// exchange is brought to rest, so that the next command meets exactly the state a reader saw.

import type { Command } from '../../src/core/commands/commands.ts'
import { apply, createState, EventLog, type State } from '../../src/core/engine.ts'
import type { Event } from '../../src/core/events/event-fields.ts'
import type { TimeMs } from '../../src/units/units.ts'
import { Generator } from '../programs/differential/generator.ts'

export type Moment = Readonly<{
  state: State
  /** What comes next; without proof, so that only the rules can refuse it. */
  command: Command
  atMs: number
}>

/** Calls `look` before each command; what it gives back is called with the command's events. */
export function throughWorld(
  seed: number,
  commands: number,
  look: (moment: Moment) => ((events: readonly Event[]) => void) | undefined,
): void {
  const generator = new Generator(seed, commands)
  const state = createState(generator.world.genesis)
  const log = new EventLog()
  const run = (command: Command, atMs: number): readonly Event[] => {
    log.clear()
    apply(state, { seq: state.seq + 1, atMs: atMs as TimeMs, command }, log)
    return log.readAll()
  }
  for (let count = 0; count < commands; count++) {
    const { atMs, command: drawn } = generator.next()
    const before = [...run({ type: 'Tick' }, atMs)]
    while (isRestless(state)) before.push(...run({ type: 'Tick' }, atMs))
    const command = ('proof' in drawn ? { ...drawn, proof: null } : drawn) as Command
    const compare = look({ state, command, atMs })
    const events = run(command, atMs)
    generator.learn([...before, ...events])
    compare?.(events)
  }
}

function isRestless(state: State): boolean {
  return state.openPools !== 0 || state.waiting.count !== 0
}
