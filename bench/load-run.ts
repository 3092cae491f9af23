// An exchange under load: markets, funded accounts and orders by plain commands through `apply`, as
// from any client. A rejection is a fault of the load program and stops it.

import type { Command } from '../src/core/commands/commands.ts'
import type { AccountId, MarketId, OrderId } from '../src/core/commands/ids.ts'
import { apply, createState, type State } from '../src/core/engine.ts'
import { columnsOf, kindAt, kindOfEvent, nextAfter } from '../src/core/events/event-columns.ts'
import { EventLog } from '../src/core/events/event-log.ts'
import type { Lots, MicroTicks, Ppm, Quote, Ticks, TimeMs } from '../src/units/units.ts'
import type { Side, Tif } from '../src/words/order-words.ts'
import { params } from './market.ts'

/** A full hour, so that a short run has no funding epoch. */
const START_MS = 1_750_003_200_000
export const ORDER_PLACED = kindOfEvent('OrderPlaced')
const COMMAND_REJECTED = kindOfEvent('CommandRejected')
const orderPlaced = columnsOf('OrderPlaced')

export type Order = Readonly<{
  account: number
  market: number
  side: Side
  price: number
  size: number
  tif: Tif
}>

export class LoadRun {
  state: State = createState({
    pricesMayStand: true,
    feesAddress: 'fees',
    insuranceAddress: 'insurance',
    deficitAddress: 'deficit',
    feeTiers: [{ volumeDollars: 0, makerPpm: 150 as Ppm, takerPpm: 400 as Ppm }],
  })
  readonly log = new EventLog()
  atMs = START_MS

  /** The id of the order it placed, or 0. Its events are in `log` until the next command. */
  submit(command: Command): number {
    const { log, state } = this
    log.clear()
    apply(state, { seq: state.seq + 1, atMs: this.atMs as TimeMs, command }, log)
    let placed = 0
    const { rows, end } = log
    for (let at = 0; at < end; at = nextAfter(rows, at)) {
      const kind = kindAt(rows, at)
      if (kind === ORDER_PLACED) placed ||= rows[at + orderPlaced.order]!
      if (kind === COMMAND_REJECTED) refused(command, log)
    }
    return placed
  }

  /** Its id is its position in the order of listing, from 1. */
  listMarket(symbol: string, oracleTicks: number): void {
    const listed = { ...params, symbol, backstopAddress: `backstop ${symbol}` }
    this.submit({ type: 'ListMarket', params: listed, oracle: microTicks(oracleTicks) })
  }

  deposit(address: string, amount: number): number {
    const reference = `0x${address}`
    this.submit({ type: 'Deposit', address, amount: amount as Quote, reference })
    return this.state.accounts.byAddress.get(address)!
  }

  place(order: Order): number {
    return this.submit(placeCommand(order))
  }

  cancel(account: number, market: number, order: number): void {
    this.submit(cancelCommand(account, market, order))
  }

  tick(market: number, oracleTicks: number, jump: boolean): void {
    this.submit(tickCommand(market, oracleTicks, jump))
  }
}

export function placeCommand(order: Order): Command {
  return {
    type: 'PlaceOrder',
    account: order.account as AccountId,
    proof: null,
    market: order.market as MarketId,
    side: order.side,
    price: order.price as Ticks,
    size: order.size as Lots,
    tif: order.tif,
    reduceOnly: false,
    clientOrderId: null,
    takeProfit: null,
    stopLoss: null,
  }
}

export function cancelCommand(account: number, market: number, order: number): Command {
  return {
    type: 'CancelOrder',
    account: account as AccountId,
    proof: null,
    market: market as MarketId,
    order: order as OrderId,
    clientOrderId: null,
  }
}

export function tickCommand(market: number, oracleTicks: number, jump: boolean): Command {
  return {
    type: 'OracleTick',
    market: market as MarketId,
    price: microTicks(oracleTicks),
    observedAtMs: null,
    jump,
  }
}

function microTicks(ticks: number): MicroTicks {
  return (ticks * 1_000_000) as MicroTicks
}

/** An order may have been filled before its cancel; nothing else may be rejected. */
function refused(command: Command, log: EventLog): void {
  const event = log.readAll().find((each) => each.type === 'CommandRejected')
  if (command.type === 'CancelOrder' && event?.rejection === 'ORDER_NOT_FOUND') return
  throw new Error(`rejected: ${JSON.stringify(command)} ${JSON.stringify(event)}`)
}
