// The ticket: a draft, what the exchange says it would cost and become, and the refusal at its
// field. The preview is asked a moment after the last change, and again as prices move.

import { computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { Account } from '../account/account.ts'
import { numberOnGrid } from '../market/market-grid.ts'
import type { Markets } from '../market/markets.ts'
import type { PreferenceStore } from '../preferences.ts'
import type { Preview, PreviewRequest } from '../wire.ts'
import {
  amountOf,
  type Built,
  build,
  type Draft,
  emptyDraft,
  type OrderKind,
  previewOf,
  shareOf,
  sizeText,
} from './order-draft.ts'
import { type FieldRefusal, fieldRefusal, type RefusedOrder } from './refusal-field.ts'

export type TicketParts = Readonly<{
  markets: Markets
  account: Account
  preferences: PreferenceStore
  address: ReadonlySignal<string | null>
  ask: (request: PreviewRequest) => Promise<Preview>
}>

const settleMs = 120
const refreshMs = 2_000
/** Without an order there is only the most that would be possible to keep up to date. */
const idleTurns = 5
/** Refusals of a size: margin, open interest, reduce-only. */
const ofSize: ReadonlySet<number> = new Set([5, 8, 18, 22, 28, 41])

/** Nothing, for another reason than the size, says nothing of how large it might be. */
const tellsMost = ({ accepted, code, max_amount }: Preview) =>
  accepted || ofSize.has(code ?? 0) || Number(max_amount) > 0

export class Ticket {
  readonly draft: Signal<Draft>
  readonly amount: ReadonlySignal<string>
  readonly built: ReadonlySignal<Built>
  readonly preview: Signal<Preview | null> = signal(null)
  /** What the exchange, or the form itself, has against it. */
  readonly refusal: Signal<FieldRefusal | null> = signal(null)
  /** Most that would be accepted on this side. */
  readonly most: Signal<string> = signal('0')
  readonly sending: Signal<boolean> = signal(false)
  private readonly parts: TicketParts
  private asked = 0

  constructor(parts: TicketParts) {
    this.parts = parts
    const { sizeUnit, slippage } = parts.preferences.now.peek()
    this.draft = signal({ ...emptyDraft, sizeUnit, slippage })
    this.amount = computed(() =>
      amountOf(this.draft.value, parts.markets.grid.value, parts.markets.mark.value),
    )
    this.built = computed(() =>
      build(this.draft.value, parts.markets.symbol.value, this.amount.value),
    )
    this.followMarket()
    this.followDraft()
  }

  change(part: Partial<Draft>): void {
    this.refusal.value = null
    this.draft.value = { ...this.draft.peek(), ...part }
    const { sizeUnit, slippage } = this.draft.peek()
    if (part.sizeUnit !== undefined || part.slippage !== undefined)
      this.parts.preferences.change({ sizeUnit, slippage })
  }

  /** A price from the book or the chart. */
  takePrice(price: string): void {
    const { kind } = this.draft.peek()
    if (kind === 'market' || kind === 'twap') this.change({ kind: 'limit', price })
    else if (kind === 'stop' && !this.draft.peek().stopLimit) this.change({ stop: price })
    else this.change({ price })
  }

  /** Other units, same size. */
  switchUnit(): void {
    const amount = this.amount.peek()
    const sizeUnit = this.draft.peek().sizeUnit === 'base' ? 'usd' : 'base'
    const next: Draft = { ...this.draft.peek(), sizeUnit }
    const size = amount === '' ? '' : sizeText(amount, next, this.parts.markets.mark.peek())
    this.change({ sizeUnit, size })
  }

  setShare(percent: number): void {
    this.setAmount(shareOf(this.most.peek(), percent, this.parts.markets.grid.peek()))
  }

  setAmount(amount: string): void {
    const draft = this.draft.peek()
    this.change({ size: sizeText(amount, draft, this.parts.markets.mark.peek()) })
  }

  /** One click at a refusal. */
  accept({ field, accepted }: FieldRefusal): void {
    if (accepted === null) return
    if (field === 'price') this.change({ price: accepted })
    else if (field === 'amount') this.change({ sizeUnit: 'base', size: accepted })
    else if (field === 'stop') this.change({ stop: accepted })
    else if (field === 'slippage') this.change({ slippage: accepted })
    else if (field === 'duration') this.change({ minutes: accepted })
    else if (field === 'take_profit') this.change({ takeProfit: accepted })
    else if (field === 'stop_loss') this.change({ stopLoss: accepted })
  }

  /** The exchange refused the order. */
  refuse(code: number, message: string): void {
    this.refusal.value = fieldRefusal(code, message, this.refusedOrder())
  }

  /** A preview knows all about limit and market orders. Of a stop or a TWAP it sees only what it
   *  would do now, which is neither a yes nor a no to the order itself. */
  private judge({ accepted, code, error }: Preview, kind: OrderKind): void {
    if (kind !== 'limit' && kind !== 'market') return
    this.refusal.value = accepted ? null : fieldRefusal(code ?? 0, error ?? '', this.refusedOrder())
  }

  /** It was taken: what was said against an earlier attempt is over. */
  taken(): void {
    this.refusal.value = null
  }

  private refusedOrder(): RefusedOrder {
    const { markets, account } = this.parts
    const { price, stop, side, kind, takeProfit, stopLoss } = this.draft.peek()
    const market = markets.market.peek()
    const grid = markets.grid.peek()
    return {
      price: kind === 'market' || kind === 'twap' ? '' : price,
      amount: this.amount.peek(),
      stop: kind === 'stop' ? stop : '',
      takeProfit,
      stopLoss,
      side,
      tick: grid.tick,
      lot: grid.lot,
      mark: markets.mark.peek(),
      minOrderUsd: Number(market?.min_order_size ?? 0),
      maxAmount: this.most.peek(),
      position: account.position(markets.symbol.peek())?.a ?? null,
    }
  }

  /** Another market, another scale: numbers of the old one would be wrong orders here. */
  private followMarket(): void {
    let before = this.parts.markets.symbol.peek()
    effect(() => {
      this.parts.address.value
      this.asked += 1
      this.preview.value = null
      this.most.value = '0'
      const symbol = this.parts.markets.symbol.value
      if (symbol === before) return
      before = symbol
      this.change({ price: '', stop: '', size: '', takeProfit: '', stopLoss: '' })
    })
  }

  private followDraft(): void {
    let timer: ReturnType<typeof setTimeout> | undefined
    effect(() => {
      this.draft.value
      this.parts.markets.symbol.value
      this.parts.address.value
      this.parts.account.happenings.value
      clearTimeout(timer)
      timer = setTimeout(() => this.askPreview(), settleMs)
    })
    let turn = 0
    setInterval(() => {
      turn += 1
      if (this.built.peek().request !== null || turn % idleTurns === 0) void this.askPreview()
    }, refreshMs)
  }

  private async askPreview(): Promise<void> {
    const { address, markets } = this.parts
    const account = address.peek()
    const market = markets.market.peek()
    const mark = markets.price.peek()?.mark
    if (account === null || market === undefined || mark === undefined) return
    const { request } = this.built.peek()
    const asked = ++this.asked
    // Without an order there is still a most that would be possible.
    const { side, reduceOnly: reduce_only } = this.draft.peek()
    const probe = { account, symbol: market.symbol, side, amount: market.lot_size, reduce_only }
    const wish =
      request === null
        ? { ...probe, slippage_percent: '1' }
        : previewOf(request, account, numberOnGrid(Number(mark), markets.grid.peek().tick))
    const preview = await this.parts.ask(wish).catch(() => null)
    if (asked !== this.asked) return
    if (preview !== null && tellsMost(preview)) this.most.value = preview.max_amount
    this.preview.value = request === null ? null : preview
    if (request !== null && preview !== null) this.judge(preview, request.kind)
  }
}
