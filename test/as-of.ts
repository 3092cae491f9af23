import { type EventType, eventTypes } from '../src/core/events/event-fields.ts'
import { AsOfWorld } from './support/as-of/as-of-world.ts'
import { checkExplanations } from './support/as-of/check-explanations.ts'
import { number } from './support/program/options.ts'
import { programOptions } from './support/program/program.ts'

const wanted = 100
/** Each reads a journal repeatedly. */
const explainedEvery = 10

const { seeds, first, commands } = programOptions({
  name: 'as-of',
  about:
    'Random worlds, in batches of 1 to 256 commands, through the feeds, the history and the ' +
    "explanations: every number that they publish is the core's at its seq. Exits with code 1 " +
    'at the first that is not, and if a kind of event occurred less than 100 times in 200 ' +
    'worlds.',
  options: {
    seeds: number(200, 'worlds'),
    first: number(1, 'seed of the first world'),
    commands: number(2_500, 'commands of a world'),
  },
})
const counts = new Map<EventType, number>(eventTypes.map((type) => [type, 0]))
let explained = 0
for (let seed = first; seed < first + seeds; seed++) {
  try {
    await new AsOfWorld(seed, commands).run(commands, (events) => {
      for (const { type } of events) counts.set(type, counts.get(type)! + 1)
    })
    if (seed % explainedEvery !== 0) continue
    const found = await checkExplanations(seed, { commands: 400, batch: 16, most: 8 })
    explained += Object.values(found).reduce((sum, count) => sum + count, 0)
  } catch (error) {
    console.error(`world ${seed}`)
    throw error
  }
}
for (const [type, count] of [...counts].sort((one, other) => one[1] - other[1]))
  console.log(`${`${count}`.padStart(9)} ${type}`)
console.log(`${seeds} worlds of ${commands} commands, ${explained} explanations, no difference`)
const rare = eventTypes.filter((type) => counts.get(type)! < wanted)
if (rare.length > 0 && seeds >= 200) {
  console.error(`too rare (wanted ${wanted}): ${rare.join(', ')}`)
  process.exitCode = 1
}
