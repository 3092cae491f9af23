// Actions on orders and positions. Each ends with a notice that links to its result, or to the
// numbers of its refusal. None of them throws.

import {
  ApiRefusal,
  NetworkFailure,
  OutcomeUnknown,
  TimeoutFailure,
  UnexpectedReply,
} from '../../../client/errors.ts'
import type { Desk } from '../desk.ts'
import { type LevelKind, oneOrMore } from '../levels/level-rows.ts'
import { wholeAmount } from '../number-text.ts'
import { cancelEffect, cancelledText } from '../pending/cancel-effect.ts'
import { ensureLeverage } from '../ticket/first-leverage.ts'
import { orderKinds } from '../ticket/order-kinds.ts'
import { outlineOf, type Request } from '../ticket/order-request.ts'
import type { LevelBody, OpenOrder, OpenTwap, Position, TpslBody } from '../wire.ts'
import { ownNeed } from '../words/own-need.ts'
import { sentence } from '../words/sentence.ts'
import { allowedSlippage, closing, closingBody, closingSlippage, type Times } from './closing.ts'
import { objectionIn, type Placed, place } from './place.ts'
import type { Trader } from './trader.ts'

type Parts = Pick<
  Desk,
  'account' | 'explain' | 'markets' | 'notices' | 'overlay' | 'showTab' | 'ticket' | 'trader'
>

export function levelsBody(position: Position, wish: LevelWish): TpslBody {
  const [profit, loss] = [wish.take_profit, wish.stop_loss]
  return {
    symbol: position.s,
    side: closing(position),
    ...(profit !== undefined && { take_profit: (oneOrMore(profit) ?? null) as ProfitBody }),
    ...(loss !== undefined && { stop_loss: oneOrMore(loss) ?? null }),
  }
}

/** A take-profit never trails. */
type ProfitBody = NonNullable<TpslBody['take_profit']> | null

/** All levels of each kind; an empty list removes them, and an absent kind is not changed. */
export type LevelWish = Readonly<Partial<Record<LevelKind, readonly LevelBody[]>>>

export class Trading {
  private readonly desk: Parts
  private readonly underWay = new Set<string>()

  constructor(desk: Parts) {
    this.desk = desk
  }

  /** Sends the ticket's order. A refusal is shown at its field and as a notice with its numbers. */
  async send(request: Request): Promise<boolean> {
    const { ticket, markets } = this.desk
    const sent = ticket.draft.peek()
    const work = async (trader: Trader) => {
      await ensureLeverage(this.desk, trader, request.body.symbol)
      return place(trader, request)
    }
    ticket.sending.value = true
    const done = await this.act('Order', work, {
      // A refusal is also shown at its field, and the next one replaces the notice.
      about: 'ticket',
      // The ticket may show another market by the time the refusal arrives.
      refused: (error) => {
        if (markets.symbol.peek() === request.body.symbol) ticket.refuse(objectionIn(error))
      },
      // The order may have been accepted, so sending it again might place it twice.
      unanswered: () => ticket.taken(sent),
      onDone: (placed) => {
        ticket.accepted(sent)
        ticket.taken(sent)
        this.notifyPlaced(request, placed)
      },
    })
    ticket.sending.value = false
    return done
  }

  private notifyPlaced(request: Request, { orderId, refused, count }: Placed): void {
    const { desk } = this
    // The stream may be faster than the answer, and its notice of a fill has more information.
    if (refused === null && desk.account.fills.peek().some(({ i }) => i === orderId)) return
    const { kind } = request
    const { symbol, side, amount } = outlineOf(request)
    const either = kind === 'oco' && request.body.legs[1]?.side !== side
    const verb = either ? 'Buy or sell' : side === 'bid' ? 'Buy' : 'Sell'
    const what = count > 1 ? `${count} orders` : `Order ${orderId}`
    const words = `${verb} ${wholeAmount(amount)} ${symbol}, ${orderKinds[kind].label}`
    desk.notices.show({
      kind: refused === null ? 'plain' : 'bad',
      about: `order ${orderId}`,
      title: refused === null ? `${what} accepted` : 'Not all were accepted',
      text: refused === null ? words : `${words}. ${refused}`,
      stays: refused !== null,
      link: {
        label: 'View order',
        open: () =>
          kind === 'twap' || kind === 'iceberg' || kind === 'chase'
            ? desk.showTab('work')
            : count > 1
              ? desk.showTab('orders')
              : desk.explain({ about: 'order', id: orderId }),
      },
    })
  }

