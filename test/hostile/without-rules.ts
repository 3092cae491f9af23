import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runWorlds } from '../programs/adversary/run-worlds.ts'
import { Lane } from '../support/mutate/lane.ts'
import { built } from '../support/mutate/programs.ts'
import { removals, without } from '../support/mutate/removals.ts'
import { number, text } from '../support/program/options.ts'
import { programOptions } from '../support/program/program.ts'
import { editionAt } from '../support/venue/edition.ts'

const {
  worlds: worldsMax,
  commands,
  seed,
  only,
} = programOptions({
  name: 'without-rules',
  about:
    'Removes the rules of test/support/mutate/removals.ts from a copy of the build, one at a ' +
    'time, and lets the adversary search. Prints for each the world in which a ring profits or ' +
    'a fault is found; exits with code 1 if there is none.',
  options: {
    worlds: number(40, 'maximum of worlds for each rule'),
    commands: number(40_000, 'commands of a world'),
    seed: number(1, 'of the first world'),
    only: text('', 'only rules with this text in their name'),
  },
})

const dollars = (micro: number) => Math.round(micro / 1_000_000).toLocaleString('en-US')

const plan = {
  seed,
  commands,
  worlds: worldsMax,
  scripts: null,
  endsAtFault: true,
  report: () => false,
}

console.log('| Rule removed | Worlds until it is found | What is found |')
for (const [at, removal] of removals.entries()) {
  if (!removal.name.includes(only)) continue
  const folder = join(built, '..', '.mutants', `without-${at}`)
  const was = readFileSync(join(built, removal.module), 'utf8')
  const text = without(removal, was)
  await new Lane(folder).withModule(removal.module, { text, was }, async () => {
    const edition = await editionAt(folder)
    const { worlds, found, faults } = runWorlds({ edition, ...plan })
    const [ring] = found
    const paid = ring === undefined ? '' : `a ring takes ${dollars(ring.result.profit)}`
    const what = [paid, faults[0]?.split('\n')[0] ?? ''].filter((one) => one !== '')
    if (what.length === 0) process.exitCode = 1
    console.log(`| ${removal.name} | ${worlds} | ${what.join('; ') || 'nothing'} |`)
  })
}
