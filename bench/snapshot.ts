import type { Command } from '../src/core/commands/commands.ts'
import type { AccountId, MarketId } from '../src/core/commands/ids.ts'
import { apply, EventLog, type State } from '../src/core/engine.ts'
import { decodeState } from '../src/core/snapshot/decode.ts'
import { encodeState } from '../src/core/snapshot/encode.ts'
import { stateHash } from '../src/sequencer/snapshots/state-hash.ts'
import type { TimeMs } from '../src/units/units.ts'
import { number } from '../test/support/program/options.ts'
import { cancelCommand, LoadRun, placeCommand, tickCommand } from './load-run.ts'
import { benchOptions, bytesInUse, timed, whole } from './options.ts'

const {
  accounts: accountCount,
  orders: orderCount,
  json,
  requireBars,
  say,
} = benchOptions({
  name: 'bench/snapshot',
  about:
    'How long an exchange with many accounts and resting orders takes to be encoded and ' +
    'decoded, how large it is, and that the decoded one continues exactly as the original.',
  options: {
    accounts: number(100_000, 'accounts'),
    orders: number(1_000_000, 'resting orders'),
  },
})

const secondsMax = 5
const SYMBOLS = ['BTC-USD', 'ETH-USD', 'SOL-USD', 'XRP-USD']
const MIDDLE = 50_000
const LEVELS = 2_000
const ROUNDS = 3
const FURTHER = 1_000

/** Spreads whole numbers evenly and without chance, in steps of a large prime. */
const spread = (n: number, end: number): number => (n * 7_919) % end
const marketOf = (n: number): number => 1 + (n % SYMBOLS.length)

type Memory = Readonly<{ account: number; row: number; order: number }>

/** Every account is in one market; every tenth has a position there; then the orders rest. */
function build(run: LoadRun): { accounts: number[]; memory: Memory } {
  for (const symbol of SYMBOLS) run.listMarket(symbol, MIDDLE)
  const maker = run.deposit('maker', 100_000_000_000_000)
  const empty = bytesInUse()
  const accounts = Array.from({ length: accountCount }, (_, n) =>
    run.deposit(`${n}`.padStart(40, '0xdeadbeef'), 10_000_000_000),
  )
  const funded = bytesInUse()
  for (let n = 0; n < accountCount; n++) enter(run, accounts[n]!, maker, n)
  const entered = bytesInUse()
  for (let n = 0; n < orderCount; n++) rest(run, accounts[n % accountCount]!, n)
  const rested = bytesInUse()
  return {
    accounts,
    memory: {
      account: (funded - empty) / accountCount,
      row: (entered - funded) / accountCount,
      order: (rested - entered) / orderCount,
    },
  }
}

function enter(run: LoadRun, account: number, maker: number, n: number): void {
  const market = marketOf(n)
  run.submit({
    type: 'SetLeverage',
    account: account as AccountId,
    proof: null,
    market: market as MarketId,
    leverage: 20,
  })
  if (n % 10 !== 0) return
  const size = 100 + spread(n, 100)
  run.place({ account: maker, market, side: 'ask', price: MIDDLE, size, tif: 'GTC' })
  run.place({ account, market, side: 'bid', price: MIDDLE, size, tif: 'IOC' })
}

function rest(run: LoadRun, account: number, n: number): void {
  const round = Math.floor(n / accountCount)
  const off = 1 + spread(n + round, LEVELS)
  const bid = round % 2 === 0
  run.place({
    account,
    market: marketOf(n % accountCount),
    side: bid ? 'bid' : 'ask',
    price: bid ? MIDDLE - off : MIDDLE + off,
    size: 1 + spread(n, 100),
    tif: 'GTC',
  })
  if (n % 100 === 0) run.atMs += 1
}

/** New orders, takers, cancels and prices, by ids that both exchanges assign alike. */
function furtherCommand(state: State, accounts: readonly number[], n: number): Command {
  const account = accounts[spread(n, accountCount)]!
  const market = marketOf(spread(n, accountCount))
  const side = n % 2 === 0 ? 'bid' : 'ask'
  const off = spread(n, 200) - 20
  const price = side === 'bid' ? MIDDLE - off : MIDDLE + off
  if (n % 50 === 0) return tickCommand(1 + (n % 4), MIDDLE + (n % 7), false)
  if (n % 5 === 0) return cancelCommand(account, market, oldestOrder(state, account))
  const size = 1 + spread(n, 500)
  return placeCommand({ account, market, side, price, size, tif: n % 3 === 0 ? 'IOC' : 'GTC' })
}

