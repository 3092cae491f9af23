// A trader who places one order after the other through the proxy, whatever happens behind it. What
// had no answer is sent again as it is, as docs/api/client.md has it, and is known by its client
// id.

import { setTimeout as wait } from 'node:timers/promises'
import { type Key, keyOfSeed } from '../../../src/client/key.ts'
import { signedBody } from '../../../src/client/signed-body.ts'
import type { Answer, Proxied } from './proxied.ts'

const traderCount = 8
const paceMs = 25
const againMs = 50

export const traders: readonly Key[] = Array.from({ length: traderCount }, (_, n) =>
  keyOfSeed(new Uint8Array(32).fill(n + 1)),
)

type Placed = Readonly<{ id: string; owner: Key }>
type Order = Readonly<{ client_order_id?: string | null }>

export class OrderFlow {
  readonly acknowledged: Placed[] = []
  /** Sent, and the result is unknown. */
  readonly unknown: Placed[] = []
  /** What other answers there were, and how often. */
  readonly others = new Map<string, number>()
  private readonly to: Proxied
  private wanted = true
  private done: Promise<void>
  private lastAt = performance.now()
  private longest = 0

  constructor(to: Proxied) {
    this.to = to
    this.done = this.run()
  }

  /** The longest time without an order since the last call. */
  takeLongest(): number {
    const { longest } = this
    this.longest = 0
    return Math.round(longest)
  }

  async stop(): Promise<void> {
    this.wanted = false
    await this.done
  }

  /** Of everything acknowledged: what is not there; and what is there twice or was never sent. */
  async compare(): Promise<Readonly<{ lost: number; odd: number }>> {
    const standing: string[] = []
    for (const { address } of traders) {
      const { body } = await this.to.ask(`/api/v1/orders?account=${address}`)
      const { data } = body as { data: readonly Order[] }
      standing.push(...data.map(({ client_order_id: id }) => id ?? ''))
    }
    const there = new Set(standing)
    const lost = this.acknowledged.filter(({ id }) => !there.has(id)).length
    const sent = new Set([...this.acknowledged, ...this.unknown].map(({ id }) => id))
    const odd = standing.length - there.size + standing.filter((id) => !sent.has(id)).length
    return { lost, odd }
  }

  private async run(): Promise<void> {
    for (let n = 0; this.wanted; n += 1) {
      await this.place(traders[n % traderCount]!, 40_000 + (n % 10_000))
      await wait(paceMs)
    }
  }

  private async place(owner: Key, price: number): Promise<void> {
    const id = crypto.randomUUID()
    const fields = { symbol: 'BTC', side: 'bid', price: String(price), amount: '0.001' } as const
    const more = { tif: 'GTC', reduce_only: false, client_order_id: id } as const
    const signing = { type: 'create_order', timestamp: Date.now() } as const
    const text = JSON.stringify(await signedBody(owner, { ...fields, ...more } as never, signing))
    for (;;) {
      const answer = await this.send(text)
      if (answer === 'stands') {
        const now = performance.now()
        this.longest = Math.max(this.longest, now - this.lastAt)
        this.lastAt = now
        return void this.acknowledged.push({ id, owner })
      }
      if (answer === 'refused' || !this.wanted) return void this.unknown.push({ id, owner })
      await wait(againMs)
    }
  }

  private async send(body: string): Promise<'stands' | 'refused' | 'again'> {
    let answer: Answer
    try {
      answer = await this.to.ask('/api/v1/orders/create', { method: 'POST', body })
    } catch (error) {
      this.count(`no answer: ${(error as NodeJS.ErrnoException).code ?? (error as Error).name}`)
      return 'again'
    }
    if (answer.status === 200) return 'stands'
    const text = JSON.stringify(answer.body)
    this.count(`${answer.status} ${/[A-Z]{2,}(?:_[A-Z]+)*/.exec(text)?.[0] ?? 'of the proxy'}`)
    if (text.includes('REPLAYED')) return 'stands'
    return answer.status >= 500 || answer.status === 429 ? 'again' : 'refused'
  }

  private count(what: string): void {
    this.others.set(what, (this.others.get(what) ?? 0) + 1)
  }
}
