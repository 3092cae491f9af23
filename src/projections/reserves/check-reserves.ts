// Verifies a proof of reserves: the complete file, or the inclusion of one account under a root.
// Returns a list of errors, which is empty for a valid proof.

import { type FileHandle, open } from 'node:fs/promises'
import {
  fileBytes,
  headIn,
  headPlace,
  leafIn,
  leafPlace,
  nodeIn,
  nodePlace,
  type Place,
  type ReserveHead,
} from './reserve-file.ts'
import { addsUp, usdOf } from './reserve-summary.ts'
import {
  type Leaf,
  leafNode,
  levelAbove,
  levelSizes,
  saltOf,
  type TreeNode,
} from './reserve-tree.ts'

export type CheckedReserves = Readonly<{
  head: ReserveHead | null
  leaves: readonly Leaf[]
  findings: readonly string[]
}>

/** Maximum number of findings, because an invalid file may have one in each line. */
const findingsMax = 20
const bytesPerRead = 4 * 1_024 * 1_024

/** Reads lines of equal length, starting at a position, many at a time. */
export async function* linesFrom(file: FileHandle, first: Place, count: number) {
  const linesPerRead = Math.max(1, Math.floor(bytesPerRead / first.bytes))
  for (let done = 0; done < count; done += linesPerRead) {
    const some = Math.min(linesPerRead, count - done)
    const buffer = Buffer.alloc(some * first.bytes)
    await file.read(buffer, 0, buffer.length, first.offset + done * first.bytes)
    for (let at = 0; at < some; at++)
      yield { at: done + at, line: buffer.subarray(at * first.bytes, (at + 1) * first.bytes) }
  }
}

export async function readHead(file: FileHandle): Promise<ReserveHead | null> {
  const line = Buffer.alloc(headPlace.bytes)
  const { bytesRead } = await file.read(line, 0, line.length, 0)
  return headIn(line.subarray(0, bytesRead))
}

export async function checkReserves(path: string): Promise<CheckedReserves> {
  const file = await open(path, 'r')
  try {
    const head = await readHead(file)
    if (head === null) return { head, leaves: [], findings: ['it is not a proof of reserves'] }
    const findings: string[] = []
    const add = (text: string) => findings.length < findingsMax && findings.push(text)
    const { size } = await file.stat()
    const due = fileBytes(head)
    const { accounts } = head.summary
    if (size !== due) add(`${size} bytes, and ${accounts} accounts take ${due}`)
    const leaves = size < due ? [] : await checkLeaves(file, head, add)
    if (leaves.length === accounts && accounts > 0) await checkNodes(file, head, leaves, add)
    return { head, leaves, findings }
  } finally {
    await file.close()
  }
}

type AddFinding = (text: string) => unknown

async function checkLeaves(file: FileHandle, head: ReserveHead, add: AddFinding): Promise<Leaf[]> {
  const { summary, key } = head
  const leaves: Leaf[] = []
  let debts = 0n
  let before: Leaf | null = null
  for await (const { at, line } of linesFrom(file, leafPlace(head, 0), summary.accounts)) {
    const leaf = leafIn(line)
    if (leaf === null) {
      add(`line ${at + 2} is not an account`)
      continue
    }
    const { salt, address } = leaf
    if (Buffer.compare(saltOf(key, address), salt) !== 0) add(`${address}: the salt is not its own`)
    const order = before === null ? 1 : Buffer.compare(salt as Buffer, before.salt as Buffer)
    if (order === 0) add(`${address}: it occurs twice`)
    if (order < 0) add(`${address}: it is out of order`)
    if (leaf.liability > 0 && leaf.debt > 0) add(`${address}: it is owed and owes`)
    debts += BigInt(leaf.debt)
    before = leaf
    leaves.push(leaf)
  }
  if (debts !== summary.debts)
    add(`debts are ${usdOf(debts)} USD, the summary says ${usdOf(summary.debts)}`)
  return leaves
}

async function checkNodes(
  file: FileHandle,
  head: ReserveHead,
  leaves: readonly Leaf[],
  add: AddFinding,
): Promise<void> {
  const { summary } = head
  let level: TreeNode[] = leaves.map(leafNode)
  for (const [index, size] of levelSizes(leaves.length).slice(1).entries()) {
    level = levelAbove(level)
    for await (const { at, line } of linesFrom(file, nodePlace(head, index + 1, 0), size)) {
      const [due, found] = [level[at]!, nodeIn(line)]
      const same =
        found !== null && found.sum === due.sum && Buffer.compare(due.hash, found.hash) === 0
      if (!same) add(`node ${at} of level ${index + 1} is not what its children make`)
    }
  }
  const [root] = level
  if (Buffer.from(root!.hash).toString('hex') !== summary.root)
    add('the accounts do not make the root of the summary')
  const [sum, said] = [usdOf(root!.sum), usdOf(summary.liabilities)]
  if (sum !== said) add(`accounts are owed ${sum} USD, the summary says ${said}`)
  if (!addsUp(summary))
    add(
      `${said} owed - ${usdOf(summary.debts)} of debts + ${usdOf(summary.funding)} of funding ` +
        `is not the ${usdOf(summary.total)} that came in and did not leave`,
    )
}
