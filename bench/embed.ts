import { spawnSync } from 'node:child_process'
import { createExchange } from '../src/embed/embed.ts'
import { number } from '../test/support/program/options.ts'
import { directRate, traderRate } from './embed/direct-rate.ts'
import { fetchRate } from './embed/fetch-rate.ts'
import { bytesOfMany } from './embed/weight.ts'
import { benchOptions, whole } from './options.ts'

const { exchanges, commands, requests, json, requireBars, say } = benchOptions({
  name: 'bench/embed',
  about:
    'The exchange in process: how long one takes to create, how much memory it needs, and how ' +
    'many commands and requests a second it accepts.',
  options: {
    exchanges: number(1_000, 'exchanges that are created and kept'),
    commands: number(1_000_000, 'commands through apply'),
    requests: number(100_000, 'requests through fetch'),
  },
})

const bars = {
  createMs: 50,
  bytesEach: 1_000_000,
  commandsPerSecond: 300_000,
  requestsPerSecond: 20_000,
}

const module = JSON.stringify(new URL('../src/embed/embed.js', import.meta.url).href)
const loading = `const start = performance.now(); await import(${module});
  console.log(performance.now() - start)`
const child = spawnSync(process.execPath, ['--input-type=module', '-e', loading])
const loadMs = Number(child.stdout.toString())

const madeIn = (): number => {
  const start = performance.now()
  createExchange()
  return performance.now() - start
}

const round = (value: number, digits = 1) => {
  const scale = 10 ** digits
  return Math.round(value * scale) / scale
}
const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!
const missed: string[] = []

const firstMs = madeIn()
const later = Array.from({ length: 50 }, madeIn)
const laterMs = Math.max(...later)
say(`load               ${round(loadMs)} ms for the modules, once in a process`)
say(`create             first ${round(firstMs)} ms, then median ${round(median(later), 2)} ms`)
say(`                   slowest of 50: ${round(laterMs)} ms (bar: ${bars.createMs} ms)`)
if (laterMs >= bars.createMs) missed.push(`an exchange took ${round(laterMs)} ms to make`)

const weight = bytesOfMany(createExchange, exchanges)
say(
  `memory             ${whole(weight.rss / 1_000)} kB resident each of ${weight.count}, empty ` +
    `(heap ${whole(weight.heap / 1_000)} kB, typed arrays ${whole(weight.arrays / 1_000)} kB)`,
)
if (Math.max(weight.rss, weight.heap + weight.arrays) >= bars.bytesEach)
  missed.push(`an empty exchange weighs ${whole(weight.rss)} bytes`)

const direct = directRate(createExchange, commands)
say(
  `direct calls       ${whole(direct.rate)} commands/s through apply (${direct.facts}; ` +
    `bar: ${whole(bars.commandsPerSecond)})`,
)
if (direct.rate < bars.commandsPerSecond) missed.push(`${whole(direct.rate)} commands/s`)
const text = traderRate(createExchange, Math.ceil(commands / 5))
say(`                   ${whole(text)} commands/s through trader(), in decimal text`)

const open = await fetchRate(createExchange, requests, false)
say(
  `fetch              ${whole(open.byWork)} requests/s with verify: false, ` +
    `${whole(open.byClock)} as the clock went (bar: ${whole(bars.requestsPerSecond)})`,
)
if (open.byWork < bars.requestsPerSecond) missed.push(`${whole(open.byWork)} requests/s`)
const signed = await fetchRate(createExchange, Math.ceil(requests / 10), true)
say(`                   ${whole(signed.byClock)} requests/s with signatures verified`)
if (json)
  console.log(
    JSON.stringify({
      create_ms: round(laterMs),
      bytes_each: Math.round(weight.rss),
      commands_per_second: Math.round(direct.rate),
      trader_commands_per_second: Math.round(text),
      requests_per_second: Math.round(open.byWork),
      signed_requests_per_second: Math.round(signed.byClock),
    }),
  )
requireBars(missed)
