// An exchange in a separate process, clients that send it signed orders, and the cost of a turn.
// Times of threads are read from /proc, so this runs on Linux.

import { readFileSync } from 'node:fs'
import { ClientProcess, ExchangeProcess } from '../http/processes.ts'
import { median } from '../paired/turns.ts'

export type Turn = Readonly<{
  perSecond: number
  /** Processor time an order: of all threads of the process, and of the trading thread. */
  processUs: number
  threadUs: number
}>

/** Requests of one client, and its number of connections. */
export type Load = Readonly<{
  connections: number
  traders: number
  /** Orders a turn. */
  orders: number
  rounds: number
  /** Turns before the measurement: until the program is compiled. */
  warmUps: number
}>

/** In seconds. */
type Times = Readonly<{ process: number; thread: number }>

/** Ticks a second of the clock in /proc. */
const ticksPerSecond = 100
const userTimeAt = 11

/** Processor time of a process with all its threads, or of one thread, in seconds; `with children`:
 *  and of its processes that have ended. */
export function secondsIn(file: string, of: 'own' | 'with children' = 'own'): number {
  // Names of threads may have spaces and brackets; numbers follow the last one.
  const text = readFileSync(file, 'latin1')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const ticks = fields.slice(userTimeAt, userTimeAt + (of === 'own' ? 2 : 4)).map(Number)
  return ticks.reduce((sum, each) => sum + each, 0) / ticksPerSecond
}

class LoadingClient {
  readonly turns: Turn[] = []
  readonly process = new ClientProcess()
  readonly load: Load
  private readonly firstTrader: number

  constructor(load: Load, firstTrader: number) {
    this.load = load
    this.firstTrader = firstTrader
  }

  async start(exchange: ExchangeProcess): Promise<void> {
    const { traders, connections, orders, rounds, warmUps } = this.load
    const requests = (rounds + warmUps) * orders
    const { firstTrader } = this
    const start = { traders, firstTrader, connections, requests }
    const { addresses } = await this.process.start(start)
    await exchange.fund(addresses)
    for (let n = 0; n < warmUps; n++) await this.run(exchange)
  }

  async run({ port }: ExchangeProcess) {
    const result = await this.process.run({ port, requests: this.load.orders, fresh: true })
    if (result.refused > 0) throw new Error(`${result.refused} refused: ${result.refusal}`)
    return result
  }
}

export class LoadedExchange {
  private readonly exchange: ExchangeProcess
  private readonly clients: readonly LoadingClient[]

  constructor(flags: readonly string[], loads: readonly Load[]) {
    this.exchange = new ExchangeProcess(flags)
    this.clients = loads.map((load, at) => new LoadingClient(load, at * load.traders))
  }

  get port(): number {
    return this.exchange.port
  }

  async start(): Promise<void> {
    await this.exchange.start(null)
    for (const client of this.clients) await client.start(this.exchange)
  }

  /** Of the client with this index. */
  async turn(at = 0): Promise<Turn> {
    const client = this.clients[at]!
    const before = this.times()
    const { requests, ms } = await client.run(this.exchange)
    const after = this.times()
    const us = (seconds: number) => (seconds * 1e6) / requests
    const turn = {
      perSecond: (requests * 1_000) / ms,
      processUs: us(after.process - before.process),
      threadUs: us(after.thread - before.thread),
    }
    client.turns.push(turn)
    return turn
  }

  turnsOf(at = 0): readonly Turn[] {
    return this.clients[at]!.turns
  }

  async stop(): Promise<void> {
    for (const client of this.clients) client.process.stop()
    await this.exchange.stop()
  }

  private times(): Times {
    const { pid } = this.exchange
    return {
      process: secondsIn(`/proc/${pid}/stat`),
      thread: secondsIn(`/proc/${pid}/task/${pid}/stat`),
    }
  }
}

export function medianOf(turns: readonly Turn[], pick: (turn: Turn) => number): number {
  return median(turns.map(pick))
}

/** Turn by turn, so that other load on the machine affects both alike. */
export function ratioOf(
  own: readonly Turn[],
  other: readonly Turn[],
  pick: (turn: Turn) => number,
): number {
  return median(own.map((turn, n) => pick(turn) / pick(other[n]!)))
}
