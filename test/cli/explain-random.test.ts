// Explanations of random histories, in which liquidations, rebates and flips are common: each
// recomputed number must be the one that the core recorded.

import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openPresent } from '../../src/cli/offline/explain/folder-present.ts'
import { rebuildHistory } from '../../src/cli/offline/rebuild-history.ts'
import type { Event } from '../../src/core/events/event-fields.ts'
import { fillsOf } from '../../src/core/events/fills-of.ts'
import { pruneSegments, pruneSnapshots } from '../../src/journal/retention.ts'
import { listSegments } from '../../src/journal/segment.ts'
import { explainOf, explainPast, type Question } from '../../src/projections/explain/explain.ts'
import { explainFunding } from '../../src/projections/explain/explain-funding.ts'
import { explainLiquidation } from '../../src/projections/explain/explain-liquidation.ts'
import { explainFill, explainOrder } from '../../src/projections/explain/explain-order.ts'
import { explainRefusal, explainWithdrawal } from '../../src/projections/explain/explain-refusal.ts'
import type { Explanation } from '../../src/projections/explain/explanation.ts'
import { folderPast } from '../../src/projections/explain/folder-past.ts'
import { findEvents } from '../../src/projections/explain/past.ts'
import { deleteStore, storeFile } from '../../src/projections/history/store-file.ts'
import { storedPayment } from '../../src/projections/history/stored-payment.ts'
import { DiskHistory, drawnEvents } from '../support/disk-history.ts'

// Each journal is read twice.
const fillsMax = 10
const forcedMax = 25
const liquidationsMax = 12
const algosMax = 8
const ordersMax = 30
const ordersEvery = 7
/** Of each name. */
const refusalsMax = 6
const explainable: ReadonlySet<string> = new Set([
  ...['INSUFFICIENT_BALANCE', 'IMMEDIATE_LIQUIDATION', 'OVER_WITHDRAWAL', 'WITHDRAWAL_BLOCKED'],
  ...['POSITION_LIMIT_EXCEEDED', 'WithdrawalRequested'],
])

/** Whether the history covers everything that the next test needs. */
function isRich(seed: number): boolean {
  const events = drawnEvents(seed, 700).flat()
  const count = (wanted: (event: Event) => boolean) => events.filter(wanted).length
  return (
    count(({ type }) => type === 'LiquidationStepped') > 2 &&
    count((event) => event.type === 'AlgoEnded' && event.filled > 0) > 2 &&
    count(({ type }) => type === 'Traded') > 20
  )
}

test('recomputed numbers are the recorded ones, for fills, liquidations and algos', async () => {
  let [fills, liquidations, steps, algos] = [0, 0, 0, 0]
  const isEnough = () => fills > 20 && liquidations > 2 && steps > 2 && algos > 2
  for (let seed = 0; seed < 400 && !isEnough(); seed++) {
    if (!isRich(seed)) continue
    let here = 0
    const history = new DiskHistory(seed)
    await history.open()
    await history.run(700)
    const past = folderPast(history.folder)
    const always = () => true
    const wanted = { Traded: always, Filled: always, LiquidationStarted: always, AlgoEnded: always }
    const { found } = await findEvents(past, wanted, null)
    const { present, close } = await openPresent(history.folder)
    const check = async (seq: number, question: Question, explanation: Explanation) => {
      // The owner's, which is found by history, is the one that a search of the journal finds.
      const account = present.view.accounts.idOf(explanation.facts.account!)
      const owners = await explainOf(present, account, question, (job) =>
        explainPast(past, job, null),
      )
      assert.deepEqual({ ...owners, pending: [] }, explanation, `seed ${seed}, seq ${seq}`)
      steps += explanation.steps.filter(({ rule }) => rule === 'LIQ-3').length
      for (const step of explanation.steps)
        assert.ok(step.agrees, `seed ${seed}, seq ${seq}: ${JSON.stringify(step)}`)
    }
    for (const { seq, events, at } of found) {
      for (const { history: id, cause } of fillsOf(events[at]!))
        if (fills++ <= fillsMax || (cause !== 'normal' && fills <= forcedMax))
          await check(seq, { what: 'fill', id }, await explainFill(past, id, null))
      const event = events[at]!
      if (event.type === 'AlgoEnded' && event.filled > 0 && algos++ < algosMax)
        await check(
          seq,
          { what: 'order', id: event.algo },
          await explainOrder(past, event.algo, null),
        )
      if (event.type !== 'LiquidationStarted' || here === liquidationsMax) continue
      here += 1
      liquidations += 1
      const explanation = await explainLiquidation(past, `${seq}`, null)
      await check(seq, { what: 'liquidation', id: seq }, explanation)
    }
    const orders = Array.from({ length: ordersMax }, (_, at) => 1 + at * ordersEvery)
    for (const id of orders) {
      const explanation = await explainOrder(past, id, null).catch(() => null)
      if (explanation !== null) await check(0, { what: 'order', id }, explanation)
    }
    close()
    await history.end()
  }
  const counts = [fills, liquidations, steps, algos]
  assert.ok(isEnough(), `${counts}`)
})

