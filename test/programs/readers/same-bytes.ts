// The same reads at a leader and at a read replica, while clients trade at both: their answers
// about the same entry of history must be the same bytes, replies and frames alike.

import { setTimeout as wait } from 'node:timers/promises'
import type { RouteName } from '../../../src/protocol/routes.ts'
import { allSources } from '../../../src/protocol/streams/channels.ts'
import { Random } from '../differential/random.ts'
import { BusyTraders, symbols } from './busy-traders.ts'
import { RawConnection, type RawReply } from './raw-reply.ts'
import { drawnRead, isOfHistory, type Known, type ReadRequest, readNames } from './read-requests.ts'
import { isState, type Place, StreamTape } from './stream-tape.ts'

export type SameBytesOptions = Readonly<{
  leader: number
  reader: number
  /** Replies and frames together. */
  samples: number
  seed: number
  say?: (text: string) => void
}>

export type SameBytesReport = Readonly<{
  replies: Readonly<Partial<Record<RouteName, number>>>
  /** By what was subscribed to. */
  frames: Readonly<Record<string, number>>
  /** Pairs that were of different entries, however often they were read. */
  unpaired: number
  /** Frames of states that only one node sent: a timer sends them. */
  untimely: number
  /** Replies that differ, and history has gone on since. */
  newer: number
  wrong: readonly string[]
}>

const pairTriesMax = 20
const pagesKept = 100
const wrongMax = 20
/** The longest that a channel waits with its newest state. */
const timedMs = 300
const lanes = 3
/** Of a lane, in a round. */
const repliesMin = 15

/** The parts of each node's own clock: the machine's time, engine time while it runs, and the rank
 *  of positions in deleveraging (`at`), which is refreshed every five seconds. */
const ofTheClock = /"(now|engine_now)":\d+|"(at)":[0-4],/g
/** A board that each node rebuilds once a second, and not for each request. */
const ofItsOwnTime: ReadonlySet<RouteName> = new Set<RouteName>(['get_leaderboard'])

export async function compareNodes(options: SameBytesOptions): Promise<SameBytesReport> {
  const comparing = new Comparing(options)
  try {
    await comparing.run()
    return comparing.report()
  } finally {
    comparing.close()
  }
}

type Lane = Readonly<{ leader: RawConnection; reader: RawConnection }>

class Comparing {
  private readonly options: SameBytesOptions
  private readonly random: Random
  private readonly traders: BusyTraders
  private readonly lanes: readonly Lane[]
  private readonly replies: Partial<Record<RouteName, number>> = {}
  private readonly frames: Record<string, number> = {}
  private readonly wrong: string[] = []
  private readonly orders: number[] = []
  private readonly twaps: number[] = []
  private readonly pages: string[] = []
  private readonly startMs = Date.now()
  private tapes: readonly [StreamTape, StreamTape] | null = null
  private comparedTo = 0
  private count = 0
  private unpaired = 0
  private drawn = 0
  private untimely = 0
  private newer = 0

  constructor(options: SameBytesOptions) {
    const { leader, reader, seed } = options
    this.options = options
    this.random = new Random(seed)
    this.traders = new BusyTraders(new Random(seed + 1), [leader, reader])
    this.lanes = Array.from({ length: lanes }, () => ({
      leader: new RawConnection(leader),
      reader: new RawConnection(reader),
    }))
  }

  async run(): Promise<void> {
    const { leader, reader, samples, say } = this.options
    const { traders } = this
    await traders.open()
    const subscribers = symbols.map((symbol, n) => ({ symbol, account: traders.accounts[n]! }))
    const ports = [leader, reader] as const
    const [one, other] = await Promise.all(ports.map((port) => StreamTape.open(port, subscribers)))
    this.tapes = [one!, other!]
    this.comparedTo = Math.max(one!.acknowledgedAt, other!.acknowledgedAt)
    for (let round = 1; this.count < samples && this.wrong.length < wrongMax; round++) {
      let trading = true
      const traded = this.traders.trade(3).then(() => wait(20))
      void traded.finally(() => {
        trading = false
      })
      await Promise.all(this.lanes.map((lane) => this.sampleWhile(lane, () => trading)))
      await traded
      if (round % 10 !== 0 && this.count < samples) continue
      await this.compareFrames()
      await this.traders.readMarks()
      say?.(
        `${this.count} compared, ${this.traders.done} requests traded, ${this.wrong.length} wrong`,
      )
    }
    await this.compareBoards()
  }

  report(): SameBytesReport {
    const { replies, frames, unpaired, untimely, newer, wrong } = this
    return { replies, frames, unpaired, untimely, newer, wrong }
  }

  close(): void {
    for (const tape of this.tapes ?? []) tape.close()
    for (const { leader, reader } of this.lanes) {
      leader.close()
      reader.close()
    }
  }

  private get known(): Known {
    const { orders, twaps, pages, startMs } = this
    return { symbols, accounts: this.traders.accounts, orders, twaps, pages, startMs }
  }

  /** At least this many. */
  private async sampleWhile(lane: Lane, more: () => boolean): Promise<void> {
    const names = readNames.filter((name) => !ofItsOwnTime.has(name))
    for (let n = 0; (n < repliesMin || more()) && this.wrong.length < wrongMax; n++) {
      this.drawn += 1
      const name = names[this.drawn % names.length]!
      await this.sample(lane, drawnRead(name, this.random, this.known))
    }
  }

