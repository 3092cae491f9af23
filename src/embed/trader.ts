// Direct calls of one account, with the enums, the grid and the refusals of the API. Each is a
// synchronous call without signature or JSON. A refusal by the rules is returned; an invalid call
// throws.

import type { AccountId, Command, Event } from '../core/index.ts'
import { ApiError } from '../gateway/api-error.ts'
import type { Exchange } from '../gateway/exchange.ts'
import type { Operation } from '../gateway/operation.ts'
import { getAccount } from '../gateway/operations/account/get-account.ts'
import { closedCheckOf } from '../gateway/operations/body-check.ts'
import { circumstancesOf } from '../gateway/operations/circumstances.ts'
import { getPositions } from '../gateway/operations/contract/get-positions.ts'
import { getOpenOrders } from '../gateway/operations/orders/get-open-orders.ts'
import {
  cancelOrderOf,
  cancelStopOf,
  editOrderOf,
  type PreparedOrder,
  placeMarketOrderOf,
  placeOrderOf,
  tpslOf,
} from '../gateway/operations/orders/order-commands.ts'
import { placedOrderIn } from '../gateway/operations/orders/order-outcome.ts'
import { marketOf, type Principal, principalOf } from '../gateway/operations/principal.ts'
import { refusalAt, refusalWith } from '../gateway/refusal.ts'
import type { Subject } from '../gateway/refusal-subject.ts'
import { numbersOf } from '../gateway/refusal-text.ts'
import type { ReplyOf } from '../protocol/route-schemas.ts'
import {
  type CreateMarketOrderBody,
  type CreateOrderBody,
  createMarketOrderBody,
  createOrderBody,
  type EditOrderBody,
  editOrderBody,
  type OrderRefBody,
  orderRefBody,
  type TpslBody,
  tpslBody,
} from '../protocol/schemas/order-requests.ts'
import { ownEventsOf } from '../sequencer/outcome.ts'
import type { DirectSequencer } from './direct-sequencer.ts'

/** Result of an accepted command, with its own events. */
export type Done = Readonly<{ ok: true; seq: number; atMs: number; events: readonly Event[] }>
/** Result of a refused command, with the error that the service would return. */
export type NotDone = Readonly<{ ok: false; error: ApiError }>
export type OrderStatus = 'open' | 'partially_filled' | 'filled' | 'cancelled' | 'rejected'
export type PlacedOrder = Done & Readonly<{ orderId: number; status: OrderStatus }>

type Optional<T, K extends keyof T> = Omit<T, K> & Partial<Pick<T, K>>
/** Fields of a limit order (default: GTC and not reduce-only). */
export type LimitOrder = Optional<CreateOrderBody, 'tif' | 'reduce_only'>
/** Fields of a market order (default: at most 1 % from mark and not reduce-only). */
export type MarketOrder = Optional<CreateMarketOrderBody, 'slippage_percent' | 'reduce_only'>

export type AccountNow = ReplyOf<'get_account'>
export type PositionNow = ReplyOf<'get_positions'>[number]
export type OpenOrder = ReplyOf<'get_open_orders'>['rows'][number]

export class Trader {
  readonly name: string
  readonly address: string
  private readonly exchange: Exchange
  private readonly sequencer: DirectSequencer

  constructor(name: string, address: string, exchange: Exchange, sequencer: DirectSequencer) {
    this.name = name
    this.address = address
    this.exchange = exchange
    this.sequencer = sequencer
  }

  /** Account id in the engine, for direct commands. */
  get id(): AccountId {
    return this.principal().account
  }

  place(order: LimitOrder): PlacedOrder | NotDone {
    const body = { tif: 'GTC' as const, reduce_only: false, ...order }
    closedCheckOf(createOrderBody)(body, 'order')
    return this.placed((principal) => placeOrderOf(principal, body))
  }

  market(order: MarketOrder): PlacedOrder | NotDone {
    const body = { slippage_percent: '1', reduce_only: false, ...order }
    closedCheckOf(createMarketOrderBody)(body, 'order')
    return this.placed((principal) => placeMarketOrderOf(principal, body))
  }

