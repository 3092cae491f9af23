// Algos: their parameters, and a row for each step (placement, order, fill, end). The newest step
// has the progress.

import { bitsOf, columnsOf, wordAt } from '../../../core/index.ts'
import {
  type OrderStatus,
  orderStatuses,
  type TwapEventName,
  twapEventNames,
} from '../../../protocol/words.ts'
import { algoEnds, algoKinds } from '../../../words/order-words.ts'
import type { FedOutcome } from '../chunk.ts'
import type { AfterQuery, CursorPage } from '../history.ts'
import { type Database, type NewestRow, type Projection, prepare } from '../projection.ts'
import type { Cells } from '../rows/column.ts'
import { pick, select } from '../rows/select.ts'
import { insertInto } from '../rows/table.ts'
import { selectWire } from '../rows/wire-row.ts'
import { algoEvents, algoRow, algos, twapRow } from '../schema/algo-table.ts'
import type { Accounts } from './accounts.ts'
import { bySeq, TimeIndex } from './time-index.ts'

const placed = columnsOf('AlgoPlaced')
const stepped = columnsOf('AlgoStepped')
const ended = columnsOf('AlgoEnded')
const endedAs = bitsOf('AlgoEnded')
const filled = columnsOf('AlgoFilled')
const placedAs = bitsOf('AlgoPlaced')
const OWNER = algoEnds.indexOf('owner')
const TWAP = algoKinds.indexOf('twap')
const FINISHED = algoEnds.indexOf('finished')
const EXPIRED = algoEnds.indexOf('expired')
/** Maximum number of cached algos; all of them can be read again. */
const liveMax = 10_000

type LiveAlgo = {
  readonly id: number
  /** 0 for an algo that is older than this history. */
  readonly account: number
  readonly lots: number
  past: number
  filled: number
  value: number
  status: OrderStatus
}

const unknownAlgo = { account: 0, lots: 0, past: 0, filled: 0, value: 0, status: 0 }

type Mark = NewestRow & Readonly<{ lastEvent: number }>

export class Algos implements Projection<Mark> {
  readonly reads = {
    AlgoPlaced: (outcome, at) => this.place(outcome, at),
    AlgoStepped: (outcome, at) => {
      const algo = this.live(outcome.rows[at + stepped.algo]!)
      algo.past = outcome.rows[at + stepped.step]!
      this.add(outcome, algo, 'twap_triggered')
    },
    AlgoFilled: (outcome, at) => {
      const { rows } = outcome
      const algo = this.live(rows[at + filled.algo]!)
      algo.filled = rows[at + filled.filled]!
      algo.value = rows[at + filled.filledValue]!
      algo.status = algo.filled === algo.lots ? 'filled' : 'partially_filled'
      this.add(outcome, algo, 'fulfill_market')
    },
    AlgoEnded: (outcome, at) => {
      const algo = this.live(outcome.rows[at + ended.algo]!)
      const reason = wordAt(outcome.rows, at, endedAs.reason)
      if (reason === FINISHED && algo.status === 'filled') return
      algo.status = 'cancelled'
      const forced = reason === OWNER ? 'cancel' : 'force_cancel'
      const ran = reason === FINISHED || reason === EXPIRED
      this.add(outcome, algo, ran ? 'expired' : forced, 1 + reason)
    },
  } satisfies Projection['reads']
  private last = 0
  private lastEvent = 0
  private readonly lives = new Map<number, LiveAlgo>()
  private readonly accounts
  private readonly insert
  private readonly insertEvent
  private readonly newest
  private readonly page
  private readonly twapPage
  private readonly steps
  private readonly life
  private readonly seqs
  private readonly newer
  private readonly cut
  private readonly cutEvents

