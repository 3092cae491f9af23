// Replays the journal from the first entry on: what every recorded read said must be what the state
// says at its entry.

import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Exchange } from '../../../../src/gateway/exchange.ts'
import { replyBody } from '../../../../src/gateway/http/envelope.ts'
import type { Operation } from '../../../../src/gateway/operation.ts'
import { getAccount } from '../../../../src/gateway/operations/account/get-account.ts'
import { getPositions } from '../../../../src/gateway/operations/contract/get-positions.ts'
import { getBook } from '../../../../src/gateway/operations/markets/get-book.ts'
import { getOpenOrders } from '../../../../src/gateway/operations/orders/get-open-orders.ts'
import { readDataFolder } from '../../../../src/sequencer/data-folder.ts'
import { recover } from '../../../../src/sequencer/replica/recover.ts'
import type { Replica } from '../../../../src/sequencer/replica/replica.ts'
import { SavedStateFiles } from '../../../../src/sequencer/snapshots/saved-state-files.ts'
import type { Recorded } from './read-recorder.ts'

const operations: readonly Operation[] = [getBook, getPositions, getOpenOrders, getAccount]

const byPath = new Map(operations.map((operation) => [operation.http.split(' ')[1]!, operation]))

export type Checked = Readonly<{ reads: number; seq: number; wrong: readonly string[] }>

/** Of a folder whose node has ended. Snapshots are left aside. */
export async function checkRecorded(folder: string, recorded: Recorded): Promise<Checked> {
  const wrong: string[] = []
  let reads = 0
  let lastSeen = -1
  const look = (replica: Replica) => {
    const { seq } = replica
    if (seq === lastSeen) return
    lastSeen = seq
    for (const [path, said] of recorded.get(seq) ?? []) {
      reads += 1
      const is = replyAt(replica, path)
      if (is !== said) wrong.push(`${path} at entry ${seq}: it said ${said}, and ${is} was so`)
    }
  }
  const data = readDataFolder(folder)
  const snapshots = join(mkdtempSync(join(tmpdir(), 'openperp-replay-')), 'none')
  mkdirSync(snapshots)
  const { replica } = await recover(
    { ...data, snapshots },
    {
      saved: new SavedStateFiles(data.saved),
      watch: { before: (_, met) => look(met), frame: (_, left) => look(left) },
    },
  )
  for (const seq of recorded.keys())
    if (seq > replica.seq)
      wrong.push(`a reply names entry ${seq}, and history ends at ${replica.seq}`)
  return { reads, seq: replica.seq, wrong }
}

function replyAt({ view, seq }: Replica, path: string): string {
  const { pathname, searchParams } = new URL(path, 'http://exchange')
  const operation = byPath.get(pathname)!
  const exchange = { view, seq: () => seq, settings: { reads: 'public' } } as unknown as Exchange
  const { refusals } = operation
  const request = Object.fromEntries(searchParams)
  const caller = { requestId: '', ip: '', keyAccount: null }
  const call = { request, exchange, caller, refusals }
  const reply = (operation.handle as (given: unknown) => unknown)(call)
  return JSON.stringify(replyBody(operation.wraps, reply))
}
