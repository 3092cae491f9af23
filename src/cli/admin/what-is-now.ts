// The changes of an action relative to the present state, shown before it is executed. `null` if
// there is nothing to compare.

import type { AdminName } from '../../protocol/admin/admin-api.ts'
import { CliError } from '../frame/exit-codes.ts'
import { cellOf, replyLines } from '../frame/reply-lines.ts'
import { pairsOf } from '../frame/screen.ts'
import type { AdminPlane, Body } from './admin-plane.ts'

type Row = Readonly<Record<string, unknown>>
type Look = (plane: AdminPlane, body: Body) => Promise<readonly string[]>

async function marketOf(plane: AdminPlane, { symbol }: Body) {
  const markets = await plane.call('get_markets', {})
  return markets.find((market) => market.symbol === symbol)
}

const picked = (row: Row, names: readonly string[]) =>
  pairsOf(names.map((name) => [name, cellOf(name, row[name])] as const))

const market: Look = async (plane, body) => {
  const found = await marketOf(plane, body)
  if (found === undefined) return [`no market is called ${body.symbol}`]
  return picked(found, ['status', 'mode', 'mark', 'open_interest', 'open_interest_value'])
}

/** `max_leverage  50 → 25`. */
const change: Look = async (plane, body) => {
  const found = await marketOf(plane, body)
  if (found === undefined) return [`no market is called ${body.symbol}`]
  const now: Row = found.params
  const changed = Object.entries((body.change ?? {}) as Row)
  if (changed.length === 0) return ['nothing is to be changed: a flag names what']
  const pairs = changed.map(([name, value]) => {
    return [name, `${cellOf(name, now[name])} → ${cellOf(name, value)}`] as const
  })
  const { symbol, change: wanted } = body
  const reached = await plane.call('preview_market_change', { symbol, change: wanted } as never)
  return [...pairsOf(pairs), '', 'Accounts affected, at current positions:', ...replyLines(reached)]
}

const announced: Look = async (plane, body) => {
  const found = await marketOf(plane, body)
  const meant = found?.pending_changes.find(({ change_id }) => change_id === body.change_id)
  return meant === undefined ? ['no such change is announced'] : replyLines(meant)
}

const account: Look = async (plane, { account: whose }) => {
  const row = await plane.call('show_account', { account: `${whose}` })
  return picked(row, ['frozen', 'balance', 'equity', 'positions', 'orders', 'margin_ratio'])
}

const depositor: Look = async (plane, body) => {
  try {
    return await account(plane, body)
  } catch (error) {
    if (!(error instanceof CliError) || !error.message.startsWith('ACCOUNT_NOT_FOUND')) throw error
    return ['this address has no account: the deposit opens it']
  }
}

const withdrawal: Look = async (plane, { withdrawal_id }) => {
  const waiting = await plane.call('list_withdrawals', {})
  const found = waiting.find((each) => each.withdrawal_id === withdrawal_id)
  return found === undefined ? [`no withdrawal ${withdrawal_id} waits`] : replyLines(found)
}

const reserves: Look = async (plane) => {
  const row = await plane.call('get_reserves', {})
  return picked(row, ['fees', 'insurance', 'deficit', 'insurance_share', 'insurance_daily_max'])
}

const proof: Look = async (plane) => {
  const { newest } = await plane.call('get_reserve_proof', {})
  return newest === null ? ['none was made yet'] : picked(newest, ['seq', 'at', 'root'])
}

const webhook: Look = async (plane, { name }) => {
  const hooks = await plane.call('list_webhooks', {})
  const found = hooks.find((each) => each.name === name)
  if (found === undefined) return [`no webhook is called ${name}`]
  const names = ['host', 'seq', 'fault', 'failing_since', 'waiting_since', 'given_up']
  return picked(found, names)
}

const fees: Look = async (plane) => replyLines(await plane.call('get_fee_tiers', {}))

const looks: Readonly<Partial<Record<AdminName, Look>>> = {
  change_market: change,
  cancel_market_change: announced,
  halt_market: market,
  resume_market: market,
  reduce_only_market: market,
  post_only_market: market,
  cancel_only_market: market,
  settle_market: market,
  credit_deposit: depositor,
  approve_withdrawal: withdrawal,
  complete_withdrawal: withdrawal,
  fail_withdrawal: withdrawal,
  freeze_account: account,
  cancel_orders: account,
  set_owner_limit: account,
  move_reserve: reserves,
  set_insurance_share: reserves,
  set_insurance_daily_max: reserves,
  set_fee_tiers: fees,
  prove_reserves: proof,
  tell_again: webhook,
}

export async function whatIsNow(
  plane: AdminPlane,
  operation: AdminName,
  body: Body,
): Promise<readonly string[] | null> {
  const look = looks[operation]
  if (look === undefined) return null
  try {
    return await look(plane, body)
  } catch (error) {
    // A token that may act but not read acts without this preview.
    if (error instanceof CliError && error.message.startsWith('SCOPE_REQUIRED'))
      return ['not shown: the token lacks the scope read']
    throw error
  }
}
