// Sends drawn requests to an exchange of its own and watches for what must not happen: an answer
// from 500 on, no answer, a crash, memory that grows.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Random } from '../../programs/differential/random.ts'
import { drawnKey } from '../../programs/torture/action.ts'
import { adminToken, type Ports } from '../running/child-exchange.ts'
import { type Drawn, drawRequest, type FuzzWorld } from './draw-request.ts'
import { sendRaw } from './raw-bytes.ts'

export type FuzzOptions = Readonly<{
  requests: number
  seed: number
  connections: number
  say: (text: string) => void
  /** Memory is measured after this many requests, and at the end. */
  measureAfter: number
}>

export type Memory = Readonly<{ rss: number; heap: number }>

export type FuzzReport = Readonly<{
  wrong: readonly string[]
  /** How many answers of each status. */
  statuses: Readonly<Record<string, number>>
  early: Memory
  late: Memory
}>

const program = fileURLToPath(new URL('./fuzz-child.js', import.meta.url))
const symbols = ['BTC', 'ETH', 'SOL', 'DOGE', 'HYPE', 'XAU', 'PEPE', 'WIF', 'NOPE']
const repairEvery = 1_000
const rawPart = 0.1
const answerMsMax = 30_000
const wrongMax = 50
/** 503 is the answer when the exchange is overloaded, and to orders while an operator has halted
 *  it; nothing else may answer it. */
const mayBeBusy = [
  'too many sandbox requests wait',
  'history has not caught up yet',
  'a backup is under way',
  'a proof is being made',
  'the exchange is at its limit',
  'not settled within 5 s',
  'the operator has halted the whole exchange',
]

export async function runFuzz(options: FuzzOptions): Promise<FuzzReport> {
  const root = mkdtempSync(join(tmpdir(), 'openperp-fuzz-'))
  const child = fork(program, [join(root, 'data'), adminToken])
  try {
    const [ports] = (await once(child, 'message')) as [Ports]
    return await new Fuzz(options, child, ports).run()
  } finally {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    rmSync(root, { recursive: true, force: true })
  }
}

class Fuzz {
  private readonly options: FuzzOptions
  private readonly child: ChildProcess
  private readonly ports: Ports
  private readonly world: FuzzWorld & { orderIds: number[] }
  private readonly wrong: string[] = []
  private readonly statuses: Record<string, number> = {}
  private sent = 0
  private crashed = false

  constructor(options: FuzzOptions, child: ChildProcess, ports: Ports) {
    this.options = options
    this.child = child
    this.ports = ports
    const random = new Random(options.seed)
    const keys = Array.from({ length: 5 }, () => drawnKey(random))
    const addresses = [...keys.map(({ address }) => address), drawnKey(random).address]
    this.world = { symbols, addresses, orderIds: [], keys, token: adminToken }
    child.once('exit', (code, signal) => {
      this.crashed = true
      this.wrong.push(`the exchange ended (${code ?? signal})`)
    })
  }

  async run(): Promise<FuzzReport> {
    const { requests, measureAfter, connections } = this.options
    await this.lane(-1, measureAfter / 100)
    let early: Memory = { rss: 0, heap: 0 }
    for (const until of [measureAfter, requests]) {
      const lanes = Array.from({ length: connections }, (_, n) => this.lane(n, until))
      await Promise.all(lanes)
      if (until === measureAfter) early = await this.memory()
    }
    const late = await this.memory()
    const { wrong, statuses } = this
    return { wrong: [...wrong], statuses, early, late }
  }

  private async lane(n: number, until: number): Promise<void> {
    const random = new Random(this.options.seed * 1_000 + this.sent + n)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    while (this.sent < until && !this.crashed && this.wrong.length < wrongMax) {
      this.sent += 1
      if (this.sent % repairEvery === 1) await this.repair(agent)
      if (this.sent % 10_000 === 0)
        this.options.say(`${this.sent} requests, ${this.wrong.length} wrong`)
      if (random.chance(rawPart)) this.note(await sendRaw(this.portOf(random), random))
      else await this.ask(await drawRequest(this.world, random), agent)
    }
    agent.destroy()
  }

