// An exchange with a victim who owns one of everything that can be queried, an attacker who owns
// the same, and for every signed operation a body that would be accepted.

import { apiOperations } from '../../../src/gateway/routes/all-operations.ts'
import { requestActionTypes } from '../../../src/protocol/batch-actions.ts'
import type { SigningType } from '../../../src/protocol/signing-types.ts'
import { tradingHash } from '../../../src/sequencer/snapshots/state-hash.ts'
import { stateBehind } from '../opened-state.ts'
import { type Signer, signerOf } from '../signer.ts'
import { type Answer, dataOf, type Row } from './api-client.ts'
import { frozenSandbox, type Live } from './live-exchange.ts'
import { subaccountBody } from './subaccount-body.ts'

export type Belongings = Readonly<{
  key: Signer
  agent: Signer
  revoked: Signer
  sub: Signer
  apiKey: string
  orderId: number
  clientOrderId: string
  stopId: number
  twapId: number
}>

/** Something that is signed: a route, or an action of a batch. */
export type Target = Readonly<{
  name: string
  path: string
  type: SigningType
  sample: Row
  /** Refusals of the engine are in the results of a batch, not in the status. */
  batched: boolean
  /** Whether what is wrong on arrival is 400, as on every endpoint of the contract. */
  contract: boolean
  /** Reads alone, so that its text is not used up. */
  lists: boolean
  send(body: Row): Promise<Answer>
}>

export type HostileScene = Readonly<{
  live: Live
  victim: Belongings
  attacker: Belongings
  targets: readonly Target[]
  hash(): string
  /** Until what is due at this moment, such as the first slice of a TWAP, has happened. */
  settled(): Promise<void>
}>

const twap = {
  symbol: 'ETH',
  side: 'bid',
  amount: '0.5',
  reduce_only: false,
  slippage_percent: '1',
  duration_in_seconds: 120,
}
const resting = { symbol: 'BTC', side: 'bid', price: '100000', tif: 'GTC', reduce_only: false }

async function belongings(live: Live, seed: number): Promise<Belongings> {
  const [key, agent, revoked, sub] = [0, 1, 2, 3].map((more) => signerOf(seed + more)) as [
    Signer,
    Signer,
    Signer,
    Signer,
  ]
  const { api } = live
  dataOf(await live.sandbox('faucet', { account: key.address, amount: '100000' }))
  for (const { address } of [agent, revoked])
    dataOf(await api.signed(key, '/agent/bind', { agent_wallet: address }))
  // The agent has signed: from now on its key belongs to this account.
  const leverage = { symbol: 'SOL', leverage: 5 }
  dataOf(await api.signed(key, '/account/leverage', leverage, { agent }))
  dataOf(await api.signed(key, '/agent/revoke', { agent_wallet: revoked.address }))
  const listed = { agent_wallet: agent.address, ip_address: '10.0.0.1' }
  dataOf(await api.signed(key, '/agent/ip_whitelist/add', listed))
  dataOf(await api.post('/account/subaccount/create', await subaccountBody(key, sub)))
  const made = await api.signed<{ data: { api_key: string } }>(key, '/account/api_keys/create')
  const clientOrderId = `00000000-0000-4000-8000-0000000000${seed}`
  const order = { ...resting, amount: '0.01', client_order_id: clientOrderId }
  const { order_id: orderId } = dataOf<{ order_id: number }>(
    await api.signed(key, '/orders/create', order),
  )
  const stop_order = { stop_price: '120000', amount: '0.01' }
  const stop = { symbol: 'BTC', side: 'bid', reduce_only: false, stop_order }
  const placed = await api.signed(key, '/orders/stop/create', stop)
  const { order_id: stopId } = dataOf<{ order_id: number }>(placed)
  const { order_id: twapId } = dataOf<{ order_id: number }>(
    await api.signed(key, '/orders/twap/create', twap),
  )
  const apiKey = made.body.data.api_key
  return { key, agent, revoked, sub, apiKey, orderId, clientOrderId, stopId, twapId }
}

export async function hostileScene(): Promise<HostileScene> {
  const live = await frozenSandbox()
  await live.price('BTC', '105000')
  await live.price('WIF', '0.9')
  await live.price('ETH', '3500')
  const [victim, attacker] = [await belongings(live, 10), await belongings(live, 20)]
  const maker = await live.trader('1000000')
  const deal = { buyer: victim.key as never, seller: maker }
  await live.trade({ ...deal, symbol: 'BTC', price: '105000', amount: '0.1' })
  await live.trade({ ...deal, symbol: 'WIF', price: '0.9', amount: '1000' })
  await live.order(maker, { symbol: 'BTC', side: 'ask', price: '105010', amount: '1' })
  const mmp = { symbol: 'BTC', window_ms: 1_000, frozen_ms: 0, max_amount: '1' }
  dataOf(await live.api.signed(victim.key as never, '/account/mmp/set', mmp))
  const { engine_now } = dataOf<{ engine_now: number }>(await live.api.get('/time'))
  const samples = samplesOf(victim, engine_now)
  const settled = () => nothingDue(live)
  await settled()
  return {
    settled,
    live,
    victim,
    attacker,
    targets: [...routes(live, samples), ...actions(live, samples)],
    hash: () => tradingHash(stateBehind(live.running.exchange.view)),
  }
}