  edit(order: EditOrderBody): PlacedOrder | NotDone {
    closedCheckOf(editOrderBody)(order, 'order')
    return this.placed((principal) => editOrderOf(principal, order))
  }

  cancel(order: OrderRefBody): Done | NotDone {
    closedCheckOf(orderRefBody)(order, 'order')
    return this.made((principal) => cancelOrderOf(principal, order))
  }

  cancelStop(order: OrderRefBody): Done | NotDone {
    closedCheckOf(orderRefBody)(order, 'order')
    return this.made((principal) => cancelStopOf(principal, order))
  }

  /** Cancels all orders on one market, or on all markets. */
  cancelAll(symbol: string | null = null): Done | NotDone {
    return this.made((principal) => {
      const { account, proof } = principal
      const market = symbol === null ? null : marketOf(principal, symbol)
      const all = { market: market?.id ?? null, excludeReduceOnly: false }
      return { command: { type: 'CancelAllOrders', account, proof, ...all }, market }
    })
  }

  setTpsl(levels: TpslBody): Done | NotDone {
    closedCheckOf(tpslBody)(levels, 'levels')
    return this.made((principal) => tpslOf(principal, levels))
  }

  setLeverage(symbol: string, leverage: number): Done | NotDone {
    return this.made((principal) => {
      const { account, proof } = principal
      const market = marketOf(principal, symbol)
      return {
        command: { type: 'SetLeverage', account, proof, market: market.id, leverage },
        market,
      }
    })
  }

  setIsolated(symbol: string, isolated: boolean): Done | NotDone {
    return this.made((principal) => {
      const { account, proof } = principal
      const market = marketOf(principal, symbol)
      return {
        command: { type: 'SetMarginMode', account, proof, market: market.id, isolated },
        market,
      }
    })
  }

  account(): AccountNow {
    return this.read(getAccount) as AccountNow
  }

  positions(): readonly PositionNow[] {
    return this.read(getPositions) as PositionNow[]
  }

  orders(): readonly OpenOrder[] {
    return (this.read(getOpenOrders) as { rows: OpenOrder[] }).rows
  }

  /** Reads that use only the state, so that they are synchronous. */
  private read(operation: Operation): unknown {
    const caller = { requestId: '', ip: '127.0.0.1', keyAccount: this.address }
    const { exchange, address } = this
    return operation.handle({ request: { account: address }, caller, exchange } as never)
  }

  private principal(): Principal {
    const signed = { account: this.address, proof: null }
    return principalOf({ exchange: this.exchange, signed }, 'rules')
  }

  private placed(make: (principal: Principal) => PreparedOrder<Command>): PlacedOrder | NotDone {
    const done = this.made(make)
    if (!done.ok) return done
    const order = placedOrderIn(done.events)
    return { ...done, orderId: order?.order ?? 0, status: order?.status ?? 'open' }
  }

  private made(make: (principal: Principal) => MadeBy): Done | NotDone {
    try {
      const { command, market, clientOrderId = null } = make(this.principal())
      return this.run(command, { params: market?.params ?? null, clientOrderId })
    } catch (error) {
      // Refused before a command is created, for instance for an unknown market or a price off the
      // grid.
      if (error instanceof ApiError && error.engineCode !== 0) return { ok: false, error }
      throw error
    }
  }

  private run(command: Command, subject: Omit<Subject, 'account'>): Done | NotDone {
    const outcome = this.sequencer.apply(command)
    const events = ownEventsOf(outcome)
    const rejected = events.find((event) => event.type === 'CommandRejected')
    const { seq, atMs } = outcome
    if (rejected === undefined) return { ok: true, seq, atMs, events }
    const { rejection } = rejected
    const numbers = numbersOf(rejected)
    const stands = circumstancesOf(this.exchange.view, command, rejection, numbers)
    const about = { account: this.address, ...subject, ...stands }
    return { ok: false, error: refusalAt(seq, refusalWith(rejection, 'rules', about, numbers)) }
  }
}

type MadeBy = Readonly<{
  command: Command
  market: PreparedOrder<Command>['market'] | null
  clientOrderId?: string | null
}>
