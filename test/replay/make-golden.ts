import { knowRules, trialRules, trialVersion } from '../support/trial-rules.ts'
import { crossingName, writeGolden } from './golden.ts'

const name = process.argv[2]
const commands = 1_200

async function write(title: string, options: Parameters<typeof writeGolden>[1]): Promise<void> {
  const golden = await writeGolden(title, options)
  console.log(`${title}: ${golden.seq} entries, state ${golden.state}`)
}

if (name === undefined) {
  console.error(`usage: npm run golden -- <version>, or ${crossingName}`)
  process.exitCode = 2
} else if (name === crossingName) {
  knowRules(trialRules)
  const between = { type: 'SetRulesVersion', version: trialVersion } as const
  await write(crossingName, { seed: 13, commands, between })
} else for (const seed of [11, 12]) await write(`${name}-${seed}`, { seed, commands })
