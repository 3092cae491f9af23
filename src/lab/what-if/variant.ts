// The variant of a history: it applies the recorded commands with its own ids, next to the
// original. What cannot be applied is refused by the rules, as it would have been.

import {
  type ClosedState,
  type Command,
  decodeState,
  EventLog,
  type ExchangeView,
  encodeState,
  viewOf,
} from '../../core/index.ts'
import type { Times } from '../../sequencer/entry.ts'
import { type Outcome, outcomeOf } from '../../sequencer/outcome.ts'
import { Replica } from '../../sequencer/replica/replica.ts'
import { IdMap, type Names } from './id-map.ts'
import { mappedCommand } from './mapped-command.ts'

type Saved = Readonly<{ bytes: Uint8Array; ids: IdMap }>

export class Variant {
  readonly replica: Replica
  private readonly log = new EventLog()
  private readonly saved = new Map<string, Saved>()
  private ids = new IdMap()
  /** By id of the original. Empty after a revert, which may give ids again. */
  private accounts = new Map<number, number>()
  private markets = new Map<number, number>()

  /** `base`: the state that both histories have in common. */
  constructor(base: ClosedState) {
    const state = decodeState(encodeState(base))
    const place = { seqOffset: 0, timeline: 0, undone: [] }
    this.replica = new Replica(state, { ...place, seq: seqOf(state) })
  }

  get view(): ExchangeView {
    return this.replica.view
  }

  /** Applies a command whose ids are those of the variant. The events can be read until the next
   *  call. */
  apply(command: Command, times: Times): Outcome {
    const { log, replica } = this
    const seq = replica.seq + 1
    log.clear()
    const atMs = Math.max(times.atMs, replica.view.atMs)
    replica.apply(seq, { ...times, atMs }, command, log)
    return outcomeOf({ seq, atMs, entry: { kind: 'command', command, by: null } }, log, 0)
  }

  /** The command with the ids of the variant; `null` if it names an account or a market that the
   *  variant does not have. `original`: the view of the original. `isSame`: whether both histories
   *  have done the same so far. */
  mapped(command: Command, original: ExchangeView, isSame: boolean): Command | null {
    return mappedCommand(command, (kind, id) => {
      if (kind === 'account') return this.accountOf(id, original)
      if (kind === 'market') return this.marketOf(id, original)
      return isSame && kind === 'order' ? this.ids.foreseen(id) : this.ids.of(kind, id)
    })
  }

  /** Learns the ids that a command created in both. `outcome` is `null` if the variant has not
   *  applied it. */
  learn(original: Outcome, view: ExchangeView, outcome: Outcome | null): void {
    this.ids.learn(partsOf(original, view), outcome === null ? null : partsOf(outcome, this.view))
  }

  save(id: string): void {
    this.replica.pass(this.replica.seq + 1)
    this.saved.set(id, { bytes: encodeState(this.replica.state), ids: this.ids.copy() })
  }

  /** `earlier`: the state under this id, if it was saved before the histories differ. */
  async revert(id: string, earlier: () => Promise<ClosedState>): Promise<void> {
    const saved = this.saved.get(id)
    const state = saved === undefined ? await earlier() : decodeState(saved.bytes)
    this.replica.revert(this.replica.seq + 1, state, 0)
    this.ids = saved?.ids.copy() ?? new IdMap()
    this.accounts = new Map()
    this.markets = new Map()
  }

  private accountOf(old: number, { accounts }: ExchangeView): number | null {
    const known = this.accounts.get(old)
    if (known !== undefined) return known
    // An id that the original does not know stays, and is refused as there.
    if (!Number.isInteger(old) || old < 1 || old > accounts.count) return old
    const found = this.view.accounts.idOf(accounts.addressOf(old))
    if (found === 0) return null
    this.accounts.set(old, found)
    return found
  }

  private marketOf(old: number, { markets }: ExchangeView): number | null {
    const known = this.markets.get(old)
    if (known !== undefined) return known
    const symbol = markets.get(old)?.params.symbol
    if (symbol === undefined) return old
    const found = this.view.markets.named(symbol)?.id ?? null
    if (found !== null) this.markets.set(old, found)
    return found
  }
}

const seqOf = (state: ClosedState) => viewOf(state).seq

function partsOf({ log, first, end, ownFirst, ownEnd }: Outcome, view: ExchangeView) {
  const events = log.readBetween(first, end)
  const before = log.readBetween(first, ownFirst).length
  const own = events.slice(before, before + log.readBetween(ownFirst, ownEnd).length)
  return { events, own, names: namesIn(view) }
}

function namesIn({ accounts, markets }: ExchangeView): Names {
  return {
    account: (id) => accounts.addressOf(id),
    market: (id) => markets.get(id)?.params.symbol ?? '',
  }
}
