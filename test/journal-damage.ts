// `npm run torture:journal -- --rounds 10000`: random damage to the files of small exchanges. Fails
// when one of them gives a state that was never acknowledged, or loses one that was. `--seed N`
// draws other histories.

import { runDamageRounds } from './support/damage-rounds.ts'

function numberOf(flag: string, otherwise: number): number {
  const at = process.argv.indexOf(flag)
  const value = at < 0 ? otherwise : Number.parseInt(process.argv[at + 1] ?? '', 10)
  if (!Number.isSafeInteger(value) || value < 1) throw new Error(`${flag}: not a number above 0`)
  return value
}

const rounds = numberOf('--rounds', 10_000)
const seed = numberOf('--seed', 1)
const { refused, harmless, cut, wrong } = await runDamageRounds(rounds, seed)
console.log(`${rounds} damages, seed ${seed}: ${refused} refused, ${harmless} without effect,`)
console.log(`${cut} clean cuts of what nobody was told, ${wrong.length} wrong`)
for (const what of wrong.slice(0, 20)) console.error(`wrong: ${what}`)
if (wrong.length > 0) process.exitCode = 1
