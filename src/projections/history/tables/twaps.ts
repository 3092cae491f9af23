// TWAPs: what was asked for, and a row for each step: placed, a slice, a fill, its end. The newest
// step says how far it has come.

import { columnsOf } from '../../../core/events/event-columns.ts'
import { origins, sides, twapEnds } from '../../../core/events/event-fields.ts'
import {
  type OrderStatus,
  orderStatuses,
  type TwapEventName,
  twapEventNames,
} from '../../../protocol/words.ts'
import type { MatchReader, MatchSide } from '../../match-reader.ts'
import type { Told } from '../chunk.ts'
import type { CursorPage } from '../history.ts'
import { type Cells, type Database, type Projection, prepare } from '../projection.ts'
import type { Accounts } from './accounts.ts'

const placed = columnsOf('TwapPlaced')
const sliced = columnsOf('TwapSliced')
const ended = columnsOf('TwapEnded')
const ordered = columnsOf('OrderPlaced')
const BY_TWAP = origins.indexOf('twap')
const OWNER = twapEnds.indexOf('owner')
const FINISHED = twapEnds.indexOf('finished')
/** Remembered at a time; all of it can be read again. */
const liveMax = 10_000

type LiveTwap = { readonly id: number; readonly lots: number; past: number; filled: number } & {
  value: number
  status: OrderStatus
}

// What both reads show: the TWAP, then the step.
const columns = `e.id, e.at, e.event, e.status, e.past, e.filled, e.value, t.id, t.client,
  t.account, t.market, t.side, t.lots, t.slices, t.reduce_only, t.slippage, t.at`

export class Twaps implements Projection {
  readonly reads = {
    TwapPlaced: (told, at) => this.place(told, at),
    TwapSliced: (told, at) => {
      const twap = this.live(told.rows[at + sliced.twap]!)
      twap.past = told.rows[at + sliced.slice]!
      this.add(told, twap, 'twap_triggered')
    },
    OrderPlaced: (told, at) => {
      if (told.rows[at + ordered.origin] !== BY_TWAP) return
      this.childOrder = told.rows[at + ordered.order]!
      this.parentOfChild = told.rows[at + ordered.parent]!
    },
    TwapEnded: (told, at) => {
      const twap = this.live(told.rows[at + ended.twap]!)
      const reason = told.rows[at + ended.reason]!
      if (reason === FINISHED && twap.status === 'filled') return
      twap.status = 'cancelled'
      const forced = reason === OWNER ? 'cancel' : 'force_cancel'
      this.add(told, twap, reason === FINISHED ? 'expired' : forced)
    },
  } satisfies Projection['reads']
  private last = 0
  private lastEvent = 0
  /** The slice that is running: a slice trades or ends within its command. */
  private childOrder = 0
  private parentOfChild = 0
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
    this.insert = prepare(database, 'INSERT INTO twaps VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
    this.insertEvent = prepare(database, 'INSERT INTO twap_events VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
    this.newest = prepare(
      database,
      `SELECT t.lots, e.past, e.filled, e.value, e.status FROM twap_events e
       JOIN twaps t ON t.id = e.twap WHERE e.twap = ? ORDER BY e.id DESC LIMIT 1`,
    )
    this.page = prepare(
      database,
      `SELECT ${columns} FROM twaps t JOIN twap_events e ON e.id =
         (SELECT max(id) FROM twap_events WHERE twap = t.id)
       WHERE t.account = ? AND t.id < ? ORDER BY t.id DESC LIMIT ?`,
    )
    this.steps = prepare(
      database,
      `SELECT ${columns} FROM twap_events e JOIN twaps t ON t.id = e.twap
       WHERE e.twap = ? ORDER BY e.id DESC`,
    )
    this.cut = prepare(database, 'DELETE FROM twaps WHERE id > ?')
    this.cutEvents = prepare(database, 'DELETE FROM twap_events WHERE id > ?')
  }

  private place(told: Told, at: number): void {
    const { rows } = told
    const id = rows[at + placed.order]!
    const lots = rows[at + placed.size]!
    this.insert.run(
      id,
      told.atMs,
      rows[at + placed.account]!,
      rows[at + placed.market]!,
      rows[at + placed.side]!,
      lots,
      rows[at + placed.slices]!,
      rows[at + placed.reduceOnly]!,
      rows[at + placed.slippagePpm]!,
      told.text(rows[at + placed.clientOrderId]!),
    )
    this.last = id
    const twap: LiveTwap = { id, lots, past: 0, filled: 0, value: 0, status: 'open' }
    this.add(told, this.keep(twap), 'twap_created')
  }

  matched(told: Told, match: MatchReader, side: MatchSide): void {
    if (side !== 'taker' || match.takerOrder !== this.childOrder) return
    const twap = this.live(this.parentOfChild)
    twap.filled += match.lots
    twap.value += match.value
    twap.status = twap.filled === twap.lots ? 'filled' : 'partially_filled'
    this.add(told, twap, 'fulfill_market')
  }

  private add({ atMs }: Told, twap: LiveTwap, event: TwapEventName): void {
    const { id, past, filled, value, status } = twap
    this.lastEvent += 1
    const words = [twapEventNames.indexOf(event), orderStatuses.indexOf(status)]
    this.insertEvent.run(this.lastEvent, id, atMs, ...words, past, filled, value)
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
    const found = this.newest.get(id) as number[] | undefined
    const [lots = 0, past = 0, filled = 0, value = 0, status = 0] = found ?? []
    return this.keep({ id, lots, past, filled, value, status: orderStatuses[status]! })
  }

  /** Newest first, each with its newest step. */
  of(account: string, { before, limit }: CursorPage): Cells[] {
    const id = this.accounts.idOf(account)
    return this.told(this.page.all(id, before ?? Number.MAX_SAFE_INTEGER, limit))
  }

  /** All steps of one, newest first. */
  stepsOf(twap: number): Cells[] {
    return this.told(this.steps.all(twap))
  }

  private told(found: readonly unknown[]): Cells[] {
    const rows = found as (number | string | null)[][]
    for (const row of rows) {
      row[2] = twapEventNames[row[2] as number]!
      row[3] = orderStatuses[row[3] as number]!
      row[9] = this.accounts.addressOf(row[9] as number)
      row[11] = sides[row[11] as number]!
    }
    return rows
  }

  mark() {
    return [this.last, this.lastEvent]
  }

  resume([last, lastEvent]: readonly number[]): void {
    this.last = last!
    this.lastEvent = lastEvent!
    this.twaps.clear()
    this.childOrder = 0
  }

  revert([last, lastEvent]: readonly number[]): void {
    this.cut.run(last!)
    this.cutEvents.run(lastEvent!)
  }
}
