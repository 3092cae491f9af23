// Everything a person may do to orders and positions. Each action ends in a notice that leads to
// what became of it, or to the numbers of its refusal; none throws.

import { ApiRefusal } from '../../../client/errors.ts'
import type { Terminal } from '../terminal.ts'
import type { Request } from '../ticket/order-draft.ts'
import { sentence } from '../ticket/refusal-field.ts'
import type { OpenOrder, OpenTwap, Position } from '../wire.ts'
import type { ChartLine } from './chart-lines.ts'
import type { Trader } from './trader.ts'

export type Placed = Readonly<{ orderId: number }>

export const closing = ({ d }: Position) => (d === 'bid' ? ('ask' as const) : ('bid' as const))

export type LevelWish = Readonly<{ takeProfit?: string | null; stopLoss?: string | null }>

export class Trading {
  private readonly terminal: Terminal

  constructor(terminal: Terminal) {
    this.terminal = terminal
  }

  /** Sends the ticket's order. A refusal goes to its field and to a notice with its numbers. */
  async send(request: Request): Promise<boolean> {
    const { ticket } = this.terminal
    ticket.sending.value = true
    const done = await this.act('Order', (trader) => place(trader, request), {
      refused: (error) => ticket.refuse(error.code, error.message),
      told: ({ orderId }) => {
        ticket.taken()
        this.tellPlaced(request, orderId)
      },
    })
    ticket.sending.value = false
    return done
  }

  private tellPlaced(request: Request, orderId: number): void {
    const { terminal } = this
    const { body, kind } = request
    const amount = kind === 'stop' ? body.stop_order.amount : body.amount
    const words = `${body.side === 'bid' ? 'Buy' : 'Sell'} ${amount} ${body.symbol}, ${kind}`
    terminal.notices.tell({
      kind: 'plain',
      about: `order ${orderId}`,
      title: `Order ${orderId} accepted`,
      text: words,
      link: {
        label: 'Follow it',
        open: () =>
          kind === 'twap'
            ? terminal.showTab('twaps')
            : terminal.explain({ about: 'order', orderId }),
      },
    })
  }

  async cancel(order: OpenOrder): Promise<void> {
    await this.act('Cancel', ({ client }) =>
      client.cancelOrder({ symbol: order.s, order_id: order.i }),
    )
  }

  async cancelTwap({ symbol, order_id }: OpenTwap): Promise<void> {
    await this.act('Cancel', ({ client }) => client.cancelTwapOrder({ symbol, order_id }))
  }

  async cancelAll(symbol: string | null): Promise<void> {
    const wish = { exclude_reduce_only: false }
    await this.act(
      'Cancel all',
      ({ client }) =>
        symbol === null
          ? client.cancelAllOrders({ ...wish, all_symbols: true })
          : client.cancelAllOrders({ ...wish, all_symbols: false, symbol }),
      {
        told: ({ cancelled_count }) =>
          this.terminal.notices.tell({
            kind: 'plain',
            title: 'Orders cancelled',
            text: `${cancelled_count} ${symbol ?? 'on all markets'}`,
            link: { label: 'Order history', open: () => this.terminal.showTab('history') },
          }),
      },
    )
  }

  /** At the market, all of it, and never more than it. */
  async close(position: Position, amount = position.a): Promise<void> {
    await this.sendQuietly({
      kind: 'market',
      body: {
        symbol: position.s,
        side: closing(position),
        amount,
        slippage_percent: '5',
        reduce_only: true,
      },
    })
  }

  async closeAtLimit(position: Position, price: string, amount: string): Promise<boolean> {
    return this.sendQuietly({
      kind: 'limit',
      body: {
        symbol: position.s,
        side: closing(position),
        amount,
        price,
        tif: 'GTC',
        reduce_only: true,
      },
    })
  }

  /** Twice the size against it: what was long is as much short. */
  async reverse(position: Position): Promise<void> {
    const { lot } = this.terminal.markets.gridOf(position.s)
    const amount = this.terminal.doubled(position.a, lot)
    await this.sendQuietly({
      kind: 'market',
      body: {
        symbol: position.s,
        side: closing(position),
        amount,
        slippage_percent: '5',
        reduce_only: false,
      },
    })
  }

  async closeAll(): Promise<void> {
    for (const position of this.terminal.account.positions.peek()) await this.close(position)
  }

  /** A level that is absent stays, null removes it. */
  async setLevels(
    position: Position,
    { takeProfit, stopLoss }: LevelWish,
    refused?: (error: ApiRefusal) => void,
  ): Promise<boolean> {
    const level = (price: string | null) => (price === null ? null : { stop_price: price })
    return this.act(
      'TP/SL',
      ({ client }) =>
        client.setPositionTpsl({
          symbol: position.s,
          side: closing(position),
          ...(takeProfit !== undefined && { take_profit: level(takeProfit) }),
          ...(stopLoss !== undefined && { stop_loss: level(stopLoss) }),
        }),
      refused === undefined ? {} : { refused },
    )
  }