function oldestOrder({ accounts, orders, positions }: State, account: number): number {
  return orders.id(positions.ordersHead[accounts.rows[account]!]!)
}

/** The first command whose events differ, or null; both states have advanced. */
function firstDifference(one: State, other: State, accounts: readonly number[]): string | null {
  const logs = [new EventLog(), new EventLog()] as const
  for (let n = 0; n < FURTHER; n++) {
    const command = furtherCommand(one, accounts, n)
    const atMs = (one.atMs + 1) as TimeMs
    for (const log of logs) log.clear()
    apply(one, { seq: one.seq + 1, atMs, command }, logs[0])
    apply(other, { seq: other.seq + 1, atMs, command }, logs[1])
    const events = logs.map((log) => JSON.stringify(log.readAll()))
    if (events[0] !== events[1]) return `command ${n} (${command.type}) has other events`
  }
  return null
}

/** The slowest of a few, because the first snapshot is the one that is waited for. */
function slowest<T>(work: () => T): { ms: number; best: number; value: T } {
  const { ms, value } = timed(work)
  const times = [ms]
  while (times.length < ROUNDS) times.push(timed(work).ms)
  return { ms: Math.max(...times), best: Math.min(...times), value }
}

function main(): void {
  const run = new LoadRun()
  const built = timed(() => build(run))
  const { accounts, memory } = built.value
  const { state } = run
  say(`exchange    ${whole(accountCount)} accounts, ${whole(state.orders.count)} resting orders`)
  say(`            built by ${whole(state.seq)} commands in ${whole(built.ms)} ms`)
  const encoded = slowest(() => encodeState(state))
  const bytes = encoded.value
  const decoded = slowest(() => decodeState(bytes))
  const hashed = timed(() => stateHash(state))
  const other = decoded.value
  const sameHash = hashed.value === stateHash(other)
  const difference = firstDifference(state, other, accounts)
  const sameAfter = difference === null && stateHash(state) === stateHash(other)
  const found = {
    accounts: accountCount,
    orders: orderCount,
    encode_ms: Math.round(encoded.ms),
    decode_ms: Math.round(decoded.ms),
    hash_ms: Math.round(hashed.ms),
    snapshot_bytes: bytes.length,
    bytes_per_account: Math.round(memory.account),
    bytes_per_position_row: Math.round(memory.row),
    bytes_per_order: Math.round(memory.order),
    same_hash: sameHash,
    same_after: sameAfter,
  }
  if (json) console.log(JSON.stringify(found))
  say(`encode      ${whole(encoded.ms)} ms (best of ${ROUNDS}: ${whole(encoded.best)} ms)`)
  say(`decode      ${whole(decoded.ms)} ms (best of ${ROUNDS}: ${whole(decoded.best)} ms)`)
  say(`hash        ${whole(hashed.ms)} ms, encoding included`)
  say(
    `snapshot    ${whole(bytes.length)} bytes, ${(bytes.length / orderCount).toFixed(1)} an order`,
  )
  say(`memory      ${whole(memory.account)} bytes an account, ${whole(memory.row)} a position row,`)
  say(`            ${whole(memory.order)} a resting order`)
  say(`decoded     ${sameHash ? 'equal hash' : 'ANOTHER HASH'}; after ${FURTHER} further commands`)
  say(`            ${sameAfter ? 'equal events and hash' : (difference ?? 'ANOTHER HASH')}`)
  const missed: string[] = []
  if (encoded.ms >= secondsMax * 1_000) missed.push(`encoding not below ${secondsMax} s`)
  if (decoded.ms >= secondsMax * 1_000) missed.push(`decoding not below ${secondsMax} s`)
  if (!sameHash) missed.push('the decoded state has another hash')
  if (!sameAfter) missed.push('the decoded state continues differently')
  requireBars(missed)
}

main()
