// A node of a cluster, reduced to its journal: a process that leads when it can and appends one
// text after the other, to be killed and paused. It reports what was acknowledged, line by line,
// with the time by the clock that all processes of a machine share. A text whose fate is unknown is
// looked for in the chain before anything else, and sent again only if it is not there.

import { randomUUID } from 'node:crypto'
import { writeSync } from 'node:fs'
import type { Frame } from '../../../src/journal/frame.ts'
import { endOf, fateOf } from '../../../src/journal/store/frame-store.ts'
import { Leadership } from '../../../src/journal/store/leadership.ts'
import { StoreFault } from '../../../src/journal/store/store-fault.ts'
import { frameOf, now, openStore, textsOf } from './chain.ts'

export type WriterLine =
  | Readonly<{ what: 'lead'; at: string }>
  | Readonly<{ what: 'sent' | 'acknowledged'; text: string; seal: string; at: string }>
  | Readonly<{ what: 'over'; code: string; why: string; at: string }>

type Said = WriterLine extends infer Line
  ? Line extends unknown
    ? Omit<Line, 'at'>
    : never
  : never

const [url, name, leaseText] = process.argv.slice(2) as [string, string, string]
const leaseMs = Number(leaseText)
const holder = `${name} ${randomUUID()}`
const pauseMs = 20

/** Immediately and not by a queue: a line is written even if the process is killed right after. */
function say(line: Said): void {
  const at = process.hrtime.bigint().toString()
  writeSync(1, `${JSON.stringify({ ...line, at })}\n`)
}

let sent = 0
/** Of the last leadership: it may be in the chain or not. */
let open: Frame | null = null

async function nextTerm(): Promise<void> {
  const store = await openStore(url, leaseMs)
  try {
    let leadership: Leadership | null = null
    while (leadership === null) {
      const { seq } = await store.newest()
      leadership = await Leadership.take(store, seq, { holder, leaseMs, now })
      if (leadership === null) await new Promise((later) => setTimeout(later, pauseMs))
    }
    say({ what: 'lead' })
    let end = await store.newest()
    let again: string | null = null
    if (open !== null && (await fateOf(store, open)) !== 'in') again = textsOf(open)[0]!
    open = null
    for (;;) {
      const text: string = again ?? `${holder} ${++sent}`
      again = null
      const frame = frameOf(end, text)
      const seal = frame.seal.toString('hex')
      open = frame
      say({ what: 'sent', text, seal })
      await leadership.append(frame)
      // An acknowledgement counts only if the writer still leads when it is reported.
      if (leadership.holds) say({ what: 'acknowledged', text, seal })
      open = null
      end = endOf(frame)
    }
  } finally {
    store.close()
  }
}

for (;;) {
  try {
    await nextTerm()
  } catch (error) {
    if (!(error instanceof StoreFault)) throw error
    say({ what: 'over', code: error.code, why: error.message })
    await new Promise((later) => setTimeout(later, pauseMs))
  }
}
