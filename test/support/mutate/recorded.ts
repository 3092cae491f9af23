// What the core and its twin agreed on in scenarios and in the random histories of every day,
// recorded once: with a fault in the core, only the core has to run again to find out whether they
// still would.
//
//   node recorded.js make FILE SCENARIO…    runs both and writes what they agreed on
//   node recorded.js FILE                   as a child: is a module with another text noticed?
//                                           `next` after each history, then true or false

import { readFileSync, writeFileSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { deserialize, serialize } from 'node:v8'
import type * as Answers from './answers.ts'
import { loadFresh, type Replaced } from './fresh-modules.ts'

type Trial = Readonly<{ replaced: Replaced | null }>

const answersPath = fileURLToPath(new URL('./answers.js', import.meta.url))

/** The tests of the scenarios run here, and what they play is kept; then the random worlds. */
async function make(file: string, scenarios: readonly string[]): Promise<void> {
  const { Scene } = await import('../scene.ts')
  const played: Answers.History[] = []
  Scene.watch = ({ genesis, history: commands }) => played.push({ genesis, commands })
  for (const path of scenarios) await import(pathToFileURL(path).href)
  const { recordedOf } = await import('./answers.ts')
  const { playedWorlds } = await import('./played-worlds.ts')
  process.once('exit', (code) => {
    if (code !== 0) return
    // The shorter ones first: most faults are noticed by one of them.
    const all = [...played, ...playedWorlds()]
    all.sort((one, other) => one.commands.length - other.commands.length)
    writeFileSync(file, serialize(all.map(recordedOf)))
  })
}

async function isNoticed(
  recorded: Answers.Recorded[],
  replaced: Replaced | null,
): Promise<boolean> {
  try {
    const { agrees } = await loadFresh<typeof Answers>(answersPath, replaced)
    for (const [at, each] of recorded.entries()) {
      if (!agrees(each)) {
        // The history that noticed one fault is tried first with the next.
        recorded.unshift(...recorded.splice(at, 1))
        return true
      }
      process.send?.('next')
      await setImmediate()
    }
    return false
  } catch {
    // It cannot even be loaded, or the core has thrown.
    return true
  }
}

const [first = '', second, ...scenarios] = process.argv.slice(2)
if (second !== undefined) await make(second, scenarios)
else {
  const recorded = deserialize(readFileSync(first)) as Answers.Recorded[]
  process.on('message', async ({ replaced }: Trial) => {
    process.send?.(await isNoticed(recorded, replaced))
  })
}
