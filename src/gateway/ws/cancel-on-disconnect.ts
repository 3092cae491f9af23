// Orders that are to go when their owner's connection does. The flag belongs to the connection, not
// to history: a crash of the exchange forgets it, and `schedule_cancel` is the switch that survives
// one. Every other end of the connection counts, the shutting down of the exchange too.

import type { CancelOrder, CancelTwap } from '../../core/commands.ts'
import type { AccountId, MarketId, OrderId } from '../../core/ids.ts'
import { liveOrders } from '../../core/orders/cancel-order.ts'
import { accountIdOf } from '../../projections/current/memberships.ts'
import { apiError } from '../api-error.ts'
import type { Door } from '../door.ts'
import type { Exchange } from '../exchange.ts'
import type { Caller } from '../operation.ts'
import { askerOf } from '../operations/asker.ts'
import { scheduleCancel } from '../operations/orders/schedule-cancel.ts'
import type { Connection } from './connection.ts'
import type { Params } from './wanted.ts'

const textsMax = 10_000

export class CancelOnDisconnect {
  private readonly door: Door
  /** Texts that armed a connection, until they expire: each serves once. */
  private readonly used = new Map<string, number>()

  constructor(door: Door) {
    this.door = door
  }

  /** Null params: nothing is cancelled any more when this connection ends. */
  async arm(connection: Connection, params: Params | null, caller: Caller) {
    if (params === null) {
      connection.armed.clear()
      return { armed: false, account: null, keep_protective: null }
    }
    const { exchange } = this.door
    const signed = await this.door.signer(scheduleCancel, params, caller)
    const { address } = askerOf({ exchange, signed }, 'rules')
    const { proof } = signed
    if (proof !== null) this.useOnce(proof.textHash, proof.expiresAtMs ?? 0)
    const keepProtective = params.keep_protective !== false
    connection.armed.set(address, { keepProtective })
    return { armed: true, account: address, keep_protective: keepProtective }
  }

  private useOnce(text: string, expiresAtMs: number): void {
    const now = this.door.exchange.wallNow()
    for (const [each, until] of this.used) if (until < now) this.used.delete(each)
    if (this.used.has(text))
      throw apiError('MALFORMED_REQUEST', 'this signed text has served; change its timestamp')
    if (this.used.size >= textsMax) throw apiError('NOT_READY', 'too many connections are arming')
    this.used.set(text, expiresAtMs)
  }

  /** The connection ended: waits for what it had asked for, then cancels. */
  async ended(connection: Connection): Promise<void> {
    if (connection.armed.size === 0) return
    const { exchange } = this.door
    await connection.settled()
    for (const [address, { keepProtective }] of connection.armed) {
      const account = accountIdOf(exchange.state, address) as AccountId
      const commands = cancelsOf(exchange, account, keepProtective ? 'protective' : 'none')
      await Promise.all(commands.map((command) => exchange.submit(command)))
    }
  }
}

/** As the dead man's switch does it (TRIG-7). */
function cancelsOf(
  { state }: Exchange,
  account: AccountId,
  spare: 'protective' | 'none',
): (CancelOrder | CancelTwap)[] {
  if (account === 0) return []
  const marketOf = (order: number) =>
    state.triggers.get(order)?.market ?? state.orders.market(state.orders.slotOf(order))
  const of = (market: number, order: number) => ({
    account,
    proof: null,
    market: market as MarketId,
    order: order as OrderId,
    clientOrderId: null,
  })
  const orders = liveOrders(state, account, 0, spare)
  const twaps = [...state.twaps.values()].filter((twap) => twap.account === account)
  return [
    ...orders.map((id) => ({ type: 'CancelOrder' as const, ...of(marketOf(id), id) })),
    ...twaps.map(({ id, market }) => ({ type: 'CancelTwap' as const, ...of(market, id) })),
  ]
}
