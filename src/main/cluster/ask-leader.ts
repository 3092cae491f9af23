// The leader, as a read node uses it: requests of its clients are forwarded, with the address of
// the client, and the leader's reply is the reply. It arrives after the frames that contain the
// result.

import type { Leader } from '../../gateway/intake/door.ts'
import {
  type ForwardedAnswer,
  type ForwardedRequest,
  replyIn,
} from '../../gateway/intake/forwarded.ts'
import { apiOperations } from '../../gateway/routes/all-operations.ts'
import type { Asking } from '../../sequencer/link/remote-sequencer.ts'

export function leaderOver({ ask }: Asking, mode: 'sandbox' | 'venue'): Leader {
  const own = new Set(apiOperations(mode))
  const lines = new WeakMap<object, number>()
  let lastLine = 0
  const lineOf = (of: object) => {
    const line = lines.get(of) ?? ++lastLine
    lines.set(of, line)
    return line
  }
  return {
    async ask({ operation, connection, request, ip, turn }) {
      const said: ForwardedRequest = {
        operation: operation?.name ?? 'cancel_on_disconnect',
        form: operation === null || own.has(operation) ? 'own' : 'compat',
        ip,
        line: turn === null ? ++lastLine : lineOf(turn.of),
        alone: turn?.alone ?? true,
        connection,
      }
      const text = request === undefined ? '' : JSON.stringify(request)
      return replyIn(await ask<ForwardedAnswer>('request', said, text))
    },
    end: ({ type, account, connection }) => ask('endConnection', type, account, connection),
  }
}
