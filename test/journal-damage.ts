import { runDamageRounds } from './support/damage-rounds.ts'
import { number } from './support/program/options.ts'
import { programOptions } from './support/program/program.ts'

const { rounds, seed } = programOptions({
  name: 'torture/journal',
  about:
    'Random damage to the files of small exchanges. Exits with code 1 if one of them recovers ' +
    'to a state that was never acknowledged, or loses an acknowledged one.',
  options: { rounds: number(10_000, 'damages'), seed: number(1, 'of the histories and damages') },
})
const { refused, harmless, cut, wrong } = await runDamageRounds(rounds, seed)
console.log(`${rounds} damages, seed ${seed}: ${refused} refused, ${harmless} without effect,`)
console.log(`${cut} clean cuts of unacknowledged entries, ${wrong.length} wrong`)
for (const what of wrong.slice(0, 20)) console.error(`wrong: ${what}`)
if (wrong.length > 0) process.exitCode = 1
