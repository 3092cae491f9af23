// `openperp clock`: the time of the sandbox.

import { clientOf, replyTo, serverOptions } from '../connection.ts'
import { command } from '../frame/command.ts'
import { durationMs, durationText } from '../frame/duration.ts'
import { misused } from '../frame/exit-codes.ts'
import { pairsOf } from '../frame/screen.ts'

export const clock = command({
  name: 'clock',
  group: 'sandbox',
  summary: 'Show, advance, freeze or resume the time of the exchange',
  about:
    'Advancing runs everything that falls due in between: prices, funding, TWAP slices, ' +
    'scheduled cancels; at most 31 days a call. While it is frozen orders do not wait at the ' +
    'speed bump.',
  arguments: [
    { name: 'action', about: 'advance, freeze or resume (default: show the clock)' },
    { name: 'duration', about: 'with advance: 30s, 15m, 1h, 2d, 1h30m' },
  ],
  options: serverOptions,
  examples: ['openperp clock', 'openperp clock advance 1h', 'openperp clock freeze'],
  async run(call) {
    const [action, duration] = call.words
    const client = clientOf(call)
    if (duration !== undefined && action !== 'advance')
      throw misused('a duration goes with advance', 'openperp clock advance 1h')
    const now = await replyTo(call, change())
    return {
      json: now,
      lines: pairsOf([
        ['exchange', `${new Date(now.engine_now).toISOString()}${now.frozen ? ' (frozen)' : ''}`],
        ['machine', new Date(now.now).toISOString()],
        ['ahead', durationText(now.offset_ms)],
      ]),
    }

    function change() {
      if (action === undefined) return client.sandboxGetClock()
      if (action === 'freeze') return client.sandboxSetClock({ freeze: true })
      if (action === 'resume') return client.sandboxSetClock({ resume: true })
      if (action !== 'advance')
        throw misused(`clock has no ${action}`, 'advance <duration>, freeze or resume')
      if (duration === undefined) throw misused('advance by how much?', 'openperp clock advance 1h')
      return client.sandboxSetClock({ advance_ms: durationMs(duration) })
    }
  },
})
