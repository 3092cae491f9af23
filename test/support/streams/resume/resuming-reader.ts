// A client that follows the channels of an account over any number of connections, as streams.md
// says: it keeps the `li` of each channel and comes back with `resume_from`.

import assert from 'node:assert/strict'
import { type Frame, StreamClient } from '../stream-client.ts'

export type Row = Readonly<Record<string, unknown>>

export class ResumingReader {
  /** Every row of each source, in the order in which they came. */
  readonly rows = new Map<string, Row[]>()
  readonly address: string
  resumed = 0
  private readonly sources: readonly string[]
  private readonly headers: () => Record<string, string>
  /** Of the last frame of each source. */
  private readonly li = new Map<string, number>()
  private client: StreamClient | null = null

  /** `headers`: of the handshake. */
  constructor(
    address: string,
    sources: readonly string[],
    headers: () => Record<string, string> = () => ({}),
  ) {
    this.address = address
    this.sources = sources
    this.headers = headers
    for (const source of sources) this.rows.set(source, [])
  }

  async connect(url: string): Promise<void> {
    const client = await StreamClient.open(url, this.headers())
    this.client = client
    client.onFrame = (frame) => this.take(frame)
    for (const source of this.sources) {
      const from = this.li.get(source)
      const resume = from === undefined ? {} : { resume_from: from }
      const answer = await client.subscribe(source, { account: this.address, ...resume })
      assert.equal(answer.channel, 'subscribe', JSON.stringify(answer.data))
      if (from === undefined) continue
      assert.equal((answer.data as Row).resumed, true, `${source} from ${from}`)
      this.resumed += 1
    }
  }

  private take({ channel, data, li, prev }: Frame): void {
    if (channel === 'subscribe') {
      const { source } = data as { source: string }
      if (!this.li.has(source)) this.li.set(source, li!)
      return
    }
    const rows = this.rows.get(channel!)
    if (rows === undefined) return
    assert.equal(prev, this.li.get(channel!), `a frame of ${channel} is missing before ${li}`)
    this.li.set(channel!, li!)
    rows.push(...(data as Row[]))
  }

  /** As if the cable were cut. */
  cut(): void {
    if (this.client === null) return
    this.client.onFrame = () => undefined
    this.client.cut()
    this.client = null
  }

  settle(): Promise<void> {
    return this.client!.settle()
  }
}
