// Explanations from a data folder, which a running exchange may be writing. The journal is searched
// for the object, so that no history is needed; what has not happened needs the history store, or
// makes one in memory.

import { explainFunding } from '../../../projections/explain/explain-funding.ts'
import { explainLiquidation } from '../../../projections/explain/explain-liquidation.ts'
import { explainFill, explainOrder } from '../../../projections/explain/explain-order.ts'
import { explainPosition } from '../../../projections/explain/explain-position.ts'
import { explainRefusal, explainWithdrawal } from '../../../projections/explain/explain-refusal.ts'
import type { Explanation } from '../../../projections/explain/explanation.ts'
import { folderPast } from '../../../projections/explain/folder-past.ts'
import { NoExplanation } from '../../../projections/explain/past.ts'
import { type Present, pendingOf } from '../../../projections/explain/pending-order.ts'
import { storeFile } from '../../../projections/history/store-file.ts'
import { storedPayment } from '../../../projections/history/stored-payment.ts'
import { CliError, misused } from '../../frame/exit-codes.ts'
import { explainKey } from './explain-key.ts'
import { explainTrip } from './explain-trip.ts'
import { openPresent } from './folder-present.ts'

/** `account`: address or `null`. Throws a `CliError` if there is no such object. */
export async function folderExplanation(
  folder: string,
  { what, id, account }: Readonly<{ what: string; id: string | undefined; account: string | null }>,
): Promise<Explanation> {
  try {
    return await explained(folder, what, id, account)
  } catch (error) {
    if (error instanceof NoExplanation) throw new CliError('refused', error.message)
    throw error
  }
}

function explained(
  folder: string,
  what: string,
  id: string | undefined,
  account: string | null,
): Promise<Explanation> {
  const past = folderPast(folder)
  const which = (id === 'latest' ? undefined : id) ?? account
  if (what === 'liquidation') return explainLiquidation(past, which, null)
  if (what === 'refusal') return explainRefusal(past, which, null)
  if (what === 'trip') return explainTrip(past, which)
  if (what === 'key') {
    if (id === undefined)
      throw misused('explain key needs its address', 'openperp explain key 9hSR…')
    return explainKey(past, id)
  }
  if (what === 'position') {
    if (id === undefined || account === null)
      throw misused(
        'explain position needs a market and an account',
        'openperp explain position BTC --account <address>',
      )
    return positionIn(folder, id, account)
  }
  if (id === undefined || !/^[1-9]\d{0,14}$/.test(id))
    throw misused(`explain ${what} needs an id`, `openperp explain ${what} 42`)
  const number = Number.parseInt(id, 10)
  if (what === 'withdrawal') return explainWithdrawal(past, number)
  if (what === 'funding')
    return explainFunding(past, number, null, storedPayment(storeFile(folder), number))
  return what === 'order' ? orderIn(folder, number) : explainFill(past, number, null)
}

async function orderIn(folder: string, id: number): Promise<Explanation> {
  const explanation = await explainOrder(folderPast(folder), id, null)
  const pending = await inPresent(folder, (present) => {
    const account = present.view.accounts.idOf(explanation.facts.account!)
    return pendingOf(present, account, id)
  })
  return { ...explanation, pending }
}

function positionIn(folder: string, symbol: string, address: string): Promise<Explanation> {
  return inPresent(folder, (present) =>
    explainPosition(present, present.view.accounts.idOf(address), symbol),
  )
}

async function inPresent<T>(folder: string, work: (present: Present) => Promise<T>): Promise<T> {
  const { present, close } = await openPresent(folder)
  try {
    return await work(present)
  } finally {
    close()
  }
}
