import { ClockModel, type ModelCounts } from '../support/clocks/clock-model.ts'
import { drawnSeed, number } from '../support/program/options.ts'
import { programOptions } from '../support/program/program.ts'

const each = 100_000
const { commands, seed } = programOptions({
  name: 'torture/clocks',
  about:
    'Signed commands through the core with wrong clocks: wall clocks of all nodes that step by ' +
    'up to hours, clock jumps of a sandbox, reverts, restarts and failovers. Each 100,000 ' +
    'commands are a separate model. Exits with code 1 if a text has two effects on one ' +
    'timeline, or if a client whose clock is right is locked out for longer than a clock was ' +
    'wrong.',
  options: { commands: number(1_000_000, 'signed commands'), seed: drawnSeed() },
})
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
console.log(wrong.length === 0 ? 'one effect a text, no client locked out' : 'BREACHED')
process.exit(wrong.length === 0 ? 0 : 1)
