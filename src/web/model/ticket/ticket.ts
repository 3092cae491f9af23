// The ticket: a draft, its preview by the exchange, and the refusal at its field. The preview is
// requested shortly after the last change, and again as prices move.

import { computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { Account } from '../account/account.ts'
import { numberOnGrid } from '../market/market-grid.ts'
import type { Markets } from '../market/markets.ts'
import type { PreferenceStore } from '../preferences.ts'
import type { Position, Preview, PreviewRequest } from '../wire.ts'
import { refusalBy } from './draft-problems.ts'
import { maxSizeKey, maxSizeQuery, showsMaxSize } from './max-size-query.ts'
import {
  amountOf,
  changed,
  cleared,
  type Draft,
  emptyDraft,
  isPriced,
  isTrailing,
  isTriggered,
  shareOf,
  sizeText,
  slippageName,
  textOf,
  understood,
} from './order-draft.ts'
import { feeAtMost } from './order-fee.ts'
import { type Objection, type OrderPreview, previewOrder } from './order-preview.ts'
import { type Built, build, type Ordered } from './order-request.ts'
import { type FieldRefusal, fieldRefusal, ofRung, type TicketField } from './refusal-field.ts'
import { refusedOrderOf } from './refused-order.ts'
import { holds, type Verdict } from './verdict.ts'

export type TicketParts = Readonly<{
  markets: Markets
  account: Account
  preferences: PreferenceStore
  address: ReadonlySignal<string | null>
  ask: (request: PreviewRequest) => Promise<Preview>
  /** Clock of the exchange. */
  now: () => number
}>

const settleMs = 120
const refreshMs = 2_000
/** Refresh interval in turns for a ticket without an order, whose maximum size alone is
 *  refreshed. */
const idleTurns = 5

/** Draft field into which an accepted value is inserted, by ticket field. */
const acceptedIn: Readonly<Partial<Record<TicketField, keyof Draft>>> = {
  price: 'price',
  stop: 'stop',
  trail: 'trail',
  activation: 'activation',
  below: 'below',
  to: 'to',
  display: 'display',
  duration: 'minutes',
}

export class Ticket {
  readonly draft: Signal<Draft>
  /** The draft with its inputs replaced by numbers. */
  readonly meant: ReadonlySignal<Draft>
  readonly amount: ReadonlySignal<string>
  readonly built: ReadonlySignal<Built>
  readonly preview: Signal<Preview | null> = signal(null)
  /** Refusal by the exchange, or problem found by the form. */
  readonly refusal: Signal<FieldRefusal | null> = signal(null)
  /** Why the execution would not be covered now, although the order is accepted; `null` if it would
   *  be. */
  readonly caution: Signal<string | null> = signal(null)
  /** Maximum accepted size on this side; `null` if unknown. */
  readonly most: ReadonlySignal<string | null>
  /** Position that a reduce-only order of this side would reduce. */
  readonly shrinks: ReadonlySignal<Position | null>
  /** Maximum fee; `null` if unknown. */
  readonly fee: ReadonlySignal<string | number | null>
  readonly sending: Signal<boolean> = signal(false)
  private readonly knownMax: Signal<Readonly<{ about: string; most: string }> | null> = signal(null)
  private readonly parts: TicketParts
  private turn = 0
  /** The last refusal by the preview; `null` if there is none, or it is unknown. */
  private verdict: Verdict | null = null
  /** Whether the refusal is the answer to a sent order, which stays until the draft is changed. */
  private wasSent = false

  constructor(parts: TicketParts) {
    this.parts = parts
    const { markets, account } = parts
    const { sizeUnit, slippage, twapSlippage } = parts.preferences.now.peek()
    this.draft = signal({ ...emptyDraft, sizeUnit, slippage, twapSlippage })
    this.meant = computed(() => understood(this.draft.value, markets.grid.value))
    this.amount = computed(() => amountOf(this.draft.value, markets.grid.value, markets.mark.value))
    this.built = computed(() => this.builtNow())
    this.shrinks = computed(() => {
      const position = account.position(markets.symbol.value)
      return position === undefined || position.d === this.draft.value.side ? null : position
    })
    this.most = computed(() => {
      if (this.draft.value.reduceOnly) return this.shrinks.value?.a ?? '0'
      return this.knownMax.value?.about === this.maxSizeAbout() ? this.knownMax.value.most : null
    })
    this.fee = computed(() => {
      const rate = markets.takerFee(account.numbers.value?.f)
      return feeAtMost(this.draft.value, this.preview.value, rate)
    })
    this.followMarket()
    this.followDraft()
  }

  /** Builds the request as of now: an expiry in ten minutes starts now. */
  builtNow(): Built {
    return build(this.draft.value, this.ordered())
  }

  private ordered(): Ordered {
    const { markets, now } = this.parts
    return {
      symbol: markets.symbol.value,
      amount: this.amount.value,
      grid: markets.grid.value,
      mark: markets.mark.value,
      now: now(),
      limits: markets.limits.value,
      minOrderUsd: Number(markets.market.value?.min_order_size ?? 0),
    }
  }

  /** Key of the maximum size, which depends on side and price. */
  private maxSizeAbout(): string {
    const { markets, address } = this.parts
    return `${address.value} ${markets.symbol.value} ${maxSizeKey(this.meant.value)}`
  }

  change(part: Partial<Draft>): void {
    const before = this.draft.peek()
    this.refusal.value = null
    this.wasSent = false
    this.draft.value = changed(before, part)
    // Figures of the other side or of another order kind would be misleading.
    const { side, kind } = this.draft.peek()
    if (side !== before.side || kind !== before.kind) this.forgetPreview()
    if (part.sizeUnit !== undefined) this.parts.preferences.change({ sizeUnit: part.sizeUnit })
  }

  /** Inserts a price from the book or the chart. */
  takePrice(price: string): void {
    const draft = this.draft.peek()
    if (isPriced(draft)) this.change({ price })
    else if (isTrailing(draft)) this.change({ activation: price })
    else if (isTriggered(draft)) this.change({ stop: price })
    else this.change({ kind: 'limit', price })
  }

  /** Changes the unit and converts the size. */
  switchUnit(): void {
    const amount = this.amount.peek()
    const sizeUnit = this.draft.peek().sizeUnit === 'base' ? 'usd' : 'base'
    const next: Draft = { ...this.meant.peek(), sizeUnit }
    const size = amount === '' ? '' : sizeText(amount, next, this.parts.markets.mark.peek())
    this.change({ sizeUnit, size })
  }

  setShare(percent: number): void {
    const most = this.most.peek()
    if (most !== null) this.setAmount(shareOf(most, percent, this.parts.markets.grid.peek()))
  }

  setAmount(amount: string): void {
    const draft = this.meant.peek()
    this.change({ size: sizeText(amount, draft, this.parts.markets.mark.peek()) })
  }

  /** Fills the ticket with an order that closes the whole position. */
  closePosition({ a, d }: Position): void {
    this.change({ side: d === 'bid' ? 'ask' : 'bid', reduceOnly: true, sizeUnit: 'base', size: a })
  }

  /** Inserts the accepted value. */
  accept({ field, accepted, row = 0 }: FieldRefusal): void {
    if (accepted === null) return
    if (field === 'take_profit' || field === 'stop_loss') {
      const name = field === 'take_profit' ? 'takeProfits' : 'stopLosses'
      const rows = this.draft.peek()[name]
      const mended = { ...rows[row]!, text: accepted, by: 'price' as const }
      this.change({ [name]: rows.with(row, mended) })
    } else if (field === 'amount') this.change({ sizeUnit: 'base', size: accepted })
    else {
      const slippage = slippageName(this.draft.peek())
      const name = field === 'slippage' ? slippage : acceptedIn[field]
      if (name !== undefined) this.change({ [name]: accepted })
    }
  }

  /** Shows a refusal by the exchange. */
  refuse(objection: Objection): void {
    this.refusal.value = this.fieldOf(objection)
    this.wasSent = true
  }

  /** Whether the exchange has just refused this draft. If so, a new preview is requested, so that
   *  the next click uses the current answer. */
  isRefused(): boolean {
    if (!holds(this.verdict, this.draft.peek(), performance.now())) return false
    void this.askPreview()
    return true
  }

  private show({ objection, checked }: OrderPreview, draft: Draft): void {
    this.verdict = objection === null ? null : { draft, at: performance.now() }
    if (objection !== null) this.refusal.value = this.fieldOf(objection)
    else if (checked && !this.wasSent) this.refusal.value = null
  }

  private fieldOf({ code, message, rung }: Objection): FieldRefusal {
    const { markets, account } = this.parts
    const around = { markets, account, amount: this.amount.peek(), most: this.most.peek() }
    const order = refusedOrderOf(this.meant.peek(), around)
    const refusal = fieldRefusal(code, message, order)
    return rung === undefined ? refusal : ofRung(refusal, rung)
  }

  private forgetPreview(): void {
    this.verdict = null
    this.preview.value = null
    this.caution.value = null
  }

  /** Clears the ticket once `sent` was sent, or may have been, so that it is not sent twice. Also
   *  called after another market was selected, where its numbers would be wrong. */
  taken(sent: Draft): void {
    this.draft.value = cleared(this.draft.peek(), sent)
    this.refusal.value = null
    this.wasSent = false
    this.forgetPreview()
  }

  /** The exchange accepted the order, whose slippage becomes the default. */
  accepted(sent: Draft): void {
    const name = slippageName(sent)
    if (sent.kind === 'market' || sent.kind === 'twap')
      this.parts.preferences.change({ [name]: sent[name] })
  }

  /** Clears the ticket's numbers after another market was selected. */
  private followMarket(): void {
    let before = this.parts.markets.symbol.peek()
    effect(() => {
      this.parts.address.value
      this.turn += 1
      this.forgetPreview()
      const symbol = this.parts.markets.symbol.value
      if (symbol === before) return
      before = symbol
      this.taken(this.draft.peek())
    })
  }

  private followDraft(): void {
    let timer: ReturnType<typeof setTimeout> | undefined
    effect(() => {
      this.draft.value
      this.parts.markets.symbol.value
      this.parts.address.value
      this.parts.account.changes.value
      this.parts.account.settings.value
      clearTimeout(timer)
      timer = setTimeout(() => this.askPreview(), settleMs)
    })
    let turn = 0
    setInterval(() => {
      turn += 1
      if (this.built.peek().request !== null || turn % idleTurns === 0) void this.askPreview()
    }, refreshMs)
  }

  /** Shows invalid input before sending. Missing input is reported only when sending. */
  private showUnread(): void {
    const { problem } = this.built.peek()
    if (problem === null || textOf(this.draft.peek(), problem.field).trim() === '') return
    this.refusal.value = refusalBy(problem)
  }

  private async askPreview(): Promise<void> {
    const { address, markets, account: ours } = this.parts
    this.showUnread()
    const account = address.peek()
    const market = markets.market.peek()
    const mark = markets.price.peek()?.mark
    if (account === null || market === undefined || mark === undefined) return
    const { request } = this.builtNow()
    const draft = this.draft.peek()
    const turn = ++this.turn
    const about = this.maxSizeAbout()
    const first = ours.firstLeverage(market.symbol, market.max_leverage)
    const comes = first === null ? {} : { leverage: first }
    const ask = (wish: PreviewRequest) => this.parts.ask({ ...wish, ...comes })
    const at = { account, mark: numberOnGrid(Number(mark), markets.grid.peek().tick) }
    const most = () => ask(maxSizeQuery(this.draft.peek(), this.ordered(), at))
    if (request === null) {
      this.forgetPreview()
      return this.askMaxSize(most, about, turn)
    }
    const preview = await previewOrder(request, { ...at, ask })
    if (turn !== this.turn) return
    const { figures, caution } = preview
    this.preview.value = figures
    this.caution.value = caution
    this.show(preview, draft)
    if (figures !== null && showsMaxSize(figures))
      this.knownMax.value = { about, most: figures.max_amount ?? '0' }
    else if (this.knownMax.peek()?.about !== about) await this.askMaxSize(most, about, turn)
  }

  /** Requests the maximum size separately if it is unknown, because a preview that is refused for
   *  another reason than its size does not show it. */
  private async askMaxSize(
    ask: () => Promise<Preview>,
    about: string,
    turn: number,
  ): Promise<void> {
    const preview = await ask().catch(() => null)
    if (preview !== null && turn === this.turn)
      this.knownMax.value = { about, most: preview.max_amount ?? '0' }
  }
}
