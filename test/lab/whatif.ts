// Random histories with one inserted order each: how many recorded commands name an order whose id
// moved, and that none of them reaches another order.

import { checkInserted, checkUnchanged, journalOf } from '../support/lab/what-if-journals.ts'
import { number } from '../support/program/options.ts'
import { programOptions } from '../support/program/program.ts'

const { journals, commands, seed } = programOptions({
  name: 'lab/whatif',
  about:
    'Plays random histories without a change, which must not differ, and with one inserted ' +
    'order, after which every recorded command must still name the order that it named.',
  options: {
    journals: number(1_000, 'histories'),
    commands: number(400, 'commands of each'),
    seed: number(1, 'seed of the first'),
  },
})

const sums = { inserted: 0, accepted: 0, named: 0, moved: 0 }
for (let at = 0; at < journals; at++) {
  const journal = journalOf(seed + at, commands)
  await checkUnchanged(journal)
  if (journal.line === null) continue
  const { named, moved, accepted } = await checkInserted(journal)
  sums.inserted += 1
  sums.named += named
  sums.moved += moved
  if (accepted) sums.accepted += 1
}
console.log(`${journals} histories of ${commands} commands: none differs without a change`)
console.log(`${sums.accepted} of ${sums.inserted} inserted orders were accepted`)
console.log(
  `${sums.named} commands name an order, ${sums.moved} of them one whose id moved: 0 wrong`,
)
