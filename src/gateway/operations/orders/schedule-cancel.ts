import { cancelOnDisconnectBody } from '../../../protocol/schemas/order-requests.ts'
import type { TimeMs } from '../../../units/units.ts'
import { type SignedOperation, signed } from '../../operation.ts'
import { ask, principalOf } from '../principal.ts'
import { askRejections } from './rejects.ts'

export const scheduleCancel = signed({
  name: 'schedule_cancel',
  group: 'Orders',
  cost: 'cancel',
  rejects: [...askRejections, 'INVALID_TIME'],
  async handle(call) {
    const principal = principalOf(call, 'rules')
    const { account, proof } = principal
    const time = call.request.time as TimeMs | null
    const keepProtective = call.request.keep_protective ?? true
    const command = { type: 'ScheduleCancel', account, proof, time, keepProtective } as const
    await ask(principal, command)
    return { time }
  },
})

/** The operation that a connection signs to have its orders cancelled when it ends. */
export const arming = {
  name: 'cancel_on_disconnect',
  http: 'POST /ws',
  summary: 'Cancel the orders of the account when this connection ends; null params disarm it',
  rejects: [...askRejections, 'UNSUPPORTED_OPERATION', 'LIMIT_REACHED'],
  request: cancelOnDisconnectBody,
  cost: 'plain',
  refusals: 'rules',
  signs: 'cancel_on_disconnect',
  untimed: false,
} as const satisfies Partial<SignedOperation>