  /** A line of the chart was moved to a price. */
  async moveLine({ kind, order, position }: ChartLine, price: string): Promise<boolean> {
    if (kind === 'take_profit' && position !== null && order !== null)
      return this.moveLevel('take_profit', order, position, price)
    if (kind === 'stop_loss' && position !== null && order !== null)
      return this.moveLevel('stop_loss', order, position, price)
    if (order === null) return false
    if (kind === 'stop') return this.moveStop(order, price)
    const { lot } = this.terminal.markets.gridOf(order.s)
    const amount = this.terminal.less(order.a, order.f, lot)
    return this.act('Move', ({ client }) =>
      client.editOrder({ symbol: order.s, order_id: order.i, price, amount }),
    )
  }

  /** A stop cannot be edited. The new one is there before the old one goes: nobody is without
   *  protection in between, and a refusal leaves everything as it was. */
  private async moveStop(order: OpenOrder, stop_price: string): Promise<boolean> {
    const limit = order.ot.endsWith('_limit') ? { limit_price: order.ip } : {}
    return this.act('Stop', async ({ client }) => {
      await client.createStopOrder({
        symbol: order.s,
        side: order.d,
        reduce_only: order.ro,
        stop_order: { stop_price, amount: order.a, ...limit },
      })
      await client.cancelStopOrder({ symbol: order.s, order_id: order.i })
    })
  }

  /** The same level at another price: its size and its limit stay. */
  private async moveLevel(
    kind: 'take_profit' | 'stop_loss',
    order: OpenOrder,
    position: Position,
    stop_price: string,
  ): Promise<boolean> {
    const amount = order.a === position.a ? {} : { amount: order.a }
    const limit = order.ot.endsWith('_limit') ? { limit_price: order.ip } : {}
    return this.act('TP/SL', ({ client }) =>
      client.setPositionTpsl({
        symbol: position.s,
        side: closing(position),
        [kind]: { stop_price, ...amount, ...limit },
      }),
    )
  }

  async setLeverage(symbol: string, leverage: number): Promise<boolean> {
    return this.act('Leverage', ({ client }) => client.updateLeverage({ symbol, leverage }))
  }

  async setIsolated(symbol: string, is_isolated: boolean): Promise<boolean> {
    return this.act('Margin mode', ({ client }) => client.updateMarginMode({ symbol, is_isolated }))
  }

  /** USD into an isolated position, or out of it when negative. */
  async changeMargin(symbol: string, amount: string): Promise<boolean> {
    return this.act('Margin', ({ client }) => client.addIsolatedMargin({ symbol, amount }))
  }

  async withdraw(amount: string): Promise<boolean> {
    return this.act('Withdrawal', ({ client }) => client.withdraw({ amount }), {
      told: ({ withdrawal_id }) =>
        this.terminal.notices.tell({
          kind: 'plain',
          title: `Withdrawal ${withdrawal_id} asked for`,
          text: `${amount} USD, pending until the operator completes it.`,
          link: { label: 'Balance', open: () => this.terminal.showTab('balance') },
        }),
    })
  }

  private async sendQuietly(request: Request): Promise<boolean> {
    return this.act('Order', (trader) => place(trader, request), {
      told: ({ orderId }) => this.tellPlaced(request, orderId),
    })
  }

  /** The answer, or null when there is none; then a notice says why. */
  async ask<T>(title: string, work: (trader: Trader) => Promise<T>): Promise<T | null> {
    let answer: T | null = null
    const told = (given: T) => {
      answer = given
    }
    await this.act(title, work, { told })
    return answer
  }

  /** Whether it was done; if not, a notice says why. */
  async act<T>(
    title: string,
    work: (trader: Trader) => Promise<T>,
    after: Readonly<{ refused?: (error: ApiRefusal) => void; told?: (answer: T) => void }> = {},
  ): Promise<boolean> {
    const trader = this.terminal.trader.peek()
    if (trader === null) {
      this.terminal.overlay.value = { show: 'keys' }
      return false
    }
    try {
      const answer = await work(trader)
      after.told?.(answer)
      return true
    } catch (error) {
      this.tellFailure(title, error as Error)
      if (error instanceof ApiRefusal) after.refused?.(error)
      return false
    }
  }

  private tellFailure(title: string, error: Error): void {
    const refused = error instanceof ApiRefusal
    this.terminal.notices.tell({
      kind: 'bad',
      title: refused ? `${title} refused` : `${title}: no answer`,
      text: refused ? sentence(error.message) : `${error.message}. It may have been carried out.`,
      stays: true,
      link: {
        label: refused ? 'Why' : 'Order history',
        open: refused
          ? () => this.terminal.explain({ about: 'refusal', title, refusal: error })
          : () => this.terminal.showTab('history'),
      },
    })
  }
}

async function place({ client }: Trader, request: Request): Promise<Placed> {
  if (request.kind === 'limit') return idOf(await client.createOrder(request.body))
  if (request.kind === 'market') return idOf(await client.createMarketOrder(request.body))
  if (request.kind === 'twap') return idOf(await client.createTwapOrder(request.body))
  return idOf(await client.createStopOrder(request.body))
}

const idOf = ({ order_id }: { order_id: number }): Placed => ({ orderId: order_id })