/** Time stands still, so that the exchange is not woken for what is due immediately. */
async function nothingDue({ running: { exchange } }: Live): Promise<void> {
  for (let round = 0; exchange.view.nextDueAt <= exchange.view.atMs; round++) {
    if (round > 100) throw new Error('what is due does not happen')
    await exchange.submit({ type: 'Tick' })
  }
}

function samplesOf(owner: Belongings, engineNow: number): Readonly<Record<string, Row>> {
  const { agent, sub, apiKey, orderId, stopId, twapId } = owner
  const order = { symbol: 'BTC', order_id: orderId }
  const ip = { agent_wallet: agent.address, ip_address: '10.0.0.1' }
  const market = { symbol: 'BTC', side: 'bid', amount: '0.02', reduce_only: false }
  const level = { stop_price: '110000', amount: '0.02' }
  const legOf = (side: string) => ({ side, amount: '0.02', reduce_only: false })
  return {
    create_order: { ...resting, amount: '0.02', take_profit: { stop_price: '130000' } },
    create_market_order: { ...market, slippage_percent: '1' },
    create_stop_order: { symbol: 'BTC', side: 'bid', reduce_only: false, stop_order: level },
    create_oco_order: {
      symbol: 'BTC',
      legs: [
        { ...legOf('bid'), price: '90000' },
        { ...legOf('bid'), stop_price: '120000' },
      ],
    },
    cancel_stop_order: { symbol: 'BTC', order_id: stopId },
    edit_order: { ...order, price: '99000', amount: '0.02' },
    cancel_order: order,
    cancel_all_orders: { all_symbols: false, exclude_reduce_only: false, symbol: 'BTC' },
    create_twap_order: { ...twap, amount: '0.6' },
    create_chase_order: { ...market, price: '99000' },
    create_iceberg_order: { ...market, price: '99000', display_amount: '0.01' },
    cancel_twap_order: { symbol: 'ETH', order_id: twapId },
    schedule_cancel: { time: engineNow + 60_000, keep_protective: true },
    set_position_tpsl: { symbol: 'BTC', side: 'ask', stop_loss: { stop_price: '95000' } },
    add_isolated_margin: { symbol: 'WIF', amount: '5' },
    update_leverage: { symbol: 'ETH', leverage: 3 },
    update_margin_mode: { symbol: 'SOL', is_isolated: true },
    withdraw: { amount: '25' },
    set_mmp: { symbol: 'BTC', window_ms: 1_000, frozen_ms: 5, max_amount: '1' },
    reset_mmp: { symbol: 'BTC' },
    transfer_funds: { to_account: sub.address, amount: '10' },
    list_subaccounts: {},
    list_reserve_proof: {},
    bind_agent_wallet: { agent_wallet: signerOf(99).address },
    set_agent_policy: { agent_wallet: agent.address, policy: { max_order_value: '1000' } },
    revoke_agent_wallet: { agent_wallet: agent.address },
    revoke_all_agent_wallets: {},
    list_agent_wallets: {},
    list_agent_ip_whitelist: { api_agent_key: agent.address },
    add_agent_whitelisted_ip: { ...ip, ip_address: '10.0.0.2' },
    remove_agent_whitelisted_ip: ip,
    set_agent_ip_whitelist_enabled: { agent_wallet: agent.address, enabled: true },
    create_api_key: {},
    revoke_api_key: { api_key: apiKey },
    list_api_keys: {},
  }
}

type Samples = Readonly<Record<string, Row>>

/** Every operation that is signed; a new one without a sample fails here. */
function routes({ api }: Live, samples: Samples): Target[] {
  return apiOperations('sandbox').flatMap(({ name, http, signs, refusals }) => {
    if (signs === null) return []
    const sample = samples[signs]
    if (sample === undefined) throw new Error(`no sample of ${signs}`)
    const path = http.split(' ')[1]!
    const send = (body: Row) => api.post(path, body)
    const lists = name.startsWith('list_')
    const contract = refusals === 'contract'
    return [{ name, path, type: signs, sample, batched: false, contract, lists, send }]
  })
}

const actionRoutes: Readonly<Record<(typeof requestActionTypes)[number], string>> = {
  Create: '/orders/create',
  CreateMarket: '/orders/create_market',
  Cancel: '/orders/cancel',
  Edit: '/orders/edit',
  SetPositionTpsl: '/positions/tpsl',
  CancelStopOrder: '/orders/stop/cancel',
  CreateStop: '/orders/stop/create',
  CancelAll: '/orders/cancel_all',
}

function actions({ api }: Live, samples: Samples): Target[] {
  return requestActionTypes.map((kind) => {
    const path = actionRoutes[kind]
    const type = api.published.signingType(`/api/v1${path}`)!
    const send = (data: Row) => api.post('/orders/batch', { actions: [{ type: kind, data }] })
    const name = `batch ${kind}`
    const sample = samples[type]!
    return { name, path, type, sample, batched: true, contract: false, lists: false, send }
  })
}
