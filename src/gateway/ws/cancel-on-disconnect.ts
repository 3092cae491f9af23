// Cancels orders when their owner's connection ends. Arming a connection and ending it are
// commands. The core checks both and keeps armed connections in its state, so that after a crash
// the next start can cancel first. This file only maps connections to accounts.

import type { AccountId } from '../../core/index.ts'
import { AnswerLost, untilTaken } from '../../sequencer/not-taken.ts'
import { ApiError } from '../api-error.ts'
import type { Door, EndOfConnection, Turn } from '../intake/door.ts'
import type { Caller } from '../operation.ts'
import { arming } from '../operations/orders/schedule-cancel.ts'
import { ask, principalOf } from '../operations/principal.ts'
import type { Connection } from './connection.ts'
import type { Params } from './subscribe-request.ts'

/** Only a scheduled cancel has a time. Its signature does not match without it. */
const isOfSchedule = ({ errorName }: ApiError, { time }: Params): boolean =>
  errorName === 'INVALID_SIGNATURE' ||
  (errorName === 'MALFORMED_REQUEST' && time !== undefined && time !== null)

export class CancelOnDisconnect {
  private readonly door: Door
  private readonly owner: string

  /** `owner`: prefix of the names of this process's connections. */
  constructor(door: Door, owner: string) {
    this.door = door
    this.owner = owner
  }

  async arm({ id, armed }: Connection, params: Params, caller: Caller, turn: Turn) {
    const arms = { connection: id, params, caller, turn }
    try {
      const answer = await armConnection(this.door, arms)
      armed.add(answer.account)
      return answer
    } catch (error) {
      // If the connection was armed nevertheless, only the end of the connection disarms it.
      if (error instanceof AnswerLost) armed.add(String(params.account))
      throw error
    }
  }

  /** Disarms a connection, so that nothing is cancelled when it ends. */
  async disarm(connection: Connection) {
    await this.forEach(connection, 'DisarmConnection')
    return { armed: false, account: null, keep_protective: null }
  }

  /** Called when a connection ended. Waits for its pending requests, including arming, then
   *  cancels. */
  async ended(connection: Connection): Promise<void> {
    await connection.settled()
    await this.forEach(connection, 'EndConnection')
  }

  private async forEach(connection: Connection, type: EndOfConnection['type']): Promise<void> {
    const { view } = this.door.exchange
    for (const address of connection.armed) {
      const account = view.accounts.idOf(address) as AccountId
      connection.armed.delete(address)
      if (account !== 0) await this.submit({ type, account, connection: connection.id })
    }
  }

  /** Called after a revert to a snapshot. Connections that were armed then may be closed by now,
   *  and connections armed later are no longer armed. */
  async reverted(connections: Iterable<Connection>): Promise<void> {
    const { view } = this.door.exchange
    const live = new Map<string, Connection>([...connections].map((each) => [each.id, each]))
    for (const each of live.values()) each.armed.clear()
    for (const { account, connection } of view.accounts.armedConnections()) {
      const known = live.get(connection)
      if (known !== undefined) known.armed.add(view.accounts.addressOf(account))
      else if (connection.startsWith(this.owner))
        await this.submit({ type: 'DisarmConnection', account: account as AccountId, connection })
    }
  }

  /** Submits a command with retries, because the client may already be disconnected. */
  private submit(command: EndOfConnection): Promise<void> {
    return untilTaken(() => this.door.end(command))
  }
}

export type Arming = Readonly<{
  /** Name of the connection in the core. */
  connection: string
  params: Params
  caller: Caller
  turn: Turn
}>

/** Arms a connection for the account that signed. */
export async function armConnection(door: Door, { connection, params, caller, turn }: Arming) {
  const signed = await signerOf(door, params, caller)
  await turn.before
  const sent = { operation: null, connection, request: params, ip: caller.ip, turn }
  const done = door.inPlaceOf(sent, async (exchange) => {
    const principal = principalOf({ exchange, signed }, 'rules')
    const { address, account, proof } = principal
    const keepProtective = params.keep_protective !== false
    const command = { account, proof, connection, keepProtective }
    await ask(principal, { type: 'ArmConnection', ...command })
    return { armed: true, account: address, keep_protective: keepProtective }
  })
  turn.handedOver()
  return done
}

/** Verifies the signature. Clients that still sign `schedule_cancel`, which armed connections
 *  before, get a hint. */
async function signerOf(door: Door, params: Params, caller: Caller) {
  try {
    return await door.signer(arming, params, caller)
  } catch (error) {
    if (!(error instanceof ApiError) || !isOfSchedule(error, params)) throw error
    const explanation = error.message.slice(error.message.indexOf(' ') + 1)
    const hint = 'the type to sign is cancel_on_disconnect, a schedule_cancel text does not arm'
    const { status, code, errorId } = error
    const answer = { status, code, ...(errorId === null ? {} : { errorId }) }
    throw new ApiError(error.errorName, `${explanation}; ${hint}`, answer)
  }
}
