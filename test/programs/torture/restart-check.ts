// Reads a sandbox's journal entry by entry and says what a restart did that it must not do. It
// knows no more than the rule: after `EngineStarted` nothing has changed until the first tick, the
// first tick of a market has the price at which it stood, and the prices of a script come one after
// the other, each once, however often the process died in between.

import type { CommandOf } from '../../../src/core/commands/commands.ts'
import type { State } from '../../../src/core/engine.ts'
import type { Placed } from '../../../src/sequencer/entry.ts'
import { tradingHash } from '../../../src/sequencer/snapshots/state-hash.ts'

type Script =
  | Readonly<{ kind: 'path'; prices: readonly number[]; holds: boolean; played: number }>
  | Readonly<{ kind: 'silence'; until: number }>

type Start = Readonly<{
  seq: number
  hash: string
  atMs: number
  frozen: boolean
  oracles: ReadonlyMap<number, number>
  /** Markets that have ticked since, and those that were given another script first. */
  ticked: Set<number>
  scripted: Set<number>
}>

export class RestartCheck {
  readonly wrong: string[] = []
  starts = 0
  firstTicks = 0
  pathTicks = 0
  private start: Start | null = null
  private scripts = new Map<number, Script>()
  private readonly saved = new Map<string, ReadonlyMap<number, Script>>()
  /** Requested paths, by market; the journal may have any of them, in this order. */
  private readonly requested = new Map<number, (readonly number[])[]>()

  /** Before the request is sent: it may not arrive. */
  request(market: number, prices: readonly number[]): void {
    this.requested.set(market, [...(this.requested.get(market) ?? []), prices])
  }

  /** The process was killed: anything not in the journal never happened. */
  died(): void {
    this.requested.clear()
  }

  /** The entry is about to meet this state. */
  before({ seq, atMs, entry }: Placed, state: State): void {
    if (this.start?.seq === seq - 1) this.checkStart(this.start, { seq, atMs, entry }, state)
    if (entry.kind === 'snapshot') this.saved.set(entry.id, new Map(this.scripts))
    else if (entry.kind === 'revert') this.scripts = new Map(this.saved.get(entry.id))
    else if (entry.command.type === 'EngineStarted') this.start = this.started(seq, state)
    else if (entry.command.type === 'KeepNote') this.noted(entry.command)
    else if (entry.command.type === 'OracleTick') this.ticks(entry.command, seq, atMs, state)
    // Another timeline has other prices.
    if (entry.kind === 'revert') this.start = null
  }

  private started(seq: number, state: State): Start | null {
    if (state.markets.length === 1) return null
    this.starts += 1
    const listed = state.markets.filter((market) => market !== undefined)
    return {
      seq,
      hash: tradingHash(state),
      atMs: state.atMs,
      frozen: state.clockFrozen,
      oracles: new Map(listed.map(({ id, oracle }) => [id, oracle])),
      ticked: new Set(),
      scripted: new Set(),
    }
  }

  /** The first entry after a start. */
  private checkStart(start: Start, { seq, atMs, entry }: Placed, state: State): void {
    if (tradingHash(state) !== start.hash)
      this.wrong.push(`${start.seq}: a start changed the state`)
    const type = entry.kind === 'command' ? entry.command.type : entry.kind
    // While time stands still, any command may come first; and a start may be killed immediately.
    if (start.frozen || type === 'EngineStarted') return
    if (type !== 'OracleTick') this.wrong.push(`${seq}: ${type} came before the first tick`)
    if (atMs !== start.atMs) this.wrong.push(`${seq}: ${atMs - start.atMs} ms passed before a tick`)
  }

  private noted({ name, text }: CommandOf<'KeepNote'>): void {
    const [, id] = /^script (\d+)$/.exec(name) ?? []
    if (id === undefined) return
    const market = Number.parseInt(id, 10)
    this.start?.scripted.add(market)
    if (text === null) {
      this.scripts.delete(market)
      return
    }
    const script = JSON.parse(text)
    if (script.kind === 'silence') {
      this.scripts.set(market, script)
      return
    }
    const prices = script.prices.split(' ').map((each: string) => Number.parseInt(each, 36))
    this.scripts.set(market, { kind: 'path', prices, holds: script.holds, played: 0 })
    if (script.holds) this.checkPath(market, prices)
  }

  private checkPath(market: number, prices: readonly number[]): void {
    const requested = this.requested.get(market) ?? []
    const at = requested.findIndex((path) => path.join() === prices.join())
    if (at < 0) this.wrong.push(`a path of market ${market} that was not requested`)
    this.requested.set(market, requested.slice(at + 1))
  }

  private ticks(tick: CommandOf<'OracleTick'>, seq: number, atMs: number, state: State): void {
    const { market, price, jump } = tick
    this.checkFirst(tick, seq)
    const script = this.scripts.get(market)
    const stays = !jump && price === state.markets[market]!.oracle
    if (script?.kind === 'silence') {
      if (atMs < script.until) this.wrong.push(`${seq}: market ${market} is paused, and ticks`)
      else this.scripts.delete(market)
    } else if (script !== undefined && jump) this.plays(script, tick, seq)
    else if (jump) this.wrong.push(`${seq}: market ${market} jumps without a script`)
    else if (script !== undefined && !hasEnded(script) && !stays)
      this.wrong.push(`${seq}: market ${market} leaves its path for ${price}`)
  }

  private checkFirst({ market, price, jump }: CommandOf<'OracleTick'>, seq: number): void {
    const { start } = this
    if (start === null || start.ticked.has(market)) return
    start.ticked.add(market)
    const stood = start.oracles.get(market)
    if (start.scripted.has(market) || stood === undefined) return
    this.firstTicks += 1
    if (price !== stood || jump)
      this.wrong.push(`${seq}: market ${market} was at ${stood}, its first tick says ${price}`)
  }

  private plays(
    script: Extract<Script, { kind: 'path' }>,
    { market, price }: CommandOf<'OracleTick'>,
    seq: number,
  ): void {
    const { prices, played } = script
    const expected = prices[Math.min(played, prices.length - 1)]
    this.pathTicks += 1
    if (hasEnded(script)) this.wrong.push(`${seq}: market ${market} plays a path that is over`)
    if (price !== expected)
      this.wrong.push(`${seq}: market ${market} plays ${price} at ${played}, not ${expected}`)
    this.scripts.set(market, { ...script, played: played + 1 })
  }
}

function hasEnded({ holds, played, prices }: Extract<Script, { kind: 'path' }>): boolean {
  return !holds && played >= prices.length
}
