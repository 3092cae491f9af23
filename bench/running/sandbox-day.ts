import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { number } from '../../test/support/program/options.ts'
import { ChildExchange } from '../../test/support/running/child-exchange.ts'
import { Connection, dataOf } from '../../test/support/running/connection.ts'
import { benchOptions, whole } from '../options.ts'

const { hours, json, requireBars, say } = benchOptions({
  name: 'bench/sandbox-day',
  about:
    'A sandbox with bots runs for a day (its clock is advanced through the API, hour by hour), ' +
    'is killed, and starts again. How much disk and memory does it use, and how soon is it ' +
    'ready? Time in which the start waited for a core is reported and not counted.',
  options: {
    hours: number(24, 'hours on the clock of the sandbox'),
  },
})

const bytesMax = 500 * 1_024 * 1_024
const readyMsMax = 2_000
const hourMs = 3_600_000
/** The sandbox is idle when it is killed; its snapshots are complete. */
const calmMs = 3_000
const megabyte = 1_024 * 1_024

function bytesUnder(path: string): number {
  const stat = lstatSync(path)
  if (!stat.isDirectory()) return stat.size
  return readdirSync(path).reduce((sum, name) => sum + bytesUnder(join(path, name)), 0)
}

/** From Linux; not printed elsewhere. */
function residentBytes(pid: number): number | null {
  try {
    const pages = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]
    return Number.parseInt(pages ?? '', 10) * 4_096
  } catch {
    return null
  }
}

/** How long the first thread of a process was ready to run without a core. */
function waitedMs(pid: number): number {
  try {
    const waited = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]
    return Number.parseInt(waited ?? '', 10) / 1e6
  } catch {
    // Another system: the elapsed time is used.
    return 0
  }
}

async function started(data: string) {
  const from = performance.now()
  const child = new ChildExchange(data)
  const { port } = await child.ready
  const all = performance.now() - from
  return { child, api: new Connection(port), all, own: all - waitedMs(child.pid) }
}

async function liveADay(data: string) {
  const { child, api } = await started(data)
  const from = performance.now()
  for (let hour = 1; hour <= hours; hour++) {
    dataOf(await api.post('/api/v1/sandbox/clock', { advance_ms: hourMs }))
    if (hour % 6 === 0) say(`hour ${hour}     ${whole(bytesUnder(data) / megabyte)} MB on disk`)
  }
  const seconds = (performance.now() - from) / 1_000
  const metrics = String((await api.get('/metrics')).body)
  const seq = Number.parseInt(/^openperp_seq (\d+)/m.exec(metrics)?.[1] ?? '0', 10)
  const rss = residentBytes(child.pid)
  await new Promise((later) => setTimeout(later, calmMs))
  api.close()
  child.kill('SIGKILL')
  await child.ended
  return { seconds, seq, rss }
}

const root = mkdtempSync(join(tmpdir(), 'openperp-day-'))
try {
  const data = join(root, 'data')
  const { seconds, seq, rss } = await liveADay(data)
  const parts = readdirSync(data).map((name) => ({ name, bytes: bytesUnder(join(data, name)) }))
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0)
  const { child, api, ...killed } = await started(data)
  api.close()
  child.kill('SIGTERM')
  await child.ended
  const again = await started(data)
  again.api.close()
  again.child.kill('SIGKILL')
  await again.child.ended
  say(`advance     ${whole(hours)} h in ${whole(seconds)} s, ${whole(seq)} entries of history`)
  const large = parts.filter((part) => part.bytes >= megabyte)
  const list = large.map((part) => `${part.name} ${whole(part.bytes / megabyte)}`).join(', ')
  say(`disk        ${whole(bytes / megabyte)} MB: ${list}`)
  if (rss !== null) say(`memory      ${whole(rss / megabyte)} MB resident`)
  const ready = ({ own, all }: typeof killed) => `${whole(own)} ms (${whole(all)} with others)`
  say(`ready       after a kill ${ready(killed)}, after a stop ${ready(again)}`)
  if (json)
    console.log(
      JSON.stringify({
        hours,
        advance_seconds: Math.round(seconds),
        entries: seq,
        disk_bytes: bytes,
        rss_bytes: rss,
        ready_after_kill_ms: Math.round(killed.own),
        ready_after_stop_ms: Math.round(again.own),
      }),
    )
  const missed: string[] = []
  if (bytes >= bytesMax) missed.push('500 MB or more on disk')
  if (killed.own >= readyMsMax) missed.push('not ready within 2 s after a kill')
  requireBars(missed)
} finally {
  rmSync(root, { recursive: true, force: true })
}
