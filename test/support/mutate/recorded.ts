// What the core and its twin agreed on in the random histories of every day, recorded once: with a
// fault in the core, only the core has to run again to find out whether they still would.
//
//   node recorded.js make FILE    runs both and writes what they agreed on
//   node recorded.js FILE         runs the core; exit code 1 at the first difference

import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { deserialize, serialize } from 'node:v8'
import { apply, createState, EventLog } from '../../../src/core/engine.ts'
import { checkInvariants } from '../../../src/core/state/invariants.ts'
import { pictureOf } from '../../../src/core/view/picture.ts'
import { knowRules, trialRules } from '../trial-rules.ts'
import type { History } from './agreed-histories.ts'

knowRules(trialRules)

type Recorded = History & Readonly<{ answers: readonly string[] }>

/** Pictures and invariants cost far more than events. */
const stride = 20

/** After each command what it told, and now and then what both engines have a picture of. */
function* answersTo({ genesis, commands }: History): Generator<string> {
  const state = createState(genesis)
  const log = new EventLog()
  for (const command of commands) {
    log.clear()
    apply(state, command, log)
    yield digestOf(log.readAll())
    if (command.seq % stride !== 0 && command.seq !== commands.length) continue
    yield digestOf(pictureOf(state))
    yield digestOf(checkInvariants(state))
  }
}

function digestOf(value: unknown): string {
  return createHash('md5').update(JSON.stringify(value)).digest('base64')
}

async function make(file: string): Promise<void> {
  // Twin and generators are not loaded where only the core runs.
  const { agreedHistories } = await import('./agreed-histories.ts')
  const made = [...agreedHistories()].map((history): Recorded => {
    return { ...history, answers: [...answersTo(history)] }
  })
  writeFileSync(file, serialize(made))
}

function agrees({ answers, ...history }: Recorded): boolean {
  let at = 0
  for (const answer of answersTo(history)) if (answer !== answers[at++]) return false
  return at === answers.length
}

const [first = '', second] = process.argv.slice(2)
if (second !== undefined) await make(second)
else if (!(deserialize(readFileSync(first)) as Recorded[]).every(agrees)) process.exitCode = 1
