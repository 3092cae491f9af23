// Money through a treasury of files, at a real exchange that is killed with -9 at random moments.
// Custody here is as simple as can be: it takes an order by deleting its file, pays, and reports.
// It remembers nothing, so an order that were given twice would be paid twice.

import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from '../../../src/client/client.ts'
import { type Key, newKey } from '../../../src/client/key.ts'
import { Random } from '../../programs/differential/random.ts'
import { adminToken, ChildExchange } from '../running/child-exchange.ts'

export const head = 'type,reference,account,amount,withdrawal_id,reason\n'

export type TreasuryReport = Readonly<{
  credited: string
  due: string
  paid: readonly number[]
  /** Withdrawals that the exchange has, by its own ledger. */
  withdrawals: number
  /** Neither completed nor failed in the end. */
  open: number
}>

const settleMs = 60_000

export class Custody {
  readonly folder: string
  readonly paid: number[] = []
  private files = 0

  constructor(folder: string) {
    this.folder = folder
    mkdirSync(join(folder, 'in'), { recursive: true })
    mkdirSync(join(folder, 'out'), { recursive: true })
  }

  /** Written under another name, then renamed. */
  report(...rows: readonly string[]): void {
    const name = `${`${this.files++}`.padStart(6, '0')}.csv`
    const part = join(this.folder, 'in', `${name}.part`)
    writeFileSync(part, `${head}${rows.map((row) => `${row}\n`).join('')}`)
    renameSync(part, join(this.folder, 'in', name))
  }

  /** Takes what there is to pay. */
  work(): void {
    for (const name of readdirSync(join(this.folder, 'out'))) {
      if (!name.endsWith('.csv')) continue
      const file = join(this.folder, 'out', name)
      const row = readFileSync(file, 'utf8').split('\n')[1]!
      rmSync(file)
      const [id = ''] = row.split(',')
      this.paid.push(Number(id))
      // Reported twice, and in two files: it must not matter.
      this.report(`completed,tx-${id},,,${id},`)
      this.report(`completed,tx-${id},,,${id},`)
    }
  }
}

export async function runTreasuryRounds(rounds: number, seed: number): Promise<TreasuryReport> {
  const root = mkdtempSync(join(tmpdir(), 'openperp-treasury-'))
  const random = new Random(seed)
  const custody = new Custody(join(root, 'treasury'))
  const setting = JSON.stringify({ kind: 'files', folder: custody.folder })
  const flags = ['--bots', 'off', '--treasury', setting]
  const start = () => new ChildExchange(join(root, 'data'), flags)
  const key = newKey()
  const withdrawals: number[] = []
  let due = 0
  let exchange = start()
  await exchange.ready
  for (let round = 0; round < rounds; round++) {
    for (const part of [0, 1, 2]) {
      custody.report(`deposit,wire-${round}-${part},${key.address},10,,`)
      due += 10
    }
    const work = withdraw(exchange, key, withdrawals)
    const until = Date.now() + 200 + random.below(1_500)
    while (Date.now() < until) {
      custody.work()
      await sleep(10)
    }
    exchange.kill('SIGKILL')
    await exchange.ended
    await work
    exchange = start()
    await exchange.ready
  }
  const until = Date.now() + settleMs
  const standing = async () => {
    const { adminPort } = await exchange.ready
    const ask = async (path: string) => {
      const headers = { authorization: `Bearer ${adminToken}` }
      const reply = await fetch(`http://127.0.0.1:${adminPort}${path}`, { headers })
      return ((await reply.json()) as { data: never }).data
    }
    const shown = await ask(`/accounts/statement?account=${key.address}`)
    return shown as {
      totals: { event_type: string; amount: string }[]
      closing: { pending_balance: string }
    }
  }
  const amountOf = async (kind: string) =>
    (await standing()).totals?.find(({ event_type }) => event_type === kind)?.amount ?? '0'
  const isSettled = async () => {
    custody.work()
    if (readdirSync(join(custody.folder, 'in')).some(isReport)) return false
    return (
      Number(await amountOf('deposit')) >= due &&
      Number((await standing()).closing.pending_balance) === 0
    )
  }
  while (!(await isSettled()) && Date.now() < until) await sleep(100)
  const credited = await amountOf('deposit')
  const open = Number((await standing()).closing.pending_balance)
  const withdrawn = -Number(await amountOf('withdraw')) / 2
  exchange.kill('SIGKILL')
  await exchange.ended
  rmSync(root, { recursive: true, force: true })
  return { credited, due: `${due}`, paid: custody.paid, withdrawals: withdrawn, open }
}

const isReport = (name: string) => name.endsWith('.csv')

/** As many as there is time for. */
async function withdraw(exchange: ChildExchange, key: Key, withdrawals: number[]): Promise<void> {
  try {
    const { port } = await exchange.ready
    const client = new Client({ url: `http://127.0.0.1:${port}`, signer: key })
    for (;;) {
      try {
        const { withdrawal_id } = await client.withdraw({ amount: '2' })
        withdrawals.push(withdrawal_id)
        if (withdrawals.length % 4 === 0) return
      } catch (error) {
        if (!/ACCOUNT|WITHDRAW|balance/i.test((error as Error).message)) throw error
      }
      await sleep(50)
    }
  } catch {
    // It was killed meanwhile.
  }
}
