// `npm run bench:pause`: an exchange on disk with a million resting orders takes a snapshot while
// orders keep coming. How long does an order wait at most, from its submission to its durable
// reply, with and without the snapshot? And how long does a small exchange take to go back to a
// saved state? `--orders N --accounts N`, `--json` prints one object, `--check` fails when a bar is
// missed.

import type { ExchangeData } from '../src/sequencer/exchange-data.ts'
import { DiskRun, deposit, listing } from './disk-run.ts'
import { placeCommand } from './load-run.ts'
import { asJson, bytesInUse, judge, numberFlag, say, whole } from './options.ts'

const pauseMsMax = 50
const revertMsMax = 100
const accountCount = numberFlag('--accounts', 10_000)
const orderCount = numberFlag('--orders', 1_000_000)
const SYMBOLS = ['BTC-USD', 'ETH-USD', 'SOL-USD', 'XRP-USD']
const MIDDLE = 50_000
const LEVELS = 2_000
const FIRST_ACCOUNT = 8
const WAITING_MAX = 2_048
/** Orders a burst, and bursts a second, while the snapshot is taken. */
const BURST = 10
const BURST_MS = 10
const CALM_MS = 3_000

const spread = (n: number, end: number): number => (n * 7_919) % end

function orderOf(n: number) {
  const off = 1 + spread(n, LEVELS)
  const bid = n % 2 === 0
  return placeCommand({
    account: FIRST_ACCOUNT + (n % accountCount),
    market: 1 + (n % SYMBOLS.length),
    side: bid ? 'bid' : 'ask',
    price: bid ? MIDDLE - off : MIDDLE + off,
    size: 1 + spread(n, 100),
    tif: 'GTC',
  })
}

async function build({ sequencer }: ExchangeData, run: DiskRun, orders: number): Promise<void> {
  for (const symbol of SYMBOLS) await sequencer.submit(listing(symbol, MIDDLE))
  const submit = async (n: number, command: Parameters<typeof sequencer.submit>[0]) => {
    const done = sequencer.submit(command)
    if (n % 100 === 0) run.atMs += 1
    if (sequencer.waitingCount >= WAITING_MAX) await done
  }
  for (let n = 0; n < accountCount; n++) await submit(n, deposit(`trader-${n}`, 1_000_000_000_000))
  for (let n = 0; n < orders; n++) await submit(n, orderOf(n))
  while (sequencer.waitingCount > 0) await new Promise((later) => setImmediate(later))
}

/** Orders in bursts until `until` resolves; the longest wait of one for its reply. */
async function longestWait(data: ExchangeData, until: Promise<unknown>): Promise<number> {
  let running = true
  let longest = 0
  let n = 0
  const stop = until.finally(() => {
    running = false
  })
  const replies: Promise<void>[] = []
  while (running) {
    for (let each = 0; each < BURST; each++) {
      const sent = performance.now()
      const reply = data.sequencer.submit(orderOf(n++)).then(() => {
        longest = Math.max(longest, performance.now() - sent)
      })
      replies.push(reply)
    }
    await new Promise((later) => setTimeout(later, BURST_MS))
  }
  await stop
  await Promise.all(replies)
  return longest
}

async function measurePause() {
  const run = new DiskRun()
  try {
    const data = await run.open()
    await build(data, run, orderCount)
    bytesInUse() // Collects what building left.
    const live = data.sequencer.state.orders.slots.size
    say(`exchange    ${whole(accountCount)} accounts, ${whole(live)} resting orders`)
    const calm = await longestWait(data, new Promise((later) => setTimeout(later, CALM_MS)))
    const started = performance.now()
    const taking = data.snapshotNow().then(() => performance.now() - started)
    const busy = await longestWait(data, taking)
    const ms = await taking
    say(`calm        the longest wait of an order for its reply is ${calm.toFixed(1)} ms`)
    say(`snapshot    ${whole(ms)} ms in another thread; longest wait ${busy.toFixed(1)} ms`)
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
    await build(data, run, accountCount)
    await data.sequencer.takeSnapshot('small', '')
    let longest = 0
    for (let round = 0; round < 5; round++) {
      for (let n = 0; n < 1_000; n++) void data.sequencer.submit(orderOf(n))
      await data.sequencer.submit({ type: 'Tick' })
      const started = performance.now()
      await data.sequencer.revert('small')
      longest = Math.max(longest, performance.now() - started)
    }
    say(`revert      ${longest.toFixed(1)} ms, ${whole(accountCount)} accounts and as many orders`)
    await data.close({ snapshot: false })
    return longest
  } finally {
    run.remove()
  }
}

const revert = await measureRevert()
const { calm, busy, ms } = await measurePause()
if (asJson)
  console.log(
    JSON.stringify({
      calm_ms: Math.round(calm),
      pause_ms: Math.round(busy),
      snapshot_ms: Math.round(ms),
      revert_ms: Math.round(revert),
    }),
  )
const missed: string[] = []
if (busy >= pauseMsMax) missed.push(`an order waited ${pauseMsMax} ms or more`)
if (revert >= revertMsMax) missed.push(`a revert took ${revertMsMax} ms or more`)
judge(missed)
