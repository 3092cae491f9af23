import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { readConfig } from '../src/config.ts'
import { runExchange } from '../src/main/running-exchange.ts'
import { number } from '../test/support/program/options.ts'
import { benchOptions, bytesInUse, whole } from './options.ts'
import { type Ages, traders } from './ws/plan.ts'

const { connections, stalled, orders, seconds, json, requireBars, say } = benchOptions({
  name: 'bench/ws',
  about:
    'One exchange and thousands of readers in another process, each on book, trades, bbo and ' +
    'prices of one market, while signed orders come in over the websocket. How old is a frame ' +
    'when it is read, and what do readers cost that never read?',
  options: {
    connections: number(2_000, 'readers'),
    stalled: number(200, 'readers that stop reading'),
    orders: number(500, 'signed orders a second'),
    seconds: number(15, 'of a phase'),
  },
})

const ageMsMax = 250

const folder = mkdtempSync(join(tmpdir(), 'openperp-bench-ws-'))
const flags = [
  '--port=0',
  '--admin-port=0',
  '--compat-port=off',
  '--bots',
  'off',
  '--log-level',
  'error',
]
const config = readConfig([...flags, '--data', folder], {}, folder)
const fatal = (error: unknown) => {
  throw error
}
const running = await runExchange({
  config,
  tokens: [],
  log: pino({ level: 'error' }, pino.destination(2)),
  onFatal: fatal,
})
for (const { address } of traders) await running.exchange.sandbox!.fund(address, 10 ** 13)

type Phase = Readonly<{ ages: Ages; memory: number; busy: number }>

const readers = fork(new URL('./ws/readers.js', import.meta.url), [
  String(running.port),
  String(connections),
  String(orders),
])
await messageOf(readers, 'ready')
say(`${whole(connections)} connections, ${orders} orders/s, ${seconds} s a phase`)
const reading = await phase('all read')
readers.send({ kind: 'stall', count: stalled })
await messageOf(readers, 'stalled')
const stalling = await phase(`${stalled} more never read`)
readers.kill()
await running.close()
rmSync(folder, { recursive: true, force: true })

const ok = reading.ages.p99 < ageMsMax && stalling.ages.p99 < ageMsMax
say(ok ? `p99 < ${ageMsMax} ms` : `p99 is not below ${ageMsMax} ms`)
if (json) console.log(JSON.stringify({ reading, stalling, ok }))
requireBars(ok ? [] : [`p99 is not below ${ageMsMax} ms`])
process.exit()

async function phase(title: string): Promise<Phase> {
  readers.send({ kind: 'measure', seconds })
  const cpu = process.cpuUsage()
  const started = performance.now()
  const { ages } = await messageOf<{ ages: Ages }>(readers, 'measured')
  const { user, system } = process.cpuUsage(cpu)
  const busy = (user + system) / 10 / (performance.now() - started)
  const memory = bytesInUse() / 2 ** 20
  const { p50, p99, max, frames, answered, refused } = ages
  say(
    `${title.padEnd(24)} age p50 ${p50} ms, p99 ${p99} ms, max ${max} ms over ` +
      `${whole(frames)} frames; ` +
      `orders ${whole(answered)} (${whole(refused)} refused); ` +
      `exchange ${whole(busy)} % of a core, ${whole(memory)} MiB`,
  )
  return { ages, memory, busy }
}

function messageOf<T>(child: ChildProcess, kind: string): Promise<T> {
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error('the readers ended')))
    const onMessage = (message: T & { kind: string }) => {
      if (message.kind !== kind) return
      child.off('message', onMessage)
      child.removeAllListeners('exit')
      resolve(message)
    }
    child.on('message', onMessage)
  })
}