  async cancel({ s: symbol, i: order_id }: Pick<OpenOrder, 's' | 'i'>): Promise<void> {
    const { account, notices, markets } = this.desk
    const open = { orders: account.orders.peek(), algos: account.algos.peek() }
    const { tickPlaces } = markets.gridOf(symbol)
    const text = `${cancelledText(order_id, open, tickPlaces)} ${cancelEffect(order_id, open).also}`
    await this.act('Cancel', ({ client }) => client.cancelOrder({ symbol, order_id }), {
      onDone: () =>
        notices.show({
          kind: 'plain',
          title: 'Cancelled',
          text,
          about: `order ${order_id}`,
          link: { label: 'Order history', open: () => this.desk.showTab('history') },
        }),
    })
  }

  async cancelTwap({ symbol, order_id }: OpenTwap): Promise<boolean> {
    return this.act('Cancel', ({ client }) => client.cancelTwapOrder({ symbol, order_id }))
  }

  /** Maximum slippage for closing or reversing the positions. */
  async closingBound(positions: readonly Position[], times: Times = 1): Promise<string> {
    const trader = this.desk.trader.peek()
    if (trader === null) return closingSlippage
    const bounds = positions.map((position) => {
      const grid = this.desk.markets.gridOf(position.s)
      return allowedSlippage(trader, closingBody(position, times, grid), grid.tick)
    })
    return String(Math.min(Number(closingSlippage), ...(await Promise.all(bounds)).map(Number)))
  }

  /** Closes the position or a part of it at market, and never more. */
  async close({ s: symbol }: Position, bound: string, part: Times = 1): Promise<void> {
    await this.once(`close ${symbol}`, async () => {
      const { account, markets } = this.desk
      const position = account.position(symbol)
      if (position === undefined) return
      const body = closingBody(position, part, markets.gridOf(symbol), bound)
      await this.sendQuietly({ kind: 'market', body })
    })
  }

  async closeAtLimit(
    position: Position,
    { price, amount }: Readonly<{ price: string; amount: string }>,
    refused: Refused,
  ): Promise<boolean> {
    return this.sendQuietly(
      {
        kind: 'limit',
        body: {
          symbol: position.s,
          side: closing(position),
          amount,
          price,
          tif: 'GTC',
          reduce_only: true,
        },
      },
      refused,
    )
  }

  /** Trades twice the size in the other direction, so that the position has the same size on the
   *  other side. */
  async reverse({ s: symbol }: Position, bound: string): Promise<void> {
    await this.once(`close ${symbol}`, async () => {
      const { account, markets } = this.desk
      const position = account.position(symbol)
      if (position === undefined) return
      const body = closingBody(position, 2, markets.gridOf(symbol), bound)
      const sent = { kind: 'market', body } as const
      // Waits for the new position, because a second click would reverse it again.
      if (await this.sendQuietly(sent))
        await this.waitUntil(() => account.position(symbol) !== position)
    })
  }

  /** Ignores repeated calls while one is in progress, such as a double click. */
  private async once(what: string, work: () => Promise<void>): Promise<void> {
    if (this.underWay.has(what)) return
    this.underWay.add(what)
    await work()
    this.underWay.delete(what)
  }

  private async waitUntil(done: () => boolean): Promise<void> {
    for (let wait = 0; wait < 20 && !done(); wait++)
      await new Promise((resolve) => setTimeout(resolve, 50))
  }

  async closeAll(bound: string): Promise<void> {
    for (const position of this.desk.account.positions.peek()) await this.close(position, bound)
  }

  async setLevels(position: Position, wish: LevelWish, refused: Refused): Promise<boolean> {
    const work = ({ client }: Trader) => client.setPositionTpsl(levelsBody(position, wish))
    return this.act('TP/SL', work, { refused })
  }

  async setLeverage(symbol: string, leverage: number): Promise<boolean> {
    return this.act('Leverage', ({ client }) => client.updateLeverage({ symbol, leverage }), {
      onDone: () => this.desk.account.applyLeverage(symbol, leverage),
    })
  }

