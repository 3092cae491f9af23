import type { ExchangeData } from '../src/sequencer/exchange-data.ts'
import { number } from '../test/support/program/options.ts'
import { DiskRun } from './disk-run.ts'
import { placeCommand } from './load-run.ts'
import { benchOptions, bytesInUse, waitedForCoreMs, whole } from './options.ts'
import { deposit, listing } from './paired/signed-flow.ts'

const {
  accounts: accountCount,
  orders: orderCount,
  json,
  requireBars,
  say,
} = benchOptions({
  name: 'bench/pause',
  about:
    'An exchange on disk with a million resting orders takes a snapshot while orders keep ' +
    'coming. How long does an order wait at most for its durable reply, with and without the ' +
    'snapshot? And how long does a small exchange take to revert to a snapshot? Time in which ' +
    'the trading thread waited for a core is reported and not counted.',
  options: {
    accounts: number(10_000, 'accounts'),
    orders: number(1_000_000, 'resting orders'),
  },
})

const pauseMsMax = 50
const revertMsMax = 100
const SYMBOLS = ['BTC-USD', 'ETH-USD', 'SOL-USD', 'XRP-USD']
const MIDDLE = 50_000
const LEVELS = 2_000
const FIRST_ACCOUNT = 8
const WAITING_MAX = 2_048
const DEPOSIT = 100_000_000_000
const SMALL = { accounts: 1_000, orders: 5_000 }
/** Orders a burst, and bursts a second, while the snapshot is taken. */
const BURST = 10
const BURST_MS = 10
const CALM_MS = 3_000

const spread = (n: number, end: number): number => (n * 7_919) % end

function orderOf(n: number, accounts = accountCount) {
  const off = 1 + spread(n, LEVELS)
  const bid = n % 2 === 0
  return placeCommand({
    account: FIRST_ACCOUNT + (n % accounts),
    market: 1 + (n % SYMBOLS.length),
    side: bid ? 'bid' : 'ask',
    price: bid ? MIDDLE - off : MIDDLE + off,
    size: 1 + spread(n, 100),
    tif: 'GTC',
  })
}

type Size = Readonly<{ accounts: number; orders: number }>

async function build({ sequencer }: ExchangeData, run: DiskRun, size: Size): Promise<void> {
  for (const symbol of SYMBOLS) await sequencer.submit(listing(symbol, MIDDLE))
  const submit = async (n: number, command: Parameters<typeof sequencer.submit>[0]) => {
    const done = sequencer.submit(command)
    if (n % 200 === 0) run.atMs += 1
    if (sequencer.waitingCount >= WAITING_MAX) await done
  }
  for (let n = 0; n < size.accounts; n++) await submit(n, deposit(`trader-${n}`, DEPOSIT))
  for (let n = 0; n < size.orders; n++) await submit(n, orderOf(n, size.accounts))
  while (sequencer.waitingCount > 0) await new Promise((later) => setImmediate(later))
}

type Wait = { all: number; own: number }

/** Orders in bursts until `until` resolves; the longest wait of one for its reply, and the longest
 *  without the time in which the thread waited for a core. */
async function longestWait(data: ExchangeData, until: Promise<unknown>): Promise<Wait> {
  const longest = { all: 0, own: 0 }
  let running = true
  let n = 0
  const stop = until.finally(() => {
    running = false
  })
  const burst = async () => {
    const sent = performance.now()
    const waited = waitedForCoreMs()
    const orders = Array.from({ length: BURST }, () => data.sequencer.submit(orderOf(n++)))
    await Promise.all(orders)
    const all = performance.now() - sent
    longest.all = Math.max(longest.all, all)
    longest.own = Math.max(longest.own, all - (waitedForCoreMs() - waited))
  }
  const replies: Promise<void>[] = []
  while (running) {
    replies.push(burst())
    await new Promise((later) => setTimeout(later, BURST_MS))
  }
  await stop
  await Promise.all(replies)
  return longest
}

const waitText = ({ all, own }: Wait) =>
  `${own.toFixed(1)} ms (${all.toFixed(1)} with other programs)`

async function measurePause() {
  const run = new DiskRun()
  try {
    const data = await run.open()
    await build(data, run, { accounts: accountCount, orders: orderCount })
    bytesInUse() // Collects what building left.
    const live = data.sequencer.view.orders.count
    say(`exchange    ${whole(accountCount)} accounts, ${whole(live)} resting orders`)
    const calm = await longestWait(data, new Promise((later) => setTimeout(later, CALM_MS)))
    const started = performance.now()
    const taking = data.snapshotNow().then(() => performance.now() - started)
    const busy = await longestWait(data, taking)
    const ms = await taking
    say(`calm        the longest wait of an order for its reply: ${waitText(calm)}`)
    say(`snapshot    ${whole(ms)} ms in another thread; longest wait: ${waitText(busy)}`)
    await data.close({ snapshot: false })
    return { calm, busy, ms }
  } finally {
    run.remove()
  }
}

async function measureRevert(): Promise<number> {
  const run = new DiskRun()
  try {
    const data = await run.open()
    await build(data, run, SMALL)
    await data.sequencer.takeSnapshot('small', '')
    let longest = 0
    for (let round = 0; round < 5; round++) {
      for (let n = 0; n < 1_000; n++) void data.sequencer.submit(orderOf(n, SMALL.accounts))
      await data.sequencer.submit({ type: 'Tick' })
      const started = performance.now()
      const waited = waitedForCoreMs()
      await data.sequencer.revert('small')
      const own = performance.now() - started - (waitedForCoreMs() - waited)
      longest = Math.max(longest, own)
    }
    const { accounts, orders } = SMALL
    say(`revert      ${longest.toFixed(1)} ms at most, ${accounts} accounts and ${orders} orders`)
    await data.close({ snapshot: false })
    return longest
  } finally {
    run.remove()
  }
}

const revert = await measureRevert()
const { calm, busy, ms } = await measurePause()
if (json)
  console.log(
    JSON.stringify({
      calm_ms: Math.round(calm.own),
      pause_ms: Math.round(busy.own),
      snapshot_ms: Math.round(ms),
      revert_ms: Math.round(revert),
    }),
  )
const missed: string[] = []
if (busy.own >= pauseMsMax) missed.push(`an order waited ${pauseMsMax} ms or more`)
if (revert >= revertMsMax) missed.push(`a revert took ${revertMsMax} ms or more`)
requireBars(missed)
