// `npm run without-rules [-- --worlds 40] [--commands 40000] [--seed 1] [--only NAME]`: takes the
// rules of removals.ts out of a copy of the build, one at a time, and lets the adversary search.
// Says for each in which world it finds a ring that pays or a fault. Exit code 1 if it finds none.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runWorlds } from '../support/adversary/run-worlds.ts'
import { Lane } from '../support/mutate/lane.ts'
import { built } from '../support/mutate/programs.ts'
import { removals, without } from '../support/mutate/removals.ts'
import { editionAt } from '../support/venue/edition.ts'

function flag(name: string, otherwise: string): string {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? otherwise : (process.argv[at + 1] ?? otherwise)
}

const dollars = (micro: number) => Math.round(micro / 1_000_000).toLocaleString('en-US')

const plan = {
  seed: Number(flag('seed', '1')),
  worlds: Number(flag('worlds', '40')),
  commands: Number(flag('commands', '40000')),
  scripts: null,
  endsAtFault: true,
  tell: () => false,
}

console.log('| Rule taken out | Worlds until it is found | What is found |')
for (const [at, removal] of removals.entries()) {
  if (!removal.name.includes(flag('only', ''))) continue
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
