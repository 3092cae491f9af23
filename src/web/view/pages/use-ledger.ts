// The fills and funding payments of the account: all of them, up to a bound, and later the newer
// ones.

import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Client } from '../../../client/client.ts'
import { type Ledger, withNewer } from '../../model/portfolio/account-ledger.ts'
import type { AccountTrade, FundingPayment } from '../../model/wire.ts'
import { useTerminal } from '../use-terminal.ts'

const pageRows = 4_000
/** Older rows are not loaded, because each page costs credits. */
export const pagesMax = 5
const settleMs = 700

type Page<Row> = Readonly<{ rows: readonly Row[]; next_cursor: string | null }>

async function allPages<Row>(ask: (cursor: string | null) => Promise<Page<Row>>) {
  const rows: Row[] = []
  let cursor: string | null = null
  for (let page = 0; page < pagesMax; page++) {
    const answer: Page<Row> = await ask(cursor)
    rows.push(...answer.rows)
    cursor = answer.next_cursor
    if (cursor === null) break
  }
  return { rows, partial: cursor !== null }
}

async function load(client: Client, account: string): Promise<Ledger> {
  const wish = { account, limit: pageRows }
  const [fills, funding] = await Promise.all([
    allPages<AccountTrade>((cursor) => client.getTradeHistory({ ...wish, cursor })),
    allPages<FundingPayment>((cursor) => client.getFundingHistory({ ...wish, cursor })),
  ])
  return { fills: fills.rows, funding: funding.rows, partial: fills.partial || funding.partial }
}

/** Adds the rows since the newest known ones; loads all of them if those are not there any more. */
async function renew(client: Client, account: string, known: Ledger): Promise<Ledger> {
  const [newest] = known.fills
  if (newest === undefined) return load(client, account)
  const [fills, funding] = await Promise.all([
    client.getTradeHistory({ account, limit: pageRows, start_time: newest.created_at }),
    client.getFundingHistory({ account, limit: 200 }),
  ])
  const [newFills, newFunding] = [
    withNewer(known.fills, fills.rows),
    withNewer(known.funding, funding.rows),
  ]
  if (newFills === null || newFunding === null || fills.next_cursor !== null)
    return load(client, account)
  return { fills: newFills, funding: newFunding, partial: known.partial }
}

export type LedgerState = Readonly<{
  of: string
  ledger: Ledger | null
  /** Why it could not be loaded. */
  why: string | null
}>

export function useLedger(): { state: Signal<LedgerState>; again: () => void } {
  const { reader, address, account } = useTerminal()
  const client = reader.value
  const who = address.value ?? ''
  const happened = account.changes.value
  const tries = useSignal(0)
  const state = useSignal<LedgerState>({ of: who, ledger: null, why: null })
  if (state.peek().of !== who) state.value = { of: who, ledger: null, why: null }
  useEffect(() => {
    let closed = false
    const { ledger: known } = state.peek()
    const ask = async () => {
      try {
        const ledger = await (known === null ? load(client, who) : renew(client, who, known))
        if (!closed) state.value = { of: who, ledger, why: null }
      } catch (error) {
        if (!closed) state.value = { of: who, ledger: known, why: (error as Error).message }
      }
    }
    const wait = known === null ? 0 : settleMs
    const timer = who === '' ? undefined : setTimeout(() => void ask(), wait)
    return () => {
      closed = true
      clearTimeout(timer)
    }
  }, [client, who, happened, tries.value])
  const again = () => {
    tries.value = tries.peek() + 1
  }
  return { state, again }
}
