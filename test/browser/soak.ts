import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CDPSession, Page } from 'playwright-core'
import { Client } from '../../src/client/client.ts'
import { keyOfSeed } from '../../src/client/key.ts'
import { launchBrowser } from '../support/browser/chromium.ts'
import { desktop } from '../support/browser/trading-desk.ts'
import { number } from '../support/program/options.ts'
import { programOptions } from '../support/program/program.ts'
import { ChildExchange } from '../support/running/child-exchange.ts'

/** The first seconds are not counted. */
const warmMinutes = 2
const { minutes } = programOptions({
  name: 'soak/web',
  about:
    'The terminal open for minutes over eight markets, with fifty changes of the visible book a ' +
    'second. Bars: how soon the page is usable, how busy its main thread is over a minute by ' +
    "the browser's own count, and how much the heap grows after it is warm.",
  options: { minutes: number(10, 'for which the heap is watched', { min: warmMinutes + 1 }) },
})

const busyMax = 0.3
const growthMax = 0.05
const changesPerSecond = 50
const busySeconds = 60
const firstViewMax = 1_500

const minute = 60_000
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const symbol = 'BTC'
const amount = '0.01'
const bid = 'bid' as const
const ask = 'ask' as const

/** Moves orders near the best price, one after the other, until stopped; every fifth is traded
 *  with, so that trades and candles change as well. */
class BookShaker {
  private running = true
  changes = 0
  private readonly maker: Client
  private readonly taker: Client
  private readonly open: number[] = []
  private readonly done: Promise<void>

  constructor(url: string) {
    const client = (seed: number) =>
      new Client({ url, signer: keyOfSeed(new Uint8Array(32).fill(seed)) })
    this.maker = client(9)
    this.taker = client(10)
    this.done = this.shake()
  }

  private async shake(): Promise<void> {
    for (const client of [this.maker, this.taker]) await client.sandboxFaucet({ amount: '1000000' })
    const started = performance.now()
    while (this.running) {
      const [prices] = (await this.maker.getPrices()).filter((each) => each.symbol === symbol)
      const mark = Math.round(Number(prices!.mark))
      for (let each = 0; each < changesPerSecond / 2; each++) {
        await this.change(mark)
        const due = (this.changes / changesPerSecond) * 1_000 - (performance.now() - started)
        if (due > 0) await wait(due)
      }
    }
  }

  /** Two changes: an order is placed, and one is cancelled or traded with. An order that is
   *  rejected because the price has moved is left to the next round. */
  private async change(mark: number): Promise<void> {
    const turn = this.changes / 2
    this.changes += 2
    const side = turn % 2 === 0 ? bid : ask
    const trades = turn % 5 === 0
    const away = (trades ? 1 : 60 + (turn % 40)) * (side === bid ? -1 : 1)
    const body = { symbol, side, price: String(mark + away), amount, reduce_only: false }
    const placed = await this.maker.createOrder({ ...body, tif: 'ALO' }).catch(() => null)
    if (placed === null) return
    this.open.push(placed.order_id)
    const other = { ...body, side: side === bid ? ask : bid, tif: 'IOC' as const }
    if (trades) await this.taker.createOrder(other).catch(() => null)
    const oldest = this.open.length > 10 ? this.open.shift() : undefined
    if (oldest === undefined || trades) return
    await this.maker.cancelOrder({ symbol, order_id: oldest }).catch(() => null)
  }

  stop(): Promise<void> {
    this.running = false
    return this.done
  }
}

async function metric(session: CDPSession, name: string): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return metrics.find((each) => each.name === name)?.value ?? 0
}

async function busyShare(session: CDPSession): Promise<number> {
  const before = await metric(session, 'TaskDuration')
  await wait(busySeconds * 1_000)
  return ((await metric(session, 'TaskDuration')) - before) / busySeconds
}

async function heapSize(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage')
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  return usedSize
}

