// Compares two histories: both are played from the newest entry with which one of them begins. The
// first pass keeps one number for each entry, so that long histories need little memory.

import type { ExchangeView } from '../../core/index.ts'
import type { Outcome } from '../../sequencer/outcome.ts'
import type { History } from '../history.ts'
import { LabFault } from '../lab-fault.ts'
import { commandWords } from './command-words.ts'
import { type Difference, differenceOf, type First } from './difference.ts'
import { Ledger } from './ledger.ts'
import { commandText, resultLine, resultText } from './outcome-text.ts'

export type Progress = (part: number, seq: number) => void

export async function diffHistories(
  a: History,
  b: History,
  onProgress: Progress = () => undefined,
): Promise<Difference> {
  for (const { name, anonymised } of [a, b])
    if (anonymised)
      throw new LabFault(`${name} is anonymised: its accounts are those of no other exchange`)
  const after = Math.max(a.oldest, b.oldest)
  const digests: number[] = []
  const ledgers = [new Ledger(), new Ledger()] as const
  const inA = await a.play({ after }, (outcome, { view }) => {
    ledgers[0].take(outcome, view)
    digests.push(digestOf(outcome))
    if (outcome.seq % 65_536 === 0) onProgress(0, outcome.seq)
  })
  requireReached(a, inA.seq, after)
  let other: Entry | null = null
  let seq = after
  const inB = await b.play({ after }, (outcome, { view }) => {
    ledgers[1].take(outcome, view)
    seq = outcome.seq
    if (seq % 65_536 === 0) onProgress(1, seq)
    if (other === null && digests[seq - after - 1] !== digestOf(outcome))
      other = entryOf(outcome, view)
  })
  requireReached(b, inB.seq, after)
  const first = await firstOf(a, { after, length: digests.length, other, last: seq })
  const [of, to] = [a, b].map(({ name }) => name) as [string, string]
  return differenceOf(
    { name: of, replica: inA, ledger: ledgers[0] },
    { name: to, replica: inB, ledger: ledgers[1] },
    first,
  )
}

type Entry = Readonly<{ seq: number; text: string; command: string; result: string }>

const entryOf = (outcome: Outcome, view: ExchangeView): Entry => ({
  seq: outcome.seq,
  text: commandText(outcome),
  command: commandWords(outcome, view),
  result: resultLine(outcome),
})

type Compared = Readonly<{ after: number; length: number; other: Entry | null; last: number }>

async function firstOf(
  a: History,
  { after, length, other, last }: Compared,
): Promise<First | null> {
  const end = after + length
  const seq = other?.seq ?? last + 1
  if (other === null && last >= end) return null
  let own: Entry | null = null
  if (seq <= end)
    await a.play({ after: seq - 1, to: seq }, (outcome, { view }) => {
      if (outcome.seq === seq) own = entryOf(outcome, view)
    })
  return { seq, ...causeOf(own, other) }
}

function causeOf(own: Entry | null, other: Entry | null): Omit<First, 'seq'> {
  const command = own?.command ?? other!.command
  const results = [own?.result ?? null, other?.result ?? null] as const
  if (own === null) return { cause: 'only the second has this entry', command, results }
  if (other === null) return { cause: 'only the first has this entry', command, results }
  if (own.text !== other.text)
    return { cause: `the commands differ; the second has ${other.command}`, command, results }
  return { cause: 'the same command has another result', command, results }
}

function requireReached({ name }: History, seq: number, after: number): void {
  if (seq >= after) return
  throw new LabFault(
    `${name} ends with entry ${seq}, and the state of the other is known from entry ${after} on`,
  )
}

function digestOf(outcome: Outcome): number {
  return hashOf(`${outcome.atMs} ${commandText(outcome)}\n${resultText(outcome)}`)
}

/** 53 bits of a text, of two multiplicative hashes. */
function hashOf(text: string): number {
  let [one, two] = [0xdeadbeef, 0x41c6ce57]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    one = Math.imul(one ^ code, 2_654_435_761)
    two = Math.imul(two ^ code, 1_597_334_677)
  }
  one = Math.imul(one ^ (one >>> 16), 2_246_822_507) ^ (two >>> 13)
  two = Math.imul(two ^ (two >>> 16), 3_266_489_909) ^ (one >>> 13)
  return 4_294_967_296 * (2_097_151 & two) + (one >>> 0)
}