  private portOf(random: Random): number {
    return random.chance(0.8) ? this.ports.port : this.ports.adminPort
  }

  private note(wrong: string | undefined): void {
    if (wrong !== undefined && !this.crashed) this.wrong.push(wrong)
  }

  private async ask(drawn: Drawn, agent: Agent): Promise<void> {
    const { plane, method, path, body } = drawn
    const said = `${plane} ${method} ${path.slice(0, 200)} ${(body ?? '').slice(0, 600)}`
    const reply = await this.reply(drawn, agent)
    if (reply === 'hung') return this.note(`no answer to ${said}`)
    // It may hang up on what is hardly a request; the next one gets a new connection.
    if (reply === 'closed') return this.count('closed')
    // A HEAD has no body to read; the routes that accept it are mostly drawn with GET.
    const wordless = [method, path].find((word) => word === 'HEAD' || word === '/ready')
    const reason = wordless ?? mayBeBusy.find((text) => reply.text.includes(text))
    const busy = reply.status === 503 && reason !== undefined
    this.count(busy ? `503 ${reason}` : `${reply.status}`)
    if (reply.status >= 500 && !busy)
      this.note(`${reply.status} ${reply.text.slice(0, 200)} to ${said}`)
    const placed = /"order_id":(\d+)/.exec(reply.text)?.[1]
    if (placed !== undefined) this.world.orderIds.push(Number(placed))
    if (this.world.orderIds.length > 200) this.world.orderIds.splice(0, 100)
  }

  private count(status: string): void {
    this.statuses[status] = (this.statuses[status] ?? 0) + 1
  }

  private reply({ plane, method, path, body, headers }: Drawn, agent: Agent) {
    const port = plane === 'public' ? this.ports.port : this.ports.adminPort
    const length = body === null ? {} : { 'content-length': Buffer.byteLength(body) }
    const options = { host: '127.0.0.1', port, method, path, agent }
    return new Promise<{ status: number; text: string } | 'hung' | 'closed'>((resolve) => {
      const sent = request({ ...options, headers: { ...headers, ...length } })
      sent.setTimeout(answerMsMax, () => {
        resolve('hung')
        sent.destroy()
      })
      sent.once('error', () => resolve('closed'))
      sent.once('response', (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (part) => {
          if (text.length < 1_000) text += part
        })
        response.once('end', () => resolve({ status: response.statusCode!, text }))
        response.once('error', () => resolve('closed'))
      })
      sent.end(body ?? undefined)
    })
  }

  /** What fuzzing halted, froze or spent, so that requests go on getting far. */
  private async repair(agent: Agent): Promise<void> {
    const bearer = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' }
    const admin = (path: string, fields: object) => {
      const body = JSON.stringify({ ...fields, reason: 'repair' })
      return this.ask({ plane: 'admin', method: 'POST', path, body, headers: bearer }, agent)
    }
    const sandbox = (path: string, fields: object) => {
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify(fields)
      const url = `/api/v1/sandbox/${path}`
      return this.ask({ plane: 'public', method: 'POST', path: url, body, headers }, agent)
    }
    await admin('/exchange/mode', { mode: 'open' })
    await sandbox('bots', { running: false })
    await sandbox('clock', { resume: true })
    for (const { address: account } of this.world.keys) {
      await sandbox('faucet', { account, amount: '100000' })
      await admin('/accounts/freeze', { account, frozen: false })
    }
    for (const symbol of symbols) {
      await admin('/markets/resume', { symbol })
      await sandbox('oracle', { symbol, resume: true })
    }
  }

  private async memory(): Promise<Memory> {
    if (this.crashed) return { rss: 0, heap: 0 }
    const answer = once(this.child, 'message')
    this.child.send('memory')
    const [memory] = (await answer) as [Memory]
    return memory
  }
}