async function heapSnapshot(session: CDPSession): Promise<HeapSnapshot> {
  const parts: string[] = []
  const take = ({ chunk }: { chunk: string }) => parts.push(chunk)
  session.on('HeapProfiler.addHeapSnapshotChunk', take)
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
  session.off('HeapProfiler.addHeapSnapshotChunk', take)
  return JSON.parse(parts.join('')) as HeapSnapshot
}

/** Nodes are rows of numbers, one after the other; the header has the meaning of the columns. */
type HeapSnapshot = Readonly<{
  snapshot: Readonly<{
    meta: Readonly<{ node_fields: readonly string[]; node_types: readonly [readonly string[]] }>
  }>
  nodes: readonly number[]
}>

function codeSize({ snapshot, nodes }: HeapSnapshot): number {
  const { node_fields: fields, node_types: types } = snapshot.meta
  const typeAt = fields.indexOf('type')
  const sizeAt = fields.indexOf('self_size')
  const code = types[0].indexOf('code')
  let size = 0
  for (let row = 0; row < nodes.length; row += fields.length)
    if (nodes[row + typeAt] === code) size += nodes[row + sizeAt]!
  return size
}

async function interactiveMs(page: Page, url: string): Promise<number> {
  const started = performance.now()
  await page.goto(url)
  await page.locator('.account-facts').waitFor()
  await page.locator('.asks .book-row').first().waitFor()
  return performance.now() - started
}

const percentText = (share: number) => `${Math.round(share * 1_000) / 10} %`

/** A page at the exchange, with the DevTools protocol of the browser. */
async function watched(url: string) {
  const { browser, end } = await launchBrowser()
  const page = await browser.newPage({ viewport: desktop })
  const firstViewMs = await interactiveMs(page, url)
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  await session.send('HeapProfiler.enable')
  return { end, session, firstViewMs }
}

async function busyRun(url: string): Promise<boolean> {
  const { end, session, firstViewMs } = await watched(url)
  await wait(5_000)
  const busy = await busyShare(session)
  await end()
  console.log(`first view        ${Math.round(firstViewMs)} ms (bar ${firstViewMax})`)
  const over = `over ${busySeconds} s (bar ${percentText(busyMax)})`
  console.log(`main thread busy  ${percentText(busy)} ${over}`)
  return busy < busyMax && firstViewMs < firstViewMax
}

/** Heap by the minute, each after a forced collection. Compiled code is separated from the data of
 *  the page: functions called about once a second are still being compiled after ten minutes. */
async function heapRun(url: string, minutes: number): Promise<boolean> {
  const { end, session } = await watched(url)
  const sizes: number[] = []
  const code: number[] = []
  for (let at = 1; at <= minutes; at++) {
    await wait(minute)
    sizes.push(await heapSize(session))
    if (at === warmMinutes || at === minutes) code.push(codeSize(await heapSnapshot(session)))
  }
  await end()
  const warm = sizes[warmMinutes - 1]!
  const growth = sizes.at(-1)! / warm - 1
  const compiled = (code[1]! - code[0]!) / warm
  console.log(`heap, kB          ${sizes.map((size) => Math.round(size / 1_024)).join(' ')}`)
  const grown = `${percentText(growth)} (bar ${percentText(growthMax)})`
  console.log(`  minute ${warmMinutes} to ${minutes}   ${grown}`)
  console.log(`  of it code      ${percentText(compiled)}, compiled by the browser meanwhile`)
  return Math.abs(growth) < growthMax
}

async function soak(minutes: number): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'openperp-soak-web-'))
  const exchange = new ChildExchange(folder)
  try {
    const { port } = await exchange.ready
    const url = `http://127.0.0.1:${port}`
    const shaker = new BookShaker(url)
    const started = performance.now()
    const quick = await busyRun(url)
    const rate = shaker.changes / ((performance.now() - started) / 1_000)
    console.log(`book changes      ${Math.round(rate)} a second`)
    const steady = await heapRun(url, minutes)
    await shaker.stop()
    return quick && steady
  } finally {
    exchange.kill('SIGTERM')
    await exchange.ended
    rmSync(folder, { recursive: true, force: true })
  }
}

process.exitCode = (await soak(minutes)) ? 0 : 1
