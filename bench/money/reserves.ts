import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { viewOf } from '../../src/core/view/exchange-view.ts'
import { checkReserves } from '../../src/projections/reserves/check-reserves.ts'
import { checkInclusion } from '../../src/projections/reserves/inclusion.ts'
import { makeReserves } from '../../src/projections/reserves/make-reserves.ts'
import {
  publishedReserves,
  reserveFileName,
} from '../../src/projections/reserves/published-reserves.ts'
import { number } from '../../test/support/program/options.ts'
import { LoadRun } from '../load-run.ts'
import { benchOptions, waitedForCoreMs, whole } from '../options.ts'

const {
  accounts: accountCount,
  json,
  requireBars,
  say,
} = benchOptions({
  name: 'bench/reserves',
  about:
    'How long it takes to make a proof of reserves, to check all of it, and to prove one account.',
  options: {
    accounts: number(100_000, 'accounts'),
  },
})

const secondsMax = 5
const proofs = 100

const nameOf = (n: number): string => `${n}`.padStart(44, 'account')

function world(): LoadRun {
  const run = new LoadRun()
  run.listMarket('BTC-USD', 50_000)
  const maker = run.deposit('maker', 100_000_000_000_000)
  for (let n = 0; n < accountCount; n++) {
    const account = run.deposit(nameOf(n), 10_000_000_000 + n)
    if (n % 10 !== 0) continue
    const deal = { market: 1, price: 50_000, size: 10, tif: 'GTC' } as const
    run.place({ ...deal, account: maker, side: 'ask' })
    run.place({ ...deal, account, side: 'bid' })
  }
  return run
}

async function main(): Promise<void> {
  const view = viewOf(world().state)
  const folder = mkdtempSync(join(tmpdir(), 'openperp-bench-'))
  const file = join(folder, reserveFileName(1))
  // Time in which the system ran other programs is not counted.
  const own = () => performance.now() - waitedForCoreMs()
  const since = (start: number) => own() - start
  const start = own()
  const input = { view, seq: 1, stateHash: '0'.repeat(64), key: Buffer.alloc(32, 1) }
  const { summary, parts } = makeReserves(input)
  writeFileSync(file, Buffer.concat([...parts]))
  const makeMs = since(start)
  const checking = own()
  const { findings } = await checkReserves(file)
  const checkMs = since(checking)
  const proving = own()
  const published = publishedReserves(folder)
  let wrong = 0
  for (let n = 0; n < proofs; n++) {
    const inclusion = await published.inclusionOf(nameOf((n * 7_919) % accountCount))
    if (checkInclusion(inclusion, summary.root).findings.length > 0) wrong += 1
  }
  const askMs = since(proving) / proofs
  const bytes = statSync(file).size
  rmSync(folder, { recursive: true })
  const found = { accounts: summary.accounts, make_ms: makeMs, check_ms: checkMs, ask_ms: askMs }
  if (json) console.log(JSON.stringify({ ...found, bytes, findings: findings.length, wrong }))
  say(`made        ${whole(makeMs)} ms for ${whole(summary.accounts)} accounts, written`)
  say(`checked     ${whole(checkMs)} ms, ${findings.length} findings`)
  say(`one account ${askMs.toFixed(2)} ms, read and checked, ${wrong} wrong`)
  say(`file        ${whole(bytes)} bytes`)
  const missed: string[] = []
  if (makeMs >= secondsMax * 1_000) missed.push(`making not below ${secondsMax} s`)
  if (checkMs >= secondsMax * 1_000) missed.push(`checking not below ${secondsMax} s`)
  if (findings.length > 0 || wrong > 0) missed.push('the proof does not hold')
  requireBars(missed)
}

await main()
