import { searchThefts } from '../programs/adversary/stolen/search-thefts.ts'
import { playStolen, takesTooMuch } from '../programs/adversary/stolen/stolen-world.ts'
import { plotOf } from '../programs/adversary/stolen/theft.ts'
import { number, text } from '../support/program/options.ts'
import { programOptions } from '../support/program/program.ts'
import { ownEdition as edition } from '../support/venue/edition.ts'

const {
  searches: wanted,
  turns,
  plot,
  seed,
} = programOptions({
  name: 'stolen-keys',
  about:
    'A thief has a key with a policy, and a second account to trade with. Searches for a key ' +
    'that costs its owner more than docs/api/keys.md says; exits with code 1 if it finds one.',
  options: {
    searches: number(100, 'searches'),
    turns: number(200, 'turns of the thief in a search'),
    seed: number(1, 'of the first search'),
    plot: text(null, 'play this plot only, as a search prints it'),
  },
})
const dollars = (micro: number) => (micro / 1_000_000).toFixed(2)
const percent = (part: number) => `${(100 * part).toFixed(1)} %`

if (plot === null) {
  const searched = searchThefts({ edition, seed, searches: wanted, turns })
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
