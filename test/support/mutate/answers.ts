// The answers of the core to a history, and whether it still gives them. It is reloaded for each
// fault, so it imports the core and nothing else.

import type { Sequenced } from '../../../src/core/commands/commands.ts'
import { apply, createState, EventLog } from '../../../src/core/engine.ts'
import { checkInvariants } from '../../../src/core/invariants.ts'
import type { Genesis } from '../../../src/core/state/genesis.ts'
import { pictureOf } from '../picture.ts'
import { knowRules, trialRules } from '../trial-rules.ts'

knowRules(trialRules)

export type History = Readonly<{ genesis: Genesis; commands: readonly Sequenced[] }>
export type Recorded = History &
  Readonly<{
    /** The numbers and texts of all events, one after the other. */
    numbers: Float64Array
    texts: readonly string[]
    pictures: readonly string[]
  }>

/** Pictures and invariants cost far more than events. */
const stride = 50

type Step = Readonly<{ log: EventLog; picture: string | null }>

/** After each command its events, and now and then the picture that both engines have. */
function* stepsOf({ genesis, commands }: History): Generator<Step> {
  const state = createState(genesis)
  const log = new EventLog()
  for (const [at, command] of commands.entries()) {
    log.clear()
    apply(state, command, log)
    const looked = (at + 1) % stride === 0 || at + 1 === commands.length
    const picture = looked ? JSON.stringify([pictureOf(state), checkInvariants(state)]) : null
    yield { log, picture }
  }
}

export function recordedOf(history: History): Recorded {
  const numbers: number[] = []
  const texts: string[] = []
  const pictures: string[] = []
  for (const { log, picture } of stepsOf(history)) {
    for (let at = 0; at < log.end; at++) numbers.push(log.rows[at]!)
    texts.push(...log.texts)
    if (picture !== null) pictures.push(picture)
  }
  return { ...history, numbers: Float64Array.from(numbers), texts, pictures }
}

export function agrees(recorded: Recorded): boolean {
  const { numbers, texts, pictures } = recorded
  let number = 0
  let text = 0
  let looks = 0
  for (const { log, picture } of stepsOf(recorded)) {
    for (let at = 0; at < log.end; at++) if (!isSame(log.rows[at], numbers[number++])) return false
    for (const each of log.texts) if (each !== texts[text++]) return false
    if (picture !== null && picture !== pictures[looks++]) return false
  }
  return number === numbers.length && text === texts.length
}

/** As events are compared with the twin's: −0 is 0, and NaN is NaN. */
function isSame(one: number | undefined, other: number | undefined): boolean {
  return one === other || (Number.isNaN(one) && Number.isNaN(other))
}
