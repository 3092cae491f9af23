// The proof that an account is included under the root, and its verification.

import { microOf, usdOf } from './reserve-summary.ts'
import { hashBytes, type Leaf, rootOver, type Step, saltBytes, siblingsOf } from './reserve-tree.ts'

/** The proof as JSON: hashes and salt in hexadecimal, amounts in USD. */
export type Inclusion = Readonly<{
  seq: number
  at: number
  root: string
  liabilities: string
  accounts: number
  account: string
  liability: string
  debt: string
  salt: string
  index: number
  path: readonly Readonly<{ side: Step['side']; hash: string; sum: string }>[]
}>

export type CheckedInclusion = Readonly<{ findings: readonly string[] }>

const hexOf = (text: unknown, bytes: number): Buffer | null =>
  typeof text === 'string' && new RegExp(`^[0-9a-f]{${bytes * 2}}$`).test(text)
    ? Buffer.from(text, 'hex')
    : null

const countOf = (value: unknown): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : -1

/** `root`: the published root; `null` to check only that the proof is consistent. */
export function checkInclusion(value: unknown, root: string | null): CheckedInclusion {
  const given = (value ?? {}) as Partial<Inclusion>
  const leaf = leafIn(given)
  const steps = stepsIn(given.path)
  const [index, accounts] = [countOf(given.index), countOf(given.accounts)]
  if (leaf === null || steps === null || index < 0 || index >= accounts)
    return { findings: ['it is not a proof that an account is included'] }
  const findings: string[] = []
  // The shape is checked, because otherwise an inner node could be presented as a leaf.
  const sides = siblingsOf(index, accounts).map(({ side }) => side)
  if (sides.join() !== steps.map(({ side }) => side).join())
    findings.push(`the path is not that of account ${index} of ${accounts}`)
  const { hash, sum } = rootOver(leaf, steps)
  const made = Buffer.from(hash).toString('hex')
  if (made !== given.root) findings.push(`the path leads to the root ${made}, not to ${given.root}`)
  if (usdOf(sum) !== given.liabilities)
    findings.push(`the path sums to ${usdOf(sum)} USD, not to ${given.liabilities}`)
  if (root !== null && root !== made) findings.push(`the root that was published is ${root}`)
  return { findings }
}

function leafIn({ salt: hex, liability, debt, account }: Partial<Inclusion>): Leaf | null {
  const salt = hexOf(hex, saltBytes)
  const [owed, owes] = [amountOf(liability), amountOf(debt)]
  if (salt === null || owed === null || owes === null || typeof account !== 'string') return null
  return { salt, liability: owed, debt: owes, address: account }
}

function amountOf(text: unknown): number | null {
  const micro = typeof text === 'string' ? microOf(text) : null
  if (micro === null || micro < 0n || micro > BigInt(Number.MAX_SAFE_INTEGER)) return null
  return Number.parseInt(micro.toString(), 10)
}

const stepsMax = 64

function stepsIn(path: unknown): Step[] | null {
  if (!Array.isArray(path) || path.length > stepsMax) return null
  const steps: Step[] = []
  for (const each of path as Partial<Inclusion['path'][number]>[]) {
    const hash = hexOf(each?.hash, hashBytes)
    const sum = typeof each?.sum === 'string' ? microOf(each.sum) : null
    const { side } = each ?? {}
    // A negative sum would hide liabilities to other accounts.
    if (hash === null || sum === null || sum < 0n) return null
    if (side !== 'left' && side !== 'right') return null
    steps.push({ hash, sum, side })
  }
  return steps
}
