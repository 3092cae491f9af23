// Random histories with one inserted order each. Which order a recorded command reaches in the
// variant is compared by the contents of the orders, which know nothing of the map of ids.

import assert from 'node:assert/strict'
import {
  type Command,
  createState,
  type Event,
  EventLog,
  type EventOf,
} from '../../../src/core/index.ts'
import { EntriesHistory } from '../../../src/embed/history/entries-history.ts'
import { noSuchId } from '../../../src/lab/what-if/id-map.ts'
import { parseInsertions } from '../../../src/lab/what-if/inserted.ts'
import { type WhatIf, type WhatIfReport, whatIf } from '../../../src/lab/what-if/what-if.ts'
import { priceText, sizeText } from '../../../src/projections/market-text.ts'
import type { Placed } from '../../../src/sequencer/entry.ts'
import { eventsOf, type Outcome, outcomeOf } from '../../../src/sequencer/outcome.ts'
import { beginning, Replica } from '../../../src/sequencer/replica/replica.ts'
import { Generator } from '../../programs/differential/generator.ts'

export type Journal = Readonly<{ history: EntriesHistory; line: string | null }>

export const noChange = {
  at: null,
  sets: [],
  insertions: [],
  dropped: { orders: new Set<number>(), accounts: new Set<string>() },
  rules: null,
} satisfies Omit<WhatIf, 'history'>

/** A drawn history, and a copy of an order of its first half to insert after it. */
export function journalOf(seed: number, commands: number): Journal {
  const generator = new Generator(seed, commands)
  const { genesis } = generator.world
  const replica = new Replica(createState(genesis), beginning)
  const log = new EventLog()
  const entries: Placed[] = []
  let line: string | null = null
  for (let seq = 1; seq <= commands; seq++) {
    const { atMs: drawn, command } = generator.next()
    const atMs = Math.max(replica.view.atMs, drawn)
    const placed: Placed = { seq, atMs, entry: { kind: 'command', command, by: null } }
    entries.push(placed)
    log.clear()
    replica.apply(seq, placed, command, log)
    const outcome = outcomeOf(placed, log, 0)
    generator.learn(eventsOf(outcome))
    if (line === null && seq > commands / 4) line = lineOf(outcome, replica)
  }
  return { history: new EntriesHistory(`seed ${seed}`, genesis, entries), line }
}

/** The order of an accepted command, as a request. */
function lineOf(outcome: Outcome, { view }: Replica): string | null {
  const { entry, seq } = outcome
  if (entry.kind !== 'command' || entry.command.type !== 'PlaceOrder') return null
  if (!eventsOf(outcome).some(({ type }) => type === 'OrderRested')) return null
  const { account, market, side, price, size } = entry.command
  const { params } = view.markets.get(market)!
  return JSON.stringify({
    seq: seq + 1,
    account: view.accounts.addressOf(account),
    operation: 'create_order',
    body: {
      ...{ symbol: params.symbol, side, tif: 'GTC', reduce_only: false },
      ...{ price: priceText(params, price), amount: sizeText(params, size) },
    },
  })
}

type Born = EventOf<'OrderPlaced'> | EventOf<'StopPlaced'> | EventOf<'AlgoPlaced'>

class Births {
  private readonly contents = new Map<number, string>()

  learn(events: readonly Event[]): void {
    for (const event of events)
      if (
        event.type === 'OrderPlaced' ||
        event.type === 'StopPlaced' ||
        event.type === 'AlgoPlaced'
      )
        this.contents.set(event.order, contentOf(event))
  }

  of(order: number): string {
    return this.contents.get(order) ?? 'none'
  }
}

/** An order of another order may have another price and size in the variant, and the price of a
 *  top-of-book order follows the book. */
function contentOf(born: Born): string {
  const { type, account, market, side, clientOrderId } = born
  const whose = [type, account, market, side, clientOrderId]
  if ('parent' in born && born.parent !== 0) return JSON.stringify(whose)
  const price = 'price' in born ? born.price : born.stopPrice
  const isMoved = 'tif' in born && born.tif === 'TOB'
  return JSON.stringify([...whose, isMoved ? null : price, born.size])
}

export type Checked = Readonly<{ named: number; moved: number; accepted: boolean }>

/** Throws if a recorded command reaches another order in the variant. */
export async function checkInserted({ history, line }: Journal): Promise<Checked> {
  assert.ok(line !== null)
  const births = [new Births(), new Births()] as const
  let [named, moved] = [0, 0]
  const compare = (there: Command, here: Command, seq: number) => {
    for (const [at, action] of actionsOf(there).entries()) {
      const other = actionsOf(here)[at]!
      const [old, fresh] = [orderIn(action), orderIn(other)]
      if (old === null || fresh === null || fresh === noSuchId) continue
      const [wanted, reached] = [births[0].of(old), births[1].of(fresh)]
      assert.equal(reached, wanted, `${history.name}, entry ${seq}: ${JSON.stringify(there)}`)
      if (wanted === 'none') continue
      named += 1
      if (old !== fresh) moved += 1
    }
  }
  const report = await whatIf({
    ...{ ...noChange, history, insertions: parseInsertions(line) },
    onInserted: (outcome) => births[1].learn(eventsOf(outcome)),
    onPair: (original, variant) => {
      if (original.entry.kind !== 'command' || variant.entry.kind !== 'command') return
      compare(original.entry.command, variant.entry.command, original.seq)
      births[0].learn(eventsOf(original))
      births[1].learn(eventsOf(variant))
    },
  })
  return { named, moved, accepted: report.inserted[0]!.refused === null }
}

const orderIn = (action: object) => (action as { order?: number | null }).order ?? null
const actionsOf = (command: Command): readonly object[] =>
  command.type === 'Batch' ? command.actions : [command]

/** Throws if a variant without a change differs. */
export async function checkUnchanged({ history }: Journal): Promise<WhatIfReport> {
  const report = await whatIf({ ...noChange, history })
  const { difference, distance } = report
  assert.equal(difference.isEqual, true, `${history.name}: ${JSON.stringify(difference)}`)
  assert.deepEqual(distance, { refusedHere: 0, acceptedHere: 0, dropped: 0 })
  return report
}
