// Routes of the sandbox for tests of clients: wait until everything was sent, and cut connections.

import { setTimeout as sleep } from 'node:timers/promises'
import { apiError } from '../../api-error.ts'
import type { Exchange } from '../../exchange.ts'
import { addressIn } from '../../known-address.ts'
import type { OpenConnections, Unsent } from '../../open-connections.ts'
import { type Operation, unsigned } from '../../operation.ts'
import { sandboxOf } from './sandbox-of.ts'

const group = 'Sandbox'

/** Maximum wait. A client that does not read, or a clock that is being advanced, takes longer. */
const settleMsMax = 5_000
/** Number of event-loop turns to poll without a pause. After that, the wait sleeps between
 *  turns. */
const eagerTurns = 100
/** Bytes that have arrived are read in the next turn of the event loop, and may begin new work. */
const quietTurns = 2

function connectionsOf({ connections }: Exchange): OpenConnections {
  if (connections !== null) return connections
  throw apiError(
    'MALFORMED_REQUEST',
    'this exchange has several processes, and only one of them has the connection; start it ' +
      'without gateways',
  )
}

const settle = unsigned({
  group,
  name: 'sandbox_settle',
  async handle(call) {
    const { exchange } = call
    const connections = connectionsOf(exchange)
    const sandbox = sandboxOf(call)
    await connections.whileWaiting(async () => {
      const deadline = performance.now() + settleMsMax
      for (let turns = 0, quiet = 0; quiet < quietTurns; turns++) {
        await (turns < eagerTurns ? nextTurn() : sleep(1))
        const { isIdle } = await sandbox.progress()
        const unsent = connections.send()
        const isSent = unsent.requests + unsent.connections === 0
        quiet = isIdle && isSent ? quiet + 1 : 0
        if (performance.now() > deadline) throw notSettled(isIdle, unsent)
      }
    })
    const { nextEventAt } = await sandbox.progress()
    const { view, lab } = exchange
    const next_event_at = Math.min(nextEventAt, lab?.nextDueAt() ?? nextEventAt)
    return { seq: exchange.seq(), engine_now: view.atMs, next_event_at }
  },
})

const nextTurn = () => new Promise<void>((done) => setImmediate(done))

function notSettled(isIdle: boolean, { requests, connections }: Unsent) {
  const why = isIdle
    ? `${requests} requests have no reply, and ${connections} connections have unsent data`
    : 'commands are still being executed'
  return apiError('NOT_READY', `not settled within ${settleMsMax / 1_000} s: ${why}`)
}

const drop = unsigned({
  group,
  name: 'sandbox_drop_connections',
  handle(call) {
    const { account = null, kind = 'ws' } = call.request
    if (account !== null && kind === 'http')
      throw apiError(
        'MALFORMED_REQUEST',
        'account goes with kind ws: an HTTP connection belongs to no account',
      )
    const address = account === null ? null : addressIn('account', account)
    return { dropped: connectionsOf(call.exchange).drop({ kind: kind ?? 'ws', account: address }) }
  },
})

export const connectionOperations: readonly Operation[] = [settle, drop]
