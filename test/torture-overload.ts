import { canPin } from './support/overload/processes.ts'
import { rateOf, resultText, runOverload } from './support/overload/run.ts'
import { flag, number } from './support/program/options.ts'
import { programOptions } from './support/program/program.ts'

const goodputMin = 0.7
const answeredMin = 0.99
const cancelMsMax = 1_000
const normalMsMax = 5_000
const {
  seconds,
  connections,
  requests,
  check,
  limits: withLimits,
} = programOptions({
  name: 'torture/overload',
  about:
    'Far more requests than the exchange can serve, from one IP address, over websockets and ' +
    'HTTP. It must go on to serve as many as before, answer cancels of others, and recover ' +
    'quickly.',
  options: {
    seconds: number(60, 'of overload'),
    connections: number(100, 'connections of the address'),
    requests: number(300_000, 'requests that are signed before'),
    limits: flag('with rate limits'),
    check: flag('exit with code 1 if a bar is missed'),
  },
})
const say = (text: string) => console.log(text)

if (!canPin) say('not pinned: the exchange and the generator share the cores')
// With limits an address may do little: what is measured then is what others notice.
const flags = withLimits ? ['--rate-limit', 'on', '--credits', '1000'] : ['--rate-limit', 'off']
const others = ['127.0.0.2']
const report = await runOverload({
  flags,
  connections,
  requests,
  capacityMs: Math.min(10_000, seconds * 250),
  overloadMs: seconds * 1_000,
  everyMs: 200,
  addresses: withLimits ? others : [...others, '127.0.0.1'],
  say,
})
const { capacity, overload, waits, turnMs, normalAgainMs } = report
const part = rateOf(overload) / rateOf(capacity)
say(`overload  ${Math.round(rateOf(overload))}/s, ${resultText(overload)}`)
if (!withLimits) say(`goodput   ${(part * 100).toFixed(1)} % of capacity`)
const missed: string[] = []
for (const [at, each] of waits.entries()) {
  const answered = each.filter((wait) => wait.answered).length
  const sorted = each.map(({ ms }) => ms).sort((a, b) => a - b)
  const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? Number.POSITIVE_INFINITY
  const p50 = sorted[Math.floor(sorted.length * 0.5)] ?? Number.POSITIVE_INFINITY
  const who = at === 0 ? 'another address' : 'the same address'
  const times = `p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`
  say(`cancels   of ${who}: ${answered} of ${each.length} answered, ${times}`)
  if (answered < each.length * answeredMin) missed.push(`cancels of ${who} were not answered`)
  if (p99 >= cancelMsMax) missed.push(`p99 of cancels of ${who} is not below ${cancelMsMax} ms`)
}
say(`a turn    of the event loop took at most ${turnMs.toFixed(0)} ms`)
say(`normal    again after ${Math.max(0, normalAgainMs).toFixed(0)} ms`)
if (!withLimits && part < goodputMin) missed.push(`goodput is below ${goodputMin * 100} %`)
if (normalAgainMs >= normalMsMax) missed.push(`not normal again within ${normalMsMax} ms`)
for (const bar of missed) console.error(`missed: ${bar}`)
if (check && missed.length > 0) process.exitCode = 1