  private async sample(lane: Lane, request: ReadRequest): Promise<void> {
    let [here, there] = await Promise.all([
      readyReply(lane.leader, request),
      readyReply(lane.reader, request),
    ])
    for (let n = 0; isApart(here, there) && n < pairTriesMax; n++) {
      if (here.seq! < there.seq!) here = await readyReply(lane.leader, request, there.seq)
      else there = await readyReply(lane.reader, request, here.seq)
    }
    if (isApart(here, there)) {
      this.unpaired += 1
      return
    }
    const { name, path } = request
    this.count += 1
    this.replies[name] = (this.replies[name] ?? 0) + 1
    const [one, other] = [textOf(here), textOf(there)]
    if (here.status === 200) this.learn(request, here)
    if (one === other) return
    // Of history a reply is true as of its entry at least: it may have rows of the next ones.
    if (isOfHistory(name) && (await this.hasMoved(lane, here.seq!))) this.newer += 1
    else this.wrong.push(`${path} ${request.body ?? ''}\n  ${one}\n  ${other}`)
  }

  private async hasMoved({ leader, reader }: Lane, seq: number): Promise<boolean> {
    const info = { path: '/info' }
    const [here, there] = await Promise.all([leader.ask(info), reader.ask(info)])
    return here.seq !== seq || there.seq !== seq
  }

  private learn({ name, path }: ReadRequest, { text, headers }: RawReply): void {
    const isList = name === 'get_order_history' || name === 'get_twap_history'
    if (isList && text.startsWith('{')) {
      const ids = name === 'get_order_history' ? this.orders : this.twaps
      const { data } = JSON.parse(text) as { data: readonly { order_id: number }[] }
      for (const { order_id } of data.slice(0, 3)) ids.push(order_id)
      ids.splice(0, ids.length - pagesKept)
    }
    const cursor = headers['x-next-cursor'] ?? /"next_cursor":"([^"]+)"/.exec(text)?.[1]
    if (cursor === undefined) return
    this.pages.push(`${path.replace(/&cursor=[^&]+/, '')}&cursor=${encodeURIComponent(cursor)}`)
    if (this.pages.length > pagesKept) this.pages.shift()
  }

  /** Trading has stopped. */
  private async compareFrames(): Promise<void> {
    const [one, other] = this.tapes!
    const states = allSources.filter((source) => isState(source))
    await Promise.all([one.subscribe(states), other.subscribe(states)])
    await wait(timedMs)
    const [lane] = this.lanes as [Lane]
    const { seq } = await lane.leader.ask({ path: '/info' })
    await lane.reader.ask({ path: '/info' }, seq)
    await Promise.all([one.settle(), other.settle()])
    const [ours, theirs] = [one.take(this.comparedTo, seq!), other.take(this.comparedTo, seq!)]
    this.comparedTo = seq!
    for (const key of new Set([...ours.keys(), ...theirs.keys()]))
      this.compareAt(key, ours.get(key), theirs.get(key))
    for (const tape of [one, other]) this.wrong.push(...tape.strange.splice(0))
  }

  private compareAt(key: string, one: Place | undefined, other: Place | undefined): void {
    const { source } = (one ?? other)!
    const [here, there] = [framesOf(one), framesOf(other)]
    if (isState(source) && (here.length === 0 || there.length === 0 || !isSameStep(here, there))) {
      this.untimely += 1
      return
    }
    this.count += here.length
    this.frames[source] = (this.frames[source] ?? 0) + here.length
    const same = here.length === there.length && here.every((text, n) => text === there[n])
    if (!same) this.wrong.push(`${key}\n  ${here.join('\n  ')}\nagainst\n  ${there.join('\n  ')}`)
  }

  /** When both were made of a state that has not changed since. */
  private async compareBoards(): Promise<void> {
    const [{ leader, reader }] = this.lanes as [Lane]
    await leader.ask({ path: '/sandbox/clock', body: '{"freeze":true}' })
    await wait(1_100)
    for (const name of ofItsOwnTime)
      await this.sample({ leader, reader }, drawnRead(name, this.random, this.known))
  }
}

/** A node whose history is behind says so, and when to ask again. */
async function readyReply(
  connection: RawConnection,
  request: ReadRequest,
  minSeq: number | null = null,
): Promise<RawReply> {
  for (let n = 0; ; n++) {
    const reply = await connection.ask(request, minSeq)
    const again = reply.headers['retry-after']
    if (reply.status !== 503 || again === undefined || n === pairTriesMax) return reply
    await wait(Number(again) * 1_000)
  }
}

function isApart(one: RawReply, other: RawReply): boolean {
  return one.seq !== null && other.seq !== null && one.seq !== other.seq
}

function textOf({ status, headers, text }: RawReply): string {
  return `${status} ${JSON.stringify(headers)} ${withoutClock(text)}`
}

function withoutClock(text: string): string {
  return text.replace(ofTheClock, '')
}

/** A present value may come twice, when it was requested while it was sent. */
function framesOf(place: Place | undefined): readonly string[] {
  return [...new Set((place?.texts ?? []).map(withoutClock))]
}

/** What changed since another frame than the other node's is another frame. */
function isSameStep(one: readonly string[], other: readonly string[]): boolean {
  const stepOf = (texts: readonly string[]) => texts.map((text) => /"prev":[^,]+/.exec(text)?.[0])
  return stepOf(one).join() === stepOf(other).join()
}
