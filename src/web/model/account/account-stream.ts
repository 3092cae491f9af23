// Follows the trading account. After an interruption the channels resume at their last position. If
// that is impossible because the exchange was restarted, missed events are read from history, so
// that every fill is reported.

import type { Stream } from '../../../client/stream/stream.ts'
import type { Desk } from '../desk.ts'
import { isForced } from '../forced-fills.ts'
import { notifyFailedAlgos, notifyFailedStops } from '../pending/failed-work.ts'
import type { AccountTrade, Fill } from '../wire.ts'
import { fillsMax } from './account.ts'
import { notifyFills, notifyForced, notifyFunding } from './account-notices.ts'
import { notifyLiquidations } from './forced-closes.ts'
import type { Mark } from './seen.ts'
import type { Trader } from './trader.ts'

type Parts = Pick<
  Desk,
  | 'account'
  | 'explain'
  | 'markets'
  | 'notices'
  | 'sandbox'
  | 'seen'
  | 'showSandbox'
  | 'showTab'
  | 'streams'
  | 'trader'
>

const pageSize = 100

export function followAccount(desk: Parts, trader: Trader, stream: Stream): void {
  const { account } = desk
  // Subscribes before the account is shown, so that the fill of an immediate order is reported.
  stream.subscribe(
    'account_trades',
    {},
    {
      frame: ({ data }) => {
        account.addFills(data)
        notifyFills(desk, data)
        sawFills(desk, trader)
      },
      gap: ({ reason }) => {
        // Ids start again after a revert, so earlier ids cannot be compared with new ones.
        if (reason === 'reverted') {
          notifyRevert(desk)
          desk.seen.forget()
        }
        void missedFills(desk, trader)
      },
    },
  )
  stream.subscribe(
    'account_data',
    {},
    {
      frame: ({ data }) => {
        account.numbers.value = data
      },
      refused: () => {
        account.hidden.value = true
      },
    },
  )
  stream.subscribe('account_positions', {}, ({ data, begins }) => {
    const before = account.positions.peek()
    if (!begins) notifyFunding(desk, before, data)
    account.positions.value = data
    account.followSizes()
  })
  stream.subscribe('account_orders', {}, ({ data }) => {
    account.setOrders(data)
    account.followSizes()
  })
  stream.subscribe('account_order_updates', {}, ({ data }) => {
    account.happened()
    void notifyFailedStops(desk, trader, data)
  })
  followAlgos(desk, trader, stream)
  stream.subscribe('account_liquidations', {}, ({ data }) => {
    account.happened()
    notifyLiquidations(desk, data)
  })
  const settings = () => void askSettings(desk, trader)
  stream.subscribe('account_leverage', {}, { frame: settings, gap: settings })
  stream.subscribe('account_margin', {}, { frame: settings, gap: settings })
  stream.subscribe('account_transfers', {}, () => account.happened())
  void askSettings(desk, trader)
  void beginFills(desk, trader)
}

function followAlgos(desk: Parts, trader: Trader, stream: Stream): void {
  const { account } = desk
  stream.subscribe(
    'account_algo_orders',
    {},
    {
      frame: ({ data, begins }) => {
        const before = account.algos.peek()
        if (data.length < before.length) account.happened()
        account.algos.value = data
        if (!begins) void notifyFailedAlgos(desk, trader, before, data)
      },
      refused: () => {
        account.stopsHidden.value = true
      },
    },
  )
  stream.subscribe('account_twap_orders', {}, ({ data }) => {
    // A TWAP that has ended moves from this list to history.
    if (data.length < account.twaps.peek().length) account.happened()
    account.twaps.value = data
  })
}

function notifyRevert(desk: Parts): void {
  const { account, notices, sandbox } = desk
  account.forgetHistory()
  void sandbox.refresh()
  notices.show({
    kind: 'warning',
    title: 'The sandbox went back',
    text: 'To a snapshot: what happened since then did not happen.',
    about: 'revert',
    link: { label: 'Snapshots', open: () => desk.showSandbox() },
  })
}

