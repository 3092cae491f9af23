// Deposits and withdrawals at a real exchange that notifies a real receiver, and now one and now
// the other is killed with -9. In the end every step that was acknowledged was applied, each once,
// and in order.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Client } from '../../../src/client/client.ts'
import { newKey } from '../../../src/client/key.ts'
import { Random } from '../../programs/differential/random.ts'
import { adminToken, ChildExchange } from '../running/child-exchange.ts'
import { secret } from './receiver.ts'

export type WebhookRounds = Readonly<{ rounds: number; seed: number; say(text: string): void }>
export type WebhookReport = Readonly<{
  kills: Readonly<{ exchange: number; receiver: number }>
  delivered: number
  wrong: readonly string[]
}>

const program = fileURLToPath(new URL('./receiver-child.js', import.meta.url))
const settleMs = 60_000

class ReceiverProcess {
  readonly file: string
  private child: ChildProcess | null = null
  private port = 0

  constructor(file: string) {
    this.file = file
  }

  async start(): Promise<void> {
    const child = spawn(process.execPath, [program, this.file], { stdio: ['ignore', 'pipe', 2] })
    this.child = child
    const [url] = await once(child.stdout!.setEncoding('utf8'), 'data')
    this.port = Number(new URL(String(url).trim()).port)
  }

  async kill(): Promise<void> {
    const ended = once(this.child!, 'exit')
    this.child!.kill('SIGKILL')
    await ended
  }

  /** One address whatever port the process has. */
  async door(): Promise<Readonly<{ url: string; close(): void }>> {
    const server = createServer((socket) => {
      const inner = connect(this.port, '127.0.0.1')
      socket.on('error', () => inner.destroy()).on('close', () => inner.destroy())
      inner.on('error', () => socket.destroy()).on('close', () => socket.destroy())
      socket.pipe(inner).pipe(socket)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    return { url: `http://127.0.0.1:${port}/hook`, close: () => server.close() }
  }

  /** Words of each line: id, type, and whose. */
  lines(): readonly (readonly string[])[] {
    if (!existsSync(this.file)) return []
    const lines = readFileSync(this.file, 'utf8').split('\n').slice(0, -1)
    return lines.map((line) => line.split(' '))
  }
}

export async function runWebhookRounds({
  rounds,
  seed,
  say,
}: WebhookRounds): Promise<WebhookReport> {
  const root = mkdtempSync(join(tmpdir(), 'openperp-webhooks-'))
  const random = new Random(seed)
  const receiver = new ReceiverProcess(join(root, 'applied'))
  await receiver.start()
  const door = await receiver.door()
  const hooks = JSON.stringify([{ name: 'payments', url: door.url, secret }])
  const start = () => new ChildExchange(join(root, 'data'), ['--bots', 'off', '--webhooks', hooks])
  let exchange = start()
  const due = new Set<string>()
  const kills = { exchange: 0, receiver: 0 }
  for (let round = 0; round < rounds; round++) {
    await exchange.ready
    const work = moveMoney(exchange, round, due)
    await sleep(random.below(600))
    if (round % 2 === 1) {
      exchange.kill('SIGKILL')
      await exchange.ended
      kills.exchange += 1
      exchange = start()
    } else {
      await receiver.kill()
      kills.receiver += 1
      await receiver.start()
    }
    await work
    if (round % 10 === 9) say(`${round + 1} kills, ${receiver.lines().length} steps applied`)
  }
  await exchange.ready
  const until = Date.now() + settleMs
  const missing = () => {
    const applied = new Set(receiver.lines().map(([, type, whose]) => `${type} ${whose}`))
    return [...due].filter((step) => !applied.has(step))
  }
  while (missing().length > 0 && Date.now() < until) await sleep(100)
  const wrong = [
    ...missing().map((step) => `${step} was not delivered`),
    ...outOfOrder(receiver.lines()),
  ]
  const delivered = receiver.lines().length
  exchange.kill('SIGKILL')
  await exchange.ended
  await receiver.kill()
  door.close()
  rmSync(root, { recursive: true, force: true })
  return { kills, delivered, wrong }
}

/** What is acknowledged goes into `due`; what a kill interrupts may or may not have happened. */
async function moveMoney(exchange: ChildExchange, round: number, due: Set<string>): Promise<void> {
  try {
    const { port, adminPort } = await exchange.ready
    const post = async (path: string, body: object) => {
      const reply = await fetch(`http://127.0.0.1:${adminPort}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
        body: JSON.stringify({ ...body, reason: 'a test' }),
      })
      return reply.ok
    }
    const key = newKey()
    for (const part of [0, 1, 2]) {
      const reference = `${round}/${part}`
      const deposit = { account: key.address, amount: '10', reference }
      if (await post('/deposits', deposit)) due.add(`deposit.credited ${reference}`)
    }
    const client = new Client({ url: `http://127.0.0.1:${port}`, signer: key })
    const { withdrawal_id } = await client.withdraw({ amount: '5' })
    due.add(`withdrawal.requested ${withdrawal_id}`)
    due.add(`withdrawal.approved ${withdrawal_id}`)
    if (await post('/withdrawals/complete', { withdrawal_id }))
      due.add(`withdrawal.completed ${withdrawal_id}`)
  } catch {
    // It was killed meanwhile; what was acknowledged before counts.
  }
}

function outOfOrder(lines: readonly (readonly string[])[]): readonly string[] {
  const places = lines.map(([id = '']) => id.split('-').map(Number) as [number, number])
  return places.flatMap(([seq, place], at) => {
    const [before, last] = places[at - 1] ?? [-1, -1]
    const isLater = seq > before || (seq === before && place > last)
    return isLater ? [] : [`${seq}-${place} was applied after ${before}-${last}`]
  })
}
