// What the core and its twin agreed on in scenarios and in the random histories of every day,
// recorded once: with a fault in the core, only the core has to run again to find out whether they
// still would.
//
//   node recorded.js make FILE    runs both and writes what they agreed on
//   node recorded.js FILE         as a child: is a module with another text noticed?

import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { deserialize, serialize } from 'node:v8'
import type * as Answers from './answers.ts'
import { loadFresh, type Replaced } from './fresh-modules.ts'

type Asked = Readonly<{ replaced: Replaced | null }>

const answersPath = fileURLToPath(new URL('./answers.js', import.meta.url))
/** The longer ones last. As paths, so that they belong to what this program is made of. */
const scenarios = [
  '../../scenarios/units.test.js',
  '../../scenarios/fees.test.js',
  '../../scenarios/margin.test.js',
  '../../scenarios/funding.test.js',
  '../../scenarios/prices.test.js',
  '../../scenarios/liquidation.test.js',
  '../../scenarios/liquidation-bounds.test.js',
  '../../scenarios/liquidation-crashes.test.js',
]

/** The tests of the scenarios run here, and what they play is kept; then the random worlds. */
async function make(file: string): Promise<void> {
  const { Scene } = await import('../scene.ts')
  const played: Answers.History[] = []
  Scene.watch = ({ genesis, history: commands }) => played.push({ genesis, commands })
  for (const path of scenarios) await import(new URL(path, import.meta.url).href)
  const { recordedOf } = await import('./answers.ts')
  const { playedWorlds } = await import('./played-worlds.ts')
  process.once('exit', (code) => {
    if (code === 0) writeFileSync(file, serialize([...played, ...playedWorlds()].map(recordedOf)))
  })
}

async function isNoticed(
  recorded: readonly Answers.Recorded[],
  replaced: Replaced | null,
): Promise<boolean> {
  try {
    const { agrees } = await loadFresh<typeof Answers>(answersPath, replaced)
    return !recorded.every(agrees)
  } catch {
    // It cannot even be loaded, or the core has thrown.
    return true
  }
}

const [first = '', second] = process.argv.slice(2)
if (second !== undefined) await make(second)
else {
  const recorded = deserialize(readFileSync(first)) as Answers.Recorded[]
  process.on('message', async ({ replaced }: Asked) => {
    process.send?.(await isNoticed(recorded, replaced))
  })
}