/** Reads the settings. An account without a deposit has none yet. */
export async function readSettings(
  desk: Pick<Parts, 'account' | 'trader'>,
  trader: Trader,
): Promise<void> {
  const rows = await trader.client.getAccountSettings({ chosen: true })
  if (desk.trader.peek() !== trader) return
  desk.account.settings.value = new Map(rows.map((row) => [row.symbol, row]))
}

/** Requests the settings; keeps the known ones if the request fails. */
const askSettings = (desk: Parts, trader: Trader) =>
  readSettings(desk, trader).catch(() => undefined)

/** Loads earlier fills without a notice, except for forced closes since the last visit. Missed
 *  fills can be detected only after this. */
async function beginFills(desk: Parts, trader: Trader): Promise<void> {
  const { account, seen } = desk
  const before = seen.open(trader.address)
  const page = await trader.client.getTradeHistory({ limit: 1 }).catch(() => null)
  if (page === null || desk.trader.peek() !== trader) return
  account.addFills(page.rows.toReversed().map(asFill))
  account.fillsBegun = true
  const newest = page.rows[0]?.history_id ?? 0
  // An id below the last seen one belongs to another exchange at this address.
  if (before !== null && newest > before.id) await notifyMissed(desk, trader, before)
  if (desk.trader.peek() === trader) sawFills(desk, trader)
}

function sawFills({ account, seen, streams }: Parts, { address }: Trader): void {
  const newest = account.fills.peek()[0]
  seen.saw(address, { id: newest?.h ?? 0, at: newest?.t ?? streams.engineNow() })
}

/** Maximum number of missed fills that are requested, newest first. */
const awayMax = 1_000

async function notifyMissed(desk: Parts, { client }: Trader, before: Mark): Promise<void> {
  const query = { start_time: before.at, limit: awayMax }
  const page = await client.getTradeHistory(query).catch(() => null)
  const rows = page?.rows.filter(({ history_id }) => history_id > before.id) ?? []
  notifyForced(desk, rows, 'while you were away')
}

async function missedFills(desk: Parts, trader: Trader): Promise<void> {
  const { account } = desk
  const { fillsBegun } = account
  const rows = await fillsSince(trader, account.fills.peek()[0]?.h ?? 0).catch(() => null)
  if (rows === null || desk.trader.peek() !== trader) return
  // Rows that were streamed while the pages were requested are already known.
  const newest = account.fills.peek()[0]?.h ?? 0
  const fresh = rows.filter((row) => row.history_id > newest).toReversed()
  account.addFills(fresh.map(asFill))
  if (fillsBegun) {
    const own = fresh.filter((row) => !isForced(row))
    notifyFills(desk, own.map(asFill))
    notifyForced(desk, fresh, 'during an interruption')
  }
  account.fillsBegun = true
  sawFills(desk, trader)
}

/** Fills since the known ones, newest first, up to the number that is kept. */
async function fillsSince({ client }: Trader, known: number): Promise<readonly AccountTrade[]> {
  const found: AccountTrade[] = []
  for await (const row of client.rows('get_trade_history', { limit: pageSize })) {
    if (row.history_id <= known || found.length === fillsMax) break
    found.push(row)
  }
  return found
}

function asFill(row: AccountTrade): Fill {
  const forced = row.cause !== 'normal' && row.side.startsWith('close')
  return {
    h: row.history_id,
    i: row.order_id,
    I: row.client_order_id,
    u: '',
    c: '',
    s: row.symbol,
    a: row.amount,
    p: row.price,
    o: row.entry_price,
    f: row.fee,
    n: row.pnl,
    e: forced ? `force_${row.side}` : row.side,
    te: row.event_type,
    ts: row.side,
    tc: row.cause,
    t: row.created_at,
    li: 0,
  } as Fill
}