test('recomputed numbers are the recorded ones, for rejections and withdrawals', async () => {
  const always = () => true
  const counts = new Map<string, number>()
  let entries = 0
  const wanted = ['INSUFFICIENT_BALANCE', 'OVER_WITHDRAWAL', 'WithdrawalRequested']
  const isMissing = () => wanted.some((name) => !counts.has(name))
  for (let seed = 3; seed < 30 && (seed < 5 || entries <= 2 || isMissing()); seed++) {
    const history = new DiskHistory(seed)
    await history.open()
    await history.run(700)
    const past = folderPast(history.folder)
    const wanted = { CommandRejected: always, WithdrawalRequested: always }
    const { found } = await findEvents(past, wanted, null)
    for (const { seq, events, at } of found) {
      const event = events[at]!
      const name = event.type === 'CommandRejected' ? event.rejection : event.type
      const seen = counts.get(name) ?? 0
      if (!explainable.has(name) || seen >= refusalsMax) continue
      const explanation =
        event.type === 'WithdrawalRequested'
          ? await explainWithdrawal(past, event.withdrawal)
          : await explainRefusal(past, `${seq}`, [seq])
      for (const step of explanation.steps)
        assert.ok(step.agrees, `seed ${seed}, seq ${seq}: ${JSON.stringify(step)}`)
      if (explanation.steps.some(({ rule }) => rule === 'MARGIN-4')) entries += 1
      if (explanation.steps.length > 0) counts.set(name, seen + 1)
    }
    await history.end()
  }
  assert.ok(entries > 2, `${entries} orders were refused by their entry check`)
  for (const name of wanted)
    assert.ok((counts.get(name) ?? 0) > 0, `${name}: ${JSON.stringify([...counts])}`)
})

/** Whether its payments are in its second half. */
function paysLate(seed: number): boolean {
  const events = drawnEvents(seed, 900)
  const paid = (from: number, to: number) =>
    events
      .slice(from, to)
      .flat()
      .filter(({ type }) => type === 'FundingPaid').length
  return paid(450, 900) > 7 && paid(0, 450) === 0
}

/** A history in whose second half an hour ends with enough samples for a rate. */
async function paidHistory() {
  for (let seed = 0; seed < 400; seed++) {
    if (!paysLate(seed)) continue
    const history = new DiskHistory(seed)
    await history.open({ journal: { segmentBytes: 3_000 } })
    await history.run(450)
    const before = await history.data.snapshotNow()
    await history.run(450)
    const after = await history.data.snapshotNow()
    await history.data.close({ snapshot: false })
    const { found } = await findEvents(
      folderPast(history.folder),
      { FundingPaid: () => true },
      null,
    )
    if (found.length > 7 && found.every(({ seq }) => seq > before && seq < after))
      return { history, before, after, found }
    await history.end()
  }
  throw new Error('no history has funding payments')
}

test('a funding payment is explained from the journal of its hour alone', async () => {
  const { history, before, after, found } = await paidHistory()
  const { folder } = history
  const [journal, snapshots] = [join(folder, 'journal'), join(folder, 'snapshots')]
  const ids = [1, 7, found.length]
  const explained = (path: string, id: number) =>
    explainFunding(folderPast(path), id, null, storedPayment(storeFile(path), id))
  const same = async (expected: readonly Explanation[]) => {
    for (const [at, id] of ids.entries())
      assert.deepEqual(await explained(folder, id), expected[at])
  }
  const counted = await Promise.all(ids.map((id) => explained(folder, id)))
  for (const { steps } of counted) assert.ok(steps.every(({ agrees }) => agrees))
  await rebuildHistory(folder, { onProgress: () => undefined, onWarning: () => undefined })
  await same(counted)
  await pruneSegments(journal, before)
  assert.ok(listSegments(journal)[0]!.firstSeq > 1)
  await same(counted)
  const copy = history.copy()
  deleteStore(copy)
  await assert.rejects(explained(copy, 7), /no history store has payment 7/)
  await pruneSnapshots(snapshots, 1)
  await pruneSegments(journal, after)
  await assert.rejects(explained(folder, 7), /no funding payment 7 .* no longer there/)
  rmSync(history.root, { recursive: true, force: true })
})