  constructor(database: Database, accounts: Accounts) {
    this.accounts = accounts
    this.insert = insertInto(database, algos)
    this.insertEvent = insertInto(database, algoEvents)
    const events = 'FROM algo_events JOIN algos ON algos.id = algo WHERE algo = ?'
    this.newest = select(
      database,
      {
        ...pick(algos, 'account', 'lots'),
        ...pick(algoEvents, 'past', 'filled', 'value', 'status'),
      },
      `${events} ORDER BY algo_events.id DESC LIMIT 1`,
    )
    const newestOf = (kinds: string) => `FROM algos JOIN algo_events ON algo_events.id =
         (SELECT max(id) FROM algo_events WHERE algo = algos.id)
       WHERE algos.account = ? AND ${kinds} AND algos.id < ? ORDER BY algos.id DESC LIMIT ?`
    this.twapPage = selectWire(database, twapRow, newestOf(`kind = ${TWAP}`))
    this.page = selectWire(database, algoRow, newestOf(`kind <> ${TWAP}`))
    this.steps = selectWire(
      database,
      twapRow,
      `${events} AND kind = ${TWAP} ORDER BY algo_events.id DESC`,
    )
    this.life = selectWire(database, algoRow, `${events} ORDER BY algo_events.id DESC`)
    const { account } = algoEvents.columns
    this.seqs = new TimeIndex(database, bySeq(algoEvents), algoEvents.columns.id, account)
    this.newer = selectWire(
      database,
      twapRow,
      `FROM algo_events JOIN algos ON algos.id = algo WHERE algo_events.account = ? AND
         kind = ${TWAP} AND algo_events.id >= ? ORDER BY algo_events.id DESC LIMIT ?`,
    )
    this.cut = prepare(database, 'DELETE FROM algos WHERE id > ?')
    this.cutEvents = prepare(database, 'DELETE FROM algo_events WHERE id > ?')
  }

  private place(outcome: FedOutcome, at: number): void {
    const { rows } = outcome
    const id = rows[at + placed.order]!
    const lots = rows[at + placed.size]!
    const account = rows[at + placed.account]!
    this.insert({
      id,
      at: outcome.atMs,
      account,
      market: rows[at + placed.market]!,
      kind: wordAt(rows, at, placedAs.kind),
      side: wordAt(rows, at, placedAs.side),
      lots,
      slices: rows[at + placed.slices]!,
      reduceOnly: wordAt(rows, at, placedAs.reduceOnly),
      slippagePpm: rows[at + placed.slippagePpm]!,
      price: rows[at + placed.price]!,
      display: rows[at + placed.display]!,
      expireTime: rows[at + placed.expireTime]!,
      client: outcome.text(rows[at + placed.clientOrderId]!),
    })
    this.last = id
    const algo = this.keep({ ...unknownAlgo, id, account, lots, status: 'open' })
    this.add(outcome, algo, 'twap_created')
  }

  private add({ seq, atMs }: FedOutcome, algo: LiveAlgo, event: TwapEventName, reason = 0): void {
    this.lastEvent += 1
    this.insertEvent({
      id: this.lastEvent,
      seq,
      account: algo.account,
      algo: algo.id,
      at: atMs,
      event: twapEventNames.indexOf(event),
      status: orderStatuses.indexOf(algo.status),
      past: algo.past,
      filled: algo.filled,
      value: algo.value,
      reason,
    })
  }

  private keep(algo: LiveAlgo): LiveAlgo {
    if (this.lives.size >= liveMax) this.lives.clear()
    this.lives.set(algo.id, algo)
    return algo
  }

  /** Reads an algo. One from before the beginning of a partial history cannot be read. */
  private live(id: number): LiveAlgo {
    const known = this.lives.get(id)
    if (known !== undefined) return known
    const { status, ...newest } = this.newest.get(id) ?? unknownAlgo
    return this.keep({ id, ...newest, status: orderStatuses[status]! })
  }

  /** TWAPs as of their newest steps, newest first. */
  twapsOf(account: string, { before, limit }: CursorPage): Cells[] {
    return this.twapPage(this.accounts.idOf(account), before ?? Number.MAX_SAFE_INTEGER, limit)
  }

  /** Algos with resting orders as of their newest steps, newest first. */
  of(account: string, { before, limit }: CursorPage): Cells[] {
    return this.page(this.accounts.idOf(account), before ?? Number.MAX_SAFE_INTEGER, limit)
  }

  /** All steps of a TWAP, newest first; empty for other kinds. */
  stepsOf(algo: number): Cells[] {
    return this.steps(algo)
  }

  /** Steps of TWAPs after this seq, newest first. */
  twapsAfter(address: string, { seq, limit }: AfterQuery): Cells[] {
    const id = this.accounts.idOf(address)
    return this.newer(id, this.seqs.range(seq + 1, null, this.lastEvent, id).low, limit)
  }

  /** All steps of an algo of any kind, newest first. */
  lifeOf(algo: number): Cells[] {
    return this.life(algo)
  }

  mark() {
    return { last: this.last, lastEvent: this.lastEvent }
  }

  resume({ last, lastEvent }: Mark): void {
    this.last = last
    this.lastEvent = lastEvent
    this.lives.clear()
  }

  revert({ last, lastEvent }: Mark): void {
    this.cut.run(last)
    this.cutEvents.run(lastEvent)
  }
}
