// `npm run torture:clocks -- --commands 1000000`: signed commands through the real core, with the
// clocks of the model: wall clocks of every node that step by up to hours, clock jumps of a
// sandbox, reverts, restarts and failovers. Fails when a text has two effects on one timeline, or
// when a client whose clock is right is locked out for longer than a clock was wrong. `--seed N`
// draws others; every 100,000 commands are a model of their own.

import { ClockModel, type ModelCounts } from '../support/clocks/clock-model.ts'
import { numberOf } from '../support/torture/flags.ts'

const each = 100_000
const commands = numberOf('--commands', 1_000_000)
const seed = numberOf('--seed', (Date.now() % 1_000_000) + 1)
console.log(`seed ${seed}`)
const total: ModelCounts = {}
const wrong: string[] = []
for (let n = 0; n * each < commands; n++) {
  const report = await new ClockModel(seed + n).run(Math.min(each, commands - n * each))
  for (const [what, count] of Object.entries(report.counts))
    total[what] = (total[what] ?? 0) + count
  wrong.push(...report.wrong.map((what) => `seed ${seed + n}: ${what}`))
}
for (const what of wrong) console.error(`wrong: ${what}`)
console.log(JSON.stringify(total))
console.log(wrong.length === 0 ? 'one effect a text, nobody locked out' : 'BREACHED')
process.exit(wrong.length === 0 ? 0 : 1)
