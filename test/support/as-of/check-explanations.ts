// Explanations of a drawn journal: what they recompute was recorded, and what they say of a
// position is what a core had that was stepped through the same commands.

import assert from 'node:assert/strict'
import { apply, createState, EventLog } from '../../../src/core/engine.ts'
import type { FillPart } from '../../../src/core/events/fills-of.ts'
import type { State } from '../../../src/core/state/state.ts'
import { explainFunding } from '../../../src/projections/explain/explain-funding.ts'
import { explainLiquidation } from '../../../src/projections/explain/explain-liquidation.ts'
import { explainFill, explainOrder } from '../../../src/projections/explain/explain-order.ts'
import { type Explanation, usd, wordsOf } from '../../../src/projections/explain/explanation.ts'
import { folderPast } from '../../../src/projections/explain/folder-past.ts'
import type { Entry } from '../../../src/sequencer/entry.ts'
import type { TimeMs } from '../../../src/units/units.ts'
import { DiskHistory } from '../disk-history.ts'
import { partsIn } from './expected-facts.ts'
import { type Moment, momentOf } from './moment.ts'

type Recorded = Readonly<{ seq: number; atMs: number; entry: Entry }>

type Options = Readonly<{
  commands: number
  batch: number
  /** Of each kind, and three times as many liquidations; each is a journal read twice. */
  most: number
}>

export type Explained = { fills: number; orders: number; payments: number; liquidations: number }

/** Gives how many of each kind there were. */
export async function checkExplanations(
  seed: number,
  { commands, batch, most }: Options,
): Promise<Explained> {
  const history = new DiskHistory(seed)
  const data = await history.open()
  const recorded: Recorded[] = []
  data.sequencer.onBatch(({ outcomes }) => {
    for (const { seq, atMs, entry } of outcomes) recorded.push({ seq, atMs, entry })
  })
  await history.run(commands, batch)
  const state = createState(history.generator.world.genesis)
  const spread = <T>(all: readonly T[]) => spreadOf(all, most)
  const moments = stepThrough(state, recorded)
  const past = folderPast(history.folder)
  const counts: Explained = { fills: 0, orders: 0, payments: 0, liquidations: 0 }
  const check = async (kind: keyof Explained, explained: Promise<Explanation>) => {
    const explanation = await explained
    counts[kind] += 1
    for (const step of explanation.steps)
      assert.ok(step.agrees, `seed ${seed}: ${explanation.title}: ${JSON.stringify(step)}`)
    return explanation
  }
  const fills = fillsIn(moments)
  // Those that met what others of their command had left are the ones to get wrong.
  for (const { moment, before, part } of [...spread(fills), ...spread(fills.filter(isLater))]) {
    const explanation = await check('fills', explainFill(past, part.history, null))
    checkPosition(state, explanation, { moment, before, part })
    if (part.order !== 0) await check('orders', explainOrder(past, part.order, null))
  }
  const payments = moments.flatMap(({ events }) =>
    events.filter(({ type }) => type === 'FundingPaid'),
  )
  for (const id of spread(payments.map((_, at) => at + 1)))
    await check('payments', explainFunding(past, id, null, null))
  const started = moments.filter(({ events }) =>
    events.some(({ type }) => type === 'LiquidationStarted'),
  )
  for (const { seq } of spreadOf(started, 3 * most))
    await check('liquidations', explainLiquidation(past, `${seq}`, null))
  await history.end()
  return counts
}

function stepThrough(state: State, recorded: readonly Recorded[]): readonly Moment[] {
  const log = new EventLog()
  return recorded.map(({ seq, atMs, entry }) => {
    log.clear()
    if (entry.kind === 'command')
      apply(state, { seq: state.seq + 1, atMs: atMs as TimeMs, command: entry.command }, log)
    return momentOf(state, seq, log.readAll())
  })
}

type FoundFill = Readonly<{ moment: Moment; before: Moment | undefined; part: FillPart }>

function fillsIn(moments: readonly Moment[]): readonly FoundFill[] {
  return moments.flatMap((moment, at) =>
    moment.events.flatMap((event) =>
      partsIn(event).map((part) => ({ moment, before: moments[at - 1], part })),
    ),
  )
}

/** At least two fills of its command had changed the position before. */
function isLater({ moment, part }: FoundFill): boolean {
  const same = moment.events
    .flatMap(partsIn)
    .filter(({ account, market }) => account === part.account && market === part.market)
  return same.findIndex(({ history }) => history === part.history) > 1
}

/** The first fill of a position in a command meets what was there before it; the last one leaves
 *  what is there after it. */
function checkPosition(
  state: State,
  { steps, title }: Explanation,
  { moment, before, part }: FoundFill,
): void {
  const { account, market: id } = part
  const market = state.markets[id]!
  const words = wordsOf(market.params, market.unitValue)
  const text = ({ lots, cost }: Readonly<{ lots: number; cost: number }>) =>
    `${words.size(lots)}, cost ${usd(cost)}`
  const same = moment.events
    .flatMap(partsIn)
    .filter((each) => each.account === account && each.market === id)
  const shown = steps.find(({ inputs }) => 'position before' in inputs)!.inputs
  if (same[0]?.history === part.history && before !== undefined)
    assert.equal(shown['position before'], text(before.position(account, id)), title)
  if (same.at(-1)?.history === part.history && 'position after' in shown)
    assert.equal(shown['position after'], text(moment.position(account, id)), title)
}

/** Some of them, from all over. */
function spreadOf<T>(all: readonly T[], most: number): readonly T[] {
  const stride = Math.max(1, Math.floor(all.length / most))
  return all.filter((_, at) => at % stride === 0).slice(0, most)
}
