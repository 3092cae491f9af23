// TWAPs: what was asked for, and a row for each step: placed, a slice, a fill, its end. The newest
// step says how far it has come.

import { bitsOf, columnsOf, twapEnds, wordAt } from '../../../core/index.ts'
import {
  type OrderStatus,
  orderStatuses,
  type TwapEventName,
  twapEventNames,
} from '../../../protocol/words.ts'
import type { FedOutcome } from '../chunk.ts'
import type { CursorPage } from '../history.ts'
import { type Database, type NewestRow, type Projection, prepare } from '../projection.ts'
import type { Cells } from '../rows/column.ts'
import { pick, select } from '../rows/select.ts'
import { insertInto } from '../rows/table.ts'
import { selectWire } from '../rows/wire-row.ts'
import { twapEvents, twapRow, twaps } from '../schema/twap-table.ts'
import type { Accounts } from './accounts.ts'

const placed = columnsOf('TwapPlaced')
const sliced = columnsOf('TwapSliced')
const ended = columnsOf('TwapEnded')
const endedAs = bitsOf('TwapEnded')
const filled = columnsOf('TwapFilled')
const placedAs = bitsOf('TwapPlaced')
const OWNER = twapEnds.indexOf('owner')
const FINISHED = twapEnds.indexOf('finished')
/** Remembered at a time; all of it can be read again. */
const liveMax = 10_000

type LiveTwap = { readonly id: number; readonly lots: number; past: number; filled: number } & {
  value: number
  status: OrderStatus
}

const unknownTwap = { lots: 0, past: 0, filled: 0, value: 0, status: 0 }

type Mark = NewestRow & Readonly<{ lastEvent: number }>

export class Twaps implements Projection<Mark> {
  readonly reads = {
    TwapPlaced: (outcome, at) => this.place(outcome, at),
    TwapSliced: (outcome, at) => {
      const twap = this.live(outcome.rows[at + sliced.twap]!)
      twap.past = outcome.rows[at + sliced.slice]!
      this.add(outcome, twap, 'twap_triggered')
    },
    TwapFilled: (outcome, at) => {
      const { rows } = outcome
      const twap = this.live(rows[at + filled.twap]!)
      twap.filled = rows[at + filled.filled]!
      twap.value = rows[at + filled.filledValue]!
      twap.status = twap.filled === twap.lots ? 'filled' : 'partially_filled'
      this.add(outcome, twap, 'fulfill_market')
    },
    TwapEnded: (outcome, at) => {
      const twap = this.live(outcome.rows[at + ended.twap]!)
      const reason = wordAt(outcome.rows, at, endedAs.reason)
      if (reason === FINISHED && twap.status === 'filled') return
      twap.status = 'cancelled'
      const forced = reason === OWNER ? 'cancel' : 'force_cancel'
      this.add(outcome, twap, reason === FINISHED ? 'expired' : forced)
    },
  } satisfies Projection['reads']
  private last = 0
  private lastEvent = 0
  private readonly twaps = new Map<number, LiveTwap>()
  private readonly accounts
  private readonly insert
  private readonly insertEvent
  private readonly newest
  private readonly page
  private readonly steps
  private readonly cut
  private readonly cutEvents

  constructor(database: Database, accounts: Accounts) {
    this.accounts = accounts
    this.insert = insertInto(database, twaps)
    this.insertEvent = insertInto(database, twapEvents)
    const events = 'FROM twap_events JOIN twaps ON twaps.id = twap WHERE twap = ?'
    this.newest = select(
      database,
      { ...pick(twaps, 'lots'), ...pick(twapEvents, 'past', 'filled', 'value', 'status') },
      `${events} ORDER BY twap_events.id DESC LIMIT 1`,
    )
    this.page = selectWire(
      database,
      twapRow,
      `FROM twaps JOIN twap_events ON twap_events.id =
         (SELECT max(id) FROM twap_events WHERE twap = twaps.id)
       WHERE account = ? AND twaps.id < ? ORDER BY twaps.id DESC LIMIT ?`,
    )
    this.steps = selectWire(database, twapRow, `${events} ORDER BY twap_events.id DESC`)
    this.cut = prepare(database, 'DELETE FROM twaps WHERE id > ?')
    this.cutEvents = prepare(database, 'DELETE FROM twap_events WHERE id > ?')
  }

  private place(outcome: FedOutcome, at: number): void {
    const { rows } = outcome
    const id = rows[at + placed.order]!
    const lots = rows[at + placed.size]!
    this.insert({
      id,
      at: outcome.atMs,
      account: rows[at + placed.account]!,
      market: rows[at + placed.market]!,
      side: wordAt(rows, at, placedAs.side),
      lots,
      slices: rows[at + placed.slices]!,
      reduceOnly: wordAt(rows, at, placedAs.reduceOnly),
      slippagePpm: rows[at + placed.slippagePpm]!,
      client: outcome.text(rows[at + placed.clientOrderId]!),
    })
    this.last = id
    const twap: LiveTwap = { id, lots, past: 0, filled: 0, value: 0, status: 'open' }
    this.add(outcome, this.keep(twap), 'twap_created')
  }

  private add({ atMs }: FedOutcome, twap: LiveTwap, event: TwapEventName): void {
    this.lastEvent += 1
    this.insertEvent({
      id: this.lastEvent,
      twap: twap.id,
      at: atMs,
      event: twapEventNames.indexOf(event),
      status: orderStatuses.indexOf(twap.status),
      past: twap.past,
      filled: twap.filled,
      value: twap.value,
    })
  }

  private keep(twap: LiveTwap): LiveTwap {
    if (this.twaps.size >= liveMax) this.twaps.clear()
    this.twaps.set(twap.id, twap)
    return twap
  }

  /** One older than history itself, where that begins in the middle, is nobody's to see. */
  private live(id: number): LiveTwap {
    const known = this.twaps.get(id)
    if (known !== undefined) return known
    const { status, ...newest } = this.newest.get(id) ?? unknownTwap
    return this.keep({ id, ...newest, status: orderStatuses[status]! })
  }

  /** Newest first, each with its newest step. */
  of(account: string, { before, limit }: CursorPage): Cells[] {
    const id = this.accounts.idOf(account)
    return this.page(id, before ?? Number.MAX_SAFE_INTEGER, limit)
  }

  /** All steps of one, newest first. */
  stepsOf(twap: number): Cells[] {
    return this.steps(twap)
  }

  mark() {
    return { last: this.last, lastEvent: this.lastEvent }
  }

  resume({ last, lastEvent }: Mark): void {
    this.last = last
    this.lastEvent = lastEvent
    this.twaps.clear()
  }

  revert({ last, lastEvent }: Mark): void {
    this.cut.run(last)
    this.cutEvents.run(lastEvent)
  }
}
