// The checks of `openperp verify`: the file by itself, and against the journal if it is available.

import { readFileSync, statSync } from 'node:fs'
import type { ExchangeView } from '../../core/index.ts'
import { checkReserves } from '../../projections/reserves/check-reserves.ts'
import { checkInclusion, type Inclusion } from '../../projections/reserves/inclusion.ts'
import { leafOf } from '../../projections/reserves/make-reserves.ts'
import { type ReserveSummary, usdOf } from '../../projections/reserves/reserve-summary.ts'
import type { Leaf } from '../../projections/reserves/reserve-tree.ts'
import { stateHash } from '../../sequencer/snapshots/state-hash.ts'
import { misused } from '../frame/exit-codes.ts'
import { replicaAt } from './write-reserves.ts'

type Against = Readonly<{ root: string | null; folder: string | null }>

export type Verified = Readonly<{
  what: string
  summary: ReserveSummary | null
  findings: readonly string[]
}>

/** Maximum bytes of an inclusion file. An inclusion has some dozen hashes, but may be part of a
 *  long statement. */
const inclusionBytesMax = 64 * 1_024 * 1_024

export async function verifyFile(path: string, against: Against): Promise<Verified> {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats?.isFile() !== true) throw misused(`${path} is not a file`)
  const inclusion = stats.size <= inclusionBytesMax ? inclusionIn(path) : null
  if (inclusion !== null) return verifyInclusion(inclusion, against)
  const { head, leaves, findings } = await checkReserves(path)
  if (head === null) return { what: '', summary: null, findings }
  const { summary } = head
  const more: string[] = []
  if (against.root !== null && against.root !== summary.root)
    more.push(`the published root is ${against.root}`)
  if (against.folder !== null) {
    const { view, state } = await replicaAt(against.folder, summary.seq)
    if (stateHash(state) !== summary.stateHash) more.push('the journal comes to another state')
    more.push(...differences(view, { summary, leaves, key: head.key }))
  }
  const what = `${summary.accounts} accounts, ${usdOf(summary.liabilities)} USD`
  return { what, summary, findings: [...findings, ...more] }
}

/** Reads an inclusion; `null` if the file has another format. `openperp request` prints only the
 *  reply, the API wraps it in its envelope, and a statement contains it at its end. */
function inclusionIn(path: string): Partial<Inclusion> | null {
  try {
    const parsed = JSON.parse(readFileSync(path, 'utf8'))
    const reply = parsed?.data ?? parsed
    const inclusion = reply?.at_end?.reserve_proof ?? reply
    return inclusion?.path === undefined ? null : inclusion
  } catch {
    // Not JSON, because the file is a whole proof.
    return null
  }
}

function verifyInclusion(inclusion: Partial<Inclusion>, against: Against): Verified {
  const { findings } = checkInclusion(inclusion, against.root)
  const { account, liability, root } = inclusion
  const what = `${account} is owed ${liability} USD under the root ${root}`
  return { what, summary: null, findings }
}

type Claimed = Readonly<{
  summary: ReserveSummary
  leaves: readonly Leaf[]
  key: Uint8Array
}>

const differencesMax = 20

const netOf = ({ liability, debt }: Leaf) => usdOf(BigInt(liability - debt))

/** Compares every account of the core with its leaf in the proof. */
function differences(view: ExchangeView, { summary, leaves, key }: Claimed): string[] {
  const byAddress = new Map(leaves.map((leaf) => [leaf.address, leaf]))
  const found: string[] = []
  const { accounts, money } = view
  for (let account = 1; account <= accounts.count && found.length < differencesMax; account++) {
    const leaf = leafOf(view, account, key)
    const { address, liability, debt } = leaf
    const claimed = byAddress.get(address)
    byAddress.delete(address)
    const owed = netOf(leaf)
    if (claimed === undefined) found.push(`${address}: it is owed ${owed} USD and is not there`)
    else if (claimed.liability !== liability || claimed.debt !== debt)
      found.push(`${address}: it is owed ${owed} USD, not ${netOf(claimed)}`)
  }
  for (const address of [...byAddress.keys()].slice(0, differencesMax))
    found.push(`${address}: the exchange has no such account`)
  const total = BigInt(money.deposits) - BigInt(money.withdrawn)
  if (summary.total !== total)
    found.push(`${usdOf(total)} USD came in and did not leave, not ${usdOf(summary.total)}`)
  return found
}
