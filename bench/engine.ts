// The exchange and a plain order book on the same flow. The rounds read every event; the hash and
// the latencies come from separate passes, so that neither affects the rates.

import { inlineFurther } from '../src/main/process/inlining.ts'
import { number } from '../test/support/program/options.ts'
import { COMMANDS_PER_TICK, ExchangeRun, flowIdsOf, worldText } from './exchange-run.ts'
import { type Flow, makeFlow, standardFlow, standardTotals } from './flow.ts'
import { benchOptions, collectGarbage, whole } from './options.ts'
import { PeerRun, peerIds } from './peer-run.ts'

const goals = { ratioMin: 20, p99UsMax: 3, p999UsMax: 20 }

type Counters = Readonly<{ marginChecks: number; indexUpdates: number; events: number }>
type Rates = Readonly<{ engine: readonly number[]; peer: readonly number[] }>
type Latency = Readonly<{ p50: number; p99: number; p999: number; max: number }>

const { rounds, peerCommands, json, requireBars, say } = benchOptions({
  name: 'bench/engine',
  about:
    'The exchange and a plain order book (nodejs-order-book) on the same flow of commands, in ' +
    'alternating rounds. Prints their rates and the ratio, latencies, and the hash of all ' +
    'trades.',
  options: {
    rounds: number(5, 'rounds of each'),
    peerCommands: number(200_000, 'commands of the flow that the plain order book gets'),
  },
})

inlineFurther()

function ratePerSecond(work: () => void, commands: number): number {
  const start = process.hrtime.bigint()
  work()
  return (commands * 1e9) / Number(process.hrtime.bigint() - start)
}

function engineRound(flow: Flow): { rate: number; counters: Counters } {
  const run = new ExchangeRun(flow)
  run.run(0, flow.prefill)
  const before = { ...run.state.counters }
  collectGarbage()
  const commands = flow.count - flow.prefill
  const rate = ratePerSecond(() => run.run(flow.prefill, flow.count), commands)
  if (run.rejected > 0) throw new Error(`${run.rejected} commands of the flow were rejected`)
  const after = run.state.counters
  return {
    rate,
    counters: {
      marginChecks: after.marginChecks - before.marginChecks,
      indexUpdates: after.indexUpdates - before.indexUpdates,
      events: after.events - before.events,
    },
  }
}

function peerRound(flow: Flow, ids: readonly string[]): { rate: number; lots: number } {
  const run = new PeerRun(flow, ids)
  collectGarbage()
  const end = Math.min(flow.count, flow.prefill + peerCommands)
  const rate = ratePerSecond(() => run.run(flow.prefill, end), end - flow.prefill)
  return { rate, lots: run.lots }
}

function hashedPass(flow: Flow): ExchangeRun['totals'] {
  const run = new ExchangeRun(flow)
  run.runHashed(0, flow.count, flowIdsOf(flow))
  return run.totals
}

function latencyPass(flow: Flow): Latency {
  const samples = new Float64Array(flow.count + Math.ceil(flow.count / COMMANDS_PER_TICK))
  const run = new ExchangeRun(flow)
  run.run(0, flow.prefill)
  collectGarbage()
  const count = run.runTimed(flow.prefill, flow.count, samples)
  const sorted = samples.subarray(0, count).sort()
  const at = (part: number) => sorted[Math.min(count - 1, Math.floor(count * part))] as number
  return { p50: at(0.5), p99: at(0.99), p999: at(0.999), max: at(1) }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] as number
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] as number)) / 2
}

function spreadText(values: readonly number[]): string {
  const spread = (100 * (Math.max(...values) - Math.min(...values))) / median(values)
  const span = `${whole(Math.min(...values))} to ${whole(Math.max(...values))}`
  return `median ${whole(median(values))} commands/s (${span}, spread ${spread.toFixed(1)} %)`
}

/** One run of each stays in use. When the last object of a shape is collected, its compiled code is
 *  discarded too, and every round and the latencies would start with compiling. */
const kept: unknown[] = []

function measureRates(flow: Flow): Rates & { counters: Counters } {
  const ids = peerIds(flow)
  kept.push(new ExchangeRun(flow), new PeerRun(flow, ids))
  let { counters } = engineRound(flow)
  const { lots } = peerRound(flow, ids)
  say(`warmed; ${lots} lots traded by the peer in ${peerCommands} commands`)
  const engine: number[] = []
  const peer: number[] = []
  for (let round = 0; round < rounds; round++) {
    const measured = engineRound(flow)
    engine.push(measured.rate)
    counters = measured.counters
    peer.push(peerRound(flow, ids).rate)
  }
  return { engine, peer, counters }
}

function requireWork(counters: Counters): void {
  for (const [name, count] of Object.entries(counters)) {
    if (count === 0) throw new Error(`the engine made no ${name}: its work is incomplete`)
  }
}

function missedGoals(found: { ratio: number; latency: Latency; hashRight: boolean }): string[] {
  const missed: string[] = []
  if (found.ratio < goals.ratioMin) missed.push(`ratio below ${goals.ratioMin}`)
  if (found.latency.p99 >= goals.p99UsMax) missed.push(`p99 not below ${goals.p99UsMax} µs`)
  if (found.latency.p999 >= goals.p999UsMax) missed.push(`p99.9 not below ${goals.p999UsMax} µs`)
  if (!found.hashRight) missed.push('the trades are not those of a correct book')
  return missed
}

function main(): void {
  const flow = makeFlow(standardFlow)
  say(`flow: ${standardFlow.prefill} orders, then ${standardFlow.commands} commands; ${worldText}`)
  const totals = hashedPass(flow)
  const { counters, ...rates } = measureRates(flow)
  requireWork(counters)
  const latency = latencyPass(flow)
  const ratio = median(rates.engine) / median(rates.peer)
  const hashRight = (['trades', 'lots', 'notional', 'hash'] as const).every(
    (name) => totals[name] === standardTotals[name],
  )
  const us = (value: number) => Math.round(value * 1_000) / 1_000
  if (json) {
    const found = {
      ratio: Math.round(ratio * 100) / 100,
      commands_per_second: Math.round(median(rates.engine)),
      peer_commands_per_second: Math.round(median(rates.peer)),
      p50_us: us(latency.p50),
      p99_us: us(latency.p99),
      p999_us: us(latency.p999),
      max_us: us(latency.max),
      trade_hash: totals.hash,
      trades: totals.trades,
      margin_checks: counters.marginChecks,
      index_updates: counters.indexUpdates,
      events: counters.events,
    }
    console.log(JSON.stringify(found))
  }
  say(`openperp           ${spreadText(rates.engine)}`)
  say(`nodejs-order-book  ${spreadText(rates.peer)}, on the first ${peerCommands} commands`)
  say(`ratio              ${ratio.toFixed(2)}`)
  say(
    `latency            p50 ${us(latency.p50)} µs, p99 ${us(latency.p99)} µs, ` +
      `p99.9 ${us(latency.p999)} µs, max ${us(latency.max)} µs`,
  )
  say(
    `work of a round    ${counters.marginChecks} margin checks, ${counters.indexUpdates} index ` +
      `updates, ${counters.events} events`,
  )
  say(
    `trades             ${totals.trades}, ${totals.lots} lots, notional ${totals.notional}, ` +
      `hash ${totals.hash} ${hashRight ? '(right)' : '(WRONG)'}`,
  )
  requireBars(missedGoals({ ratio, latency, hashRight }))
}

main()