  async setIsolated(symbol: string, is_isolated: boolean): Promise<boolean> {
    return this.act('Margin mode', ({ client }) => client.updateMarginMode({ symbol, is_isolated }))
  }

  /** Adds USD to an isolated position, or removes it if negative. */
  async changeMargin(symbol: string, amount: string, refused: Refused): Promise<boolean> {
    const work = ({ client }: Trader) => client.addIsolatedMargin({ symbol, amount })
    return this.act('Margin', work, { about: 'margin', refused })
  }

  async withdraw(amount: string, refused: Refused): Promise<boolean> {
    return this.act('Withdrawal', ({ client }) => client.withdraw({ amount }), {
      about: 'withdrawal',
      refused,
      onDone: ({ withdrawal_id }) =>
        this.desk.notices.show({
          kind: 'plain',
          title: `Withdrawal ${withdrawal_id} requested`,
          text: `${amount} USD, pending until the operator completes it.`,
          link: { label: 'Balance', open: () => this.desk.showTab('balance') },
        }),
    })
  }

  private async sendQuietly(request: Request, refused?: Refused): Promise<boolean> {
    return this.act('Order', (trader) => place(trader, request), {
      ...(refused !== undefined && { refused, about: 'closing' }),
      onDone: (placed) => this.notifyPlaced(request, placed),
    })
  }

  /** Returns the answer, or `null` after a failure, which a notice reports. */
  async ask<T>(title: string, work: (trader: Trader) => Promise<T>): Promise<T | null> {
    let answer: T | null = null
    const keep = (given: T) => {
      answer = given
    }
    await this.act(title, work, { onDone: keep })
    return answer
  }

  /** Returns whether the action succeeded; if not, a notice gives the reason. */
  async act<T>(
    title: string,
    work: (trader: Trader) => Promise<T>,
    after: After<T> = {},
  ): Promise<boolean> {
    const trader = this.desk.trader.peek()
    if (trader === null) {
      this.desk.overlay.value = { show: 'keys' }
      return false
    }
    try {
      const answer = await work(trader)
      this.desk.notices.settle(refusalOf(title, after.about))
      after.onDone?.(answer)
      return true
    } catch (error) {
      // The numbers of the ticket and of the account box, where it is refused for lack of margin.
      if (error instanceof ApiRefusal && title !== 'Margin')
        error.message = ownNeed(error.message, this.desk.account.numbers.peek())
      this.notifyFailure(title, error as Error, after.about)
      if (error instanceof ApiRefusal) after.refused?.(error)
      if (isUnanswered(error as Error)) after.unanswered?.()
      return false
    }
  }

  private notifyFailure(title: string, error: Error, about?: string): void {
    const refused = error instanceof ApiRefusal
    const open = isUnanswered(error)
    const text = refused ? sentence(error.message) : `${sentence(error.message)}.`
    this.desk.notices.show({
      kind: 'bad',
      title: refused ? `${title} refused` : open ? `${title}: no answer` : `${title}: not sent`,
      text: open ? `${text} It may have been carried out.` : text,
      stays: about === undefined || open,
      // A notice of an unknown outcome stays open, even if later orders succeed.
      ...(!open && { about: refusalOf(title, about) }),
      link: {
        label: refused ? 'Why' : 'Order history',
        open: refused
          ? () => this.desk.explain({ about: 'refusal', title, refusal: error })
          : () => this.desk.showTab('history'),
      },
    })
  }
}

/** Default subject of a notice of failure. */
const refusalOf = (title: string, about?: string) => about ?? `refused ${title}`

export type Refused = (error: ApiRefusal) => void

type After<T> = Readonly<{
  /** Subject of a notice of failure, which a later one with the same subject replaces. */
  about?: string
  refused?: Refused
  unanswered?: () => void
  onDone?: (answer: T) => void
}>

/** Errors after which the outcome is unknown. All other errors occur before sending. */
const unanswered = [NetworkFailure, OutcomeUnknown, TimeoutFailure, UnexpectedReply]
const isUnanswered = (error: Error) => unanswered.some((kind) => error instanceof kind)
