// The process that sends: signs everything first, then either waits for each reply (capacity) or
// sends all that is read (overload).

import { Trader } from '../../../bench/http/signed-orders.ts'
import { bytesOf, type Counts, FloodConnection, type Transport } from './flood.ts'

export type Start = Readonly<{ connections: number; requests: number }>
export type Task = Readonly<{ port: number; ms: number; isOpenLoop: boolean }>
export type Ready = Readonly<{ addresses: readonly string[] }>
export type Result = Counts & Readonly<{ ms: number; ranOut: number; closed: number }>

const tradersEach = 2
const transportOf = (at: number): Transport => (at % 2 === 0 ? 'ws' : 'http')

class Generator {
  private readonly traders: readonly (readonly Trader[])[]
  private readonly requests: Buffer[][]
  private used = 0
  private readonly total: number

  constructor({ connections, requests }: Start) {
    this.total = Math.ceil(requests / connections)
    this.traders = Array.from({ length: connections }, (_, at) =>
      Array.from({ length: tradersEach }, (_, n) => new Trader(at * tradersEach + n)),
    )
    this.requests = this.traders.map(() => [])
  }

  get addresses(): readonly string[] {
    return this.traders.flat().map(({ key }) => key.address)
  }

  async sign(): Promise<void> {
    for (const [at, traders] of this.traders.entries())
      for (let n = 0; n < this.total; n++) {
        const { type, path, body } = await traders[n % tradersEach]!.signed()
        this.requests[at]!.push(bytesOf(transportOf(at), path, type, body))
      }
  }

  /** Capacity takes from a fixed share, so that the overload has the rest. */
  async run({ port, ms, isOpenLoop }: Task): Promise<Result> {
    const until = isOpenLoop ? this.total : this.used + Math.floor(this.total / 4)
    const connections = this.requests.map(
      (all, at) => new FloodConnection(transportOf(at), all.slice(this.used, until)),
    )
    this.used = until
    await Promise.all(connections.map((each) => each.open(port)))
    const startedAt = performance.now()
    for (const each of connections) each.start(isOpenLoop)
    await new Promise((later) => setTimeout(later, ms))
    const total = { good: 0, refused: 0, busy: 0 }
    for (const { counts } of connections) {
      total.good += counts.good
      total.refused += counts.refused
      total.busy += counts.busy
    }
    const passed = performance.now() - startedAt
    const closed = connections.filter((each) => each.closed).length
    const ranOut = connections.filter((each) => each.ranOut).length
    for (const each of connections) each.end()
    return { ...total, ms: passed, closed, ranOut }
  }
}

let generator: Generator | null = null
process.on('message', async (message: Start | Task) => {
  if (generator === null) {
    generator = new Generator(message as Start)
    await generator.sign()
    process.send!({ addresses: generator.addresses } satisfies Ready)
  } else process.send!(await generator.run(message as Task))
})
process.on('disconnect', () => process.exit())
