import type { Command } from '../../src/core/commands/commands.ts'
import { columnsOf, kindAt, kindOfEvent, nextAfter } from '../../src/core/events/event-columns.ts'
import { checkInvariants } from '../../src/core/invariants.ts'
import { LoadRun, placeCommand } from '../load-run.ts'
import { benchOptions, collectGarbage, timed, whole } from '../options.ts'

const { json, requireBars, say } = benchOptions({
  name: 'bench/makers',
  about:
    'Maker protection (ORDER-18) and the worst possible order: one that trips a thousand ' +
    'protected makers, and one through a thousand makers with ten levels each. No command may ' +
    'take long, and after a trip none of the protected orders may trade.',
})

const commandMsMax = 50
const passes = 3
const market = 1
const MIDDLE = 50_000
const makers = 1_000
const levels = 10
const size = 10
const usd = 1_000_000
const cancelled = kindOfEvent('OrderCancelled')
const tripped = kindOfEvent('MmpTripped')
const traded = kindOfEvent('Traded')
const { maker: makerColumn } = columnsOf('Traded')

type Crowd = Readonly<{
  name: string
  /** How many of each maker's levels the one order fills. */
  taken: number
}>

const crowds: readonly Crowd[] = [
  { name: '1,000 makers tripped by one order', taken: 1 },
  { name: 'one order through 1,000 × 10 levels', taken: levels },
]

type Ended = Readonly<{
  crowd: Crowd
  commands: number
  orderMs: number
  longestMs: number
  trips: number
  ended: number
  /** Fills of protected orders by orders that came after the trips. */
  late: number
  breaches: readonly string[]
}>

function crowdOf() {
  const run = new LoadRun()
  run.listMarket('BTC-USD', MIDDLE)
  const taker = run.deposit('taker', 1_000_000_000 * usd)
  const limits = { windowMs: 1_000, frozenMs: 60_000, maxLots: size, maxNet: null }
  const accounts = Array.from({ length: makers }, (_, n) => {
    const account = run.deposit(`maker ${n}`, 1_000_000 * usd)
    run.submit({ type: 'SetMmp', account, proof: null, market, limits } as unknown as Command)
    return account
  })
  for (let level = 0; level < levels; level++)
    for (const account of accounts) {
      const price = MIDDLE + 1 + level
      const order = { account, market, side: 'ask', price, size, tif: 'ALO' } as const
      run.submit({ ...placeCommand(order), mmp: true } as Command)
    }
  run.tick(market, MIDDLE, false)
  return { run, taker, firstMaker: accounts[0]!, lastMaker: accounts.at(-1)! }
}

function pass(crowd: Crowd): Ended {
  const { run, taker, firstMaker, lastMaker } = crowdOf()
  const counts = { commands: 0, orderMs: 0, longestMs: 0, trips: 0, ended: 0, late: 0 }
  const take = (lots: number) => {
    const order = { account: taker, market, side: 'bid', price: MIDDLE + levels } as const
    return placeCommand({ ...order, size: lots, tif: 'IOC' })
  }
  const submitted = (command: Command) => {
    const { ms } = timed(() => run.submit(command))
    counts.commands += 1
    counts.longestMs = Math.max(counts.longestMs, ms)
    const { rows, end } = run.log
    for (let at = 0; at < end; at = nextAfter(rows, at)) {
      const kind = kindAt(rows, at)
      if (kind === tripped) counts.trips += 1
      if (kind === cancelled) counts.ended += 1
      const maker = kind === traded ? rows[at + makerColumn]! : 0
      if (maker >= firstMaker && maker <= lastMaker && counts.commands > 1) counts.late += 1
    }
    return ms
  }
  collectGarbage()
  counts.orderMs = submitted(take(crowd.taken * makers * size))
  // Every second one has a limit at the visible levels.
  while (run.state.protectedOrders.size > 0)
    submitted(counts.commands % 2 === 0 ? { type: 'Tick' } : take(20 * size))
  return { crowd, ...counts, breaches: checkInvariants(run.state) }
}

function best(crowd: Crowd): Ended {
  const rows = Array.from({ length: passes }, () => pass(crowd))
  return rows.reduce((one, other) => (other.longestMs < one.longestMs ? other : one))
}

function missedOf({ crowd, longestMs, trips, ended, late, breaches }: Ended): string[] {
  const missed = breaches.slice(0, 3).map((breach) => `${crowd.name}: invariant ${breach}`)
  const left = makers * (levels - crowd.taken)
  if (trips !== makers) missed.push(`${crowd.name}: ${trips} of ${makers} tripped`)
  // Orders without a match end, too.
  if (ended < left) missed.push(`${crowd.name}: ${ended} of ${left} ended`)
  if (late > 0) missed.push(`${crowd.name}: ${late} fills after the trip`)
  if (longestMs >= commandMsMax)
    missed.push(`${crowd.name}: a command of ${longestMs.toFixed(1)} ms, at most ${commandMsMax}`)
  return missed
}

const rows = crowds.map((crowd) => {
  const row = best(crowd)
  say(
    `${crowd.name.padEnd(38)} the order ${row.orderMs.toFixed(1)} ms, the longest of ` +
      `${whole(row.commands)} commands ${row.longestMs.toFixed(1)} ms; ${whole(row.trips)} ` +
      `tripped, ${row.late} fills after it`,
  )
  return row
})
if (json) console.log(JSON.stringify(rows))
requireBars(rows.flatMap(missedOf))
