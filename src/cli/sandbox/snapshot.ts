// `openperp snapshot` and `openperp revert`: save and restore the whole exchange.

import { clientOf, replyTo, serverOptions } from '../connection.ts'
import { command } from '../frame/command.ts'
import { tableOf } from '../frame/screen.ts'

export const snapshot = command({
  name: 'snapshot',
  group: 'sandbox',
  summary: 'Save the state of the whole exchange, or list saved states',
  options: {
    ...serverOptions,
    list: { about: 'list the saved states' },
  },
  examples: ['openperp snapshot', 'openperp snapshot --list'],
  async run(call) {
    const client = clientOf(call)
    const rows =
      call.values.list === true
        ? await replyTo(call, client.sandboxListSnapshots())
        : [await replyTo(call, client.sandboxSnapshot())]
    const cells = rows.map((row) => [row.id, `${row.seq}`, new Date(row.engine_now).toISOString()])
    const lines = rows.length === 0 ? ['nothing was saved'] : tableOf(['id', 'seq', 'time'], cells)
    return { json: call.values.list === true ? rows : rows[0], lines }
  },
})

export const revert = command({
  name: 'revert',
  group: 'sandbox',
  summary: 'Return the whole exchange to a saved state',
  about: 'Orders, positions, balances, prices and the clock are as they were when it was saved.',
  arguments: [{ name: 'id', about: 'saved state (default: the newest)' }],
  options: serverOptions,
  examples: ['openperp revert s1', 'openperp revert'],
  async run(call) {
    const client = clientOf(call)
    const saved = await replyTo(call, client.sandboxListSnapshots())
    const id = call.words[0] ?? saved.toSorted((one, other) => other.seq - one.seq)[0]?.id ?? 'none'
    const reply = await replyTo(call, client.sandboxRevert({ id }))
    return { json: reply, lines: [`returned to ${reply.id}`] }
  },
})
