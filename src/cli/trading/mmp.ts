// `openperp mmp`: protection of quotes against fast fills.

import {
  accountOf,
  accountOptions,
  readingClient,
  replyTo,
  signerOptions,
  signingClient,
} from '../connection.ts'
import { command, family } from '../frame/command.ts'
import { durationText, lengthOf } from '../frame/duration.ts'
import { misused } from '../frame/exit-codes.ts'
import { type Environment, tableOf } from '../frame/screen.ts'
import { timeText } from './order-words.ts'

const symbolArgument = { name: 'symbol', about: 'market, such as BTC', required: true } as const

type Asking = Readonly<{
  values: Readonly<{ url?: string; key?: string; 'key-file'?: string; account?: string }>
  environment: Environment
}>

async function shown(asking: Asking) {
  const account = accountOf(asking)
  const rows = await replyTo(asking, readingClient(asking).getMmp({ account }))
  const cells = rows.map((row) => [
    row.symbol,
    row.max_amount ?? '-',
    row.max_net_amount ?? '-',
    durationText(row.window_ms),
    row.frozen_ms === 0 ? 'until a reset' : durationText(row.frozen_ms),
    frozenText(row.frozen_until),
  ])
  const heads = ['market', 'max', 'max net', 'in', 'frozen for', 'now']
  const none = 'no protection: nothing ends orders with --mmp; `openperp mmp set` sets one up'
  return { json: rows, lines: cells.length === 0 ? [none] : tableOf(heads, cells) }
}

function frozenText(until: number | null): string {
  if (until === null) return 'quotes are accepted'
  return until === 0 ? 'frozen until a reset' : `frozen until ${timeText(until)}`
}

const set = command({
  name: 'mmp set',
  group: 'trading',
  summary: 'Limit how much of your quotes may be filled in a time window',
  about:
    'When that much is filled as maker within the window, bought plus sold (--max) or ' +
    'the difference (--max-net), orders with --mmp on the market end, and none is taken for a ' +
    'while.',
  arguments: [symbolArgument],
  options: {
    ...signerOptions,
    max: { value: '<size>', about: 'maximum bought plus sold' },
    'max-net': { value: '<size>', about: 'maximum net bought or sold' },
    window: { value: '<time>', about: 'time window of the counts (default: 1s)' },
    freeze: {
      value: '<time>',
      about: 'how long quotes are rejected after a trip (default: until `openperp mmp reset`)',
    },
    remove: { about: 'remove the protection' },
  },
  examples: [
    'openperp mmp set BTC --max 0.3 --window 1s --freeze 5s',
    'openperp mmp set BTC --max-net 0.1',
    'openperp mmp set BTC --remove',
  ],
  async run(call) {
    const { max, 'max-net': net, window, freeze, remove } = call.values
    const symbol = call.words[0]!
    const limits = [max, net, window, freeze]
    if (remove === true ? limits.some((each) => each !== undefined) : !max && !net)
      throw misused(
        'say --max, --max-net or both, or --remove alone',
        'openperp mmp set BTC --max 1',
      )
    const fields = {
      window_ms: lengthOf('--window', window ?? '1s', '100ms to 1h'),
      frozen_ms: freeze === undefined ? 0 : freezeMs(freeze),
      ...(max !== undefined && { max_amount: max }),
      ...(net !== undefined && { max_net_amount: net }),
    }
    const body = remove === true ? { remove: true } : fields
    const said = { symbol, flags: mmpFields }
    await replyTo({ ...call, said }, signingClient(call).setMmp({ symbol, ...body }))
    return shown(call)
  },
})

const mmpFields = {
  window_ms: '--window',
  frozen_ms: '--freeze',
  max_net_amount: '--max-net',
  max_amount: '--max',
}

/** These times are not durations. */
const freezeMs = (text: string) =>
  /^0(ms|[smhd])?$/.test(text) ? 0 : lengthOf('--freeze', text, '0s to 1h')

const reset = command({
  name: 'mmp reset',
  group: 'trading',
  summary: 'End a freeze and reset the counts',
  arguments: [symbolArgument],
  options: signerOptions,
  examples: ['openperp mmp reset BTC'],
  async run(call) {
    await replyTo(call, signingClient(call).resetMmp({ symbol: call.words[0]! }))
    return shown(call)
  },
})

const show = command({
  name: 'mmp show',
  group: 'trading',
  summary: 'Show the quote protection of an account, and whether it has tripped',
  options: accountOptions,
  examples: ['openperp mmp show', 'openperp mmp show --account alice --json'],
  run: shown,
})

export const mmp = family({
  name: 'mmp',
  group: 'trading',
  summary: 'Protect quotes that are filled too fast',
  examples: ['openperp mmp set BTC --max 0.3 --freeze 5s', 'openperp mmp show'],
  parts: [set, reset, show],
})
