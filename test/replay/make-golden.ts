import { programOptions } from '../support/program/program.ts'
import { knowRules, trialRules, trialVersion } from '../support/trial-rules.ts'
import { crossingName, writeGolden } from './golden.ts'

const { words } = programOptions({
  name: 'golden',
  about:
    'Writes the journals of test/replay/ that later versions have to replay to the same state. ' +
    'An existing one is kept: delete it before, if the format has changed and nothing was ' +
    'released.',
  words: { name: 'version', about: `of the release, or ${crossingName}`, count: 'one' },
})
const name = words[0]!
const commands = 1_200

async function write(title: string, options: Parameters<typeof writeGolden>[1]): Promise<void> {
  const golden = await writeGolden(title, options)
  console.log(`${title}: ${golden.seq} entries, state ${golden.state}`)
}

if (name === crossingName) {
  knowRules(trialRules)
  const between = { type: 'SetRulesVersion', version: trialVersion } as const
  await write(crossingName, { seed: 13, commands, between })
} else for (const seed of [11, 12]) await write(`${name}-${seed}`, { seed, commands })
