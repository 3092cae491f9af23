// Two truths: what a client must believe from what was delivered to it, and what is true at the
// exchange. They differ where a fault withheld something that nothing delivered later replaces.

import type { FaultReport } from '../../protocol/schemas/lab/faults.ts'

export type Difference = {
  -readonly [F in keyof FaultReport['differences'][number]]: FaultReport['differences'][number][F]
}
type Belief = { client: string | null; venue: string; open: Difference | null }

/** What a message says: texts by subject, such as `order 17`. */
export type Facts = ReadonlyMap<string, string>

const beliefsMax = 50_000
const differencesMax = 10_000

export class Truths {
  private readonly beliefs = new Map<string, Belief>()
  private differences: Difference[] = []
  private readonly now: () => number

  constructor(now: () => number) {
    this.now = now
  }

  /** Something that is true was not delivered. `known`: the client notices that immediately. */
  withheld(account: string | null, facts: Facts, cause: number, known = false): void {
    for (const [subject, venue] of facts) {
      const belief = this.beliefOf(account, subject)
      belief.venue = venue
      if (belief.open !== null) belief.open.venue = venue
      else {
        const at = this.now()
        const client = belief.client ?? 'not known'
        belief.open = {
          ...{ account, subject, client, venue, cause },
          ...{ since: at, known_from: known ? at : null, until: null },
        }
        this.differences.push(belief.open)
        if (this.differences.length > differencesMax) this.differences.shift()
      }
    }
  }

  delivered(account: string | null, facts: Facts): void {
    for (const [subject, text] of facts) {
      const belief = this.beliefOf(account, subject)
      belief.client = text
      belief.venue = text
      this.end(belief)
    }
  }

  /** A message shows that some of this is missing; with `isEnd`, it replaces what is missing. */
  noticed(account: string | null, isMeant: (open: Difference) => boolean, isEnd: boolean): void {
    for (const open of this.open()) {
      if (open.account !== account || !isMeant(open)) continue
      open.known_from ??= this.now()
      if (!isEnd) continue
      const belief = this.beliefOf(account, open.subject)
      belief.client = belief.venue
      this.end(belief)
    }
  }

  /** Orders that the account must believe to be open. */
  believedOpen(account: string | null): readonly number[] {
    const prefix = `${account} order `
    return [...this.beliefs].flatMap(([key, { client }]) =>
      key.startsWith(prefix) && client !== null && /^(open|partially_filled)/.test(client)
        ? [Number.parseInt(key.slice(prefix.length), 10)]
        : [],
    )
  }

  rows(): FaultReport['differences'] {
    return this.differences.filter(({ client, venue, until }) => until !== null || client !== venue)
  }

  clear(): void {
    this.beliefs.clear()
    this.differences = []
  }

  private open(): Difference[] {
    return this.differences.filter(({ until }) => until === null)
  }

  private end(belief: Belief): void {
    if (belief.open === null) return
    belief.open.until = this.now()
    belief.open.known_from ??= belief.open.until
    belief.open = null
  }

  private beliefOf(account: string | null, subject: string): Belief {
    const key = `${account} ${subject}`
    let belief = this.beliefs.get(key)
    if (belief === undefined) {
      belief = { client: null, venue: '', open: null }
      if (this.beliefs.size >= beliefsMax) this.beliefs.delete(this.beliefs.keys().next().value!)
      this.beliefs.set(key, belief)
    }
    return belief
  }
}

type Row = Readonly<Record<string, unknown>>

/** What a reply or the data of a frame says about orders. */
export function orderFacts(data: unknown, facts = new Map<string, string>()): Map<string, string> {
  if (Array.isArray(data)) for (const each of data) orderFacts(each, facts)
  else if (typeof data === 'object' && data !== null) {
    const row = data as Row
    const id = row.order_id ?? row.i
    const status = row.order_status ?? row.os
    const filled = row.filled_amount ?? row.f
    if (typeof id === 'number' && typeof status === 'string')
      facts.set(`order ${id}`, orderText(status, filled))
    else if (typeof id === 'number' && typeof row.initial_amount === 'string')
      facts.set(`order ${id}`, orderText(filled === '0' ? 'open' : 'partially_filled', filled))
    else for (const inner of [row.data, row.rows, row.results]) orderFacts(inner, facts)
  }
  return facts
}

const orderText = (status: string, filled: unknown) =>
  typeof filled === 'string' && filled !== '0' ? `${status}, filled ${filled}` : status
