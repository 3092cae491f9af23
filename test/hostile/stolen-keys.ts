// `npm run stolen-keys -- --searches 1000 [--seed N] [--turns 200] [--plot TEXT]`: a thief has a
// key with a policy, and a friend to trade with. Searches for one that costs its owner more than
// docs/api/keys.md says, and ends with exit code 1 when it finds one.

import { searchThefts } from '../support/adversary/stolen/search-thefts.ts'
import { playStolen, takesTooMuch } from '../support/adversary/stolen/stolen-world.ts'
import { plotOf } from '../support/adversary/stolen/theft.ts'
import { ownEdition as edition } from '../support/venue/edition.ts'

const flags = process.argv.slice(2)
const textFlag = (name: string) => {
  const at = flags.indexOf(`--${name}`)
  return at < 0 ? null : (flags[at + 1] ?? null)
}
const numberFlag = (name: string, otherwise: number) => {
  const value = Number(textFlag(name) ?? otherwise)
  if (!Number.isSafeInteger(value) || value < 1) throw new Error(`--${name} needs a number`)
  return value
}

const seed = numberFlag('seed', 1)
const turns = numberFlag('turns', 200)
const plot = textFlag('plot')
const dollars = (micro: number) => (micro / 1_000_000).toFixed(2)
const percent = (part: number) => `${(100 * part).toFixed(1)} %`

if (plot === null) {
  const searched = searchThefts({ edition, seed, searches: numberFlag('searches', 100), turns })
  const { searches, commands, nearest, tooMuch } = searched
  for (const repeat of tooMuch) console.log(`takes too much: ${repeat} --turns ${turns}`)
  console.log(`${searches} searches, ${commands} commands: ${tooMuch.length} took too much`)
  console.log(`where prices stood still the nearest took ${percent(nearest)} of its sum`)
  process.exitCode = tooMuch.length > 0 ? 1 : 0
} else {
  const stolen = playStolen({ edition, seed, turns, plot: plotOf(plot) })
  const { lost, sum, moved } = stolen
  console.log(`lost ${dollars(lost)}; the sum ${dollars(sum)}, marks moved ${dollars(moved)}`)
  process.exitCode = takesTooMuch(stolen) ? 1 : 0
}
