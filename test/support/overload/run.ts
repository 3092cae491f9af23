// One round of overload: the capacity of the exchange, what it does under far more load, what an
// honest client notices, and how soon everything is as before.

import type { Result } from './generator.ts'
import { HonestClient, type Wait } from './honest.ts'
import { GeneratorProcess, OverloadedExchange } from './processes.ts'

export type OverloadOptions = Readonly<{
  flags: readonly string[]
  connections: number
  requests: number
  capacityMs: number
  overloadMs: number
  /** Between two cancels of an honest client. */
  everyMs: number
  /** Where honest clients come from. */
  addresses: readonly string[]
  say(text: string): void
}>

export type OverloadReport = Readonly<{
  capacity: Result
  overload: Result
  /** Of each honest address. */
  waits: readonly (readonly Wait[])[]
  turnMs: number
  normalAgainMs: number
}>

/** As quick as this, some times in a row, is normal. */
const normalMs = 100
const normalTimes = 10
const normalMsMax = 30_000

export const rateOf = ({ good, ms }: Result) => (good * 1_000) / ms

export async function runOverload(options: OverloadOptions): Promise<OverloadReport> {
  const { flags, connections, requests, capacityMs, overloadMs, everyMs, say } = options
  const exchange = new OverloadedExchange()
  const generator = new GeneratorProcess()
  const honest: HonestClient[] = []
  try {
    await exchange.start(flags)
    say(`signing ${requests} requests`)
    const { addresses } = await generator.start({ connections, requests })
    await exchange.fund(addresses)
    const { port } = exchange
    const orders = Math.ceil(overloadMs / everyMs) + normalTimes
    for (const address of options.addresses) honest.push(new HonestClient(port, address))
    for (const each of honest) await each.prepare(orders)
    // The first run warms up.
    await generator.run({ port, ms: capacityMs, isOpenLoop: false })
    const capacity = await generator.run({ port, ms: capacityMs, isOpenLoop: false })
    say(`capacity  ${Math.round(rateOf(capacity))}/s, ${resultText(capacity)}`)
    await exchange.turnMs()
    const working = honest.map((each) => each.run(everyMs))
    const overload = await generator.run({ port, ms: overloadMs, isOpenLoop: true })
    const endedAt = performance.now()
    for (const each of honest) each.stop()
    await Promise.all(working)
    const turnMs = await exchange.turnMs()
    const waits = honest.map((each) => [...each.waits])
    const normalAgainMs = (await normalAgain(honest[0]!)) - endedAt
    return { capacity, overload, waits, turnMs, normalAgainMs }
  } finally {
    generator.stop()
    for (const each of honest) each.end()
    await exchange.stop()
  }
}

/** When it was that requests began to be as quick as usual. */
async function normalAgain(client: HonestClient): Promise<number> {
  const deadline = performance.now() + normalMsMax
  let since = performance.now()
  for (let times = 0; times < normalTimes; ) {
    const { ms } = await client.cancel()
    times = ms < normalMs ? times + 1 : 0
    if (times === 0) since = performance.now()
    if (performance.now() > deadline) return Number.POSITIVE_INFINITY
  }
  return since
}

export function resultText({ good, refused, busy, closed, ranOut }: Result): string {
  const ended = `${closed} connections closed, ${ranOut} had nothing left to send`
  return `${good} done, ${refused} refused by a rule, ${busy} deferred; ${ended}`
}
