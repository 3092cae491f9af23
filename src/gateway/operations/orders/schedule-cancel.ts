import type { TimeMs } from '../../../units/units.ts'
import { signed } from '../../operation.ts'
import { ask, principalOf } from '../principal.ts'
import { askRejections } from './rejects.ts'

export const scheduleCancel = signed({
  name: 'schedule_cancel',
  group: 'Orders',
  cost: 'cancel',
  refusals: 'rules',
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
