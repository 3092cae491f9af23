// Routes of the sandbox: test money, the clock, prices, snapshots, bots. They are unsigned, and
// exist only in sandbox mode.

import {
  microPriceText,
  moneyText,
  parseMicroPrice,
  parseMoney,
} from '../../../projections/market-text.ts'
import { apiError } from '../../api-error.ts'
import { addressIn } from '../../known-address.ts'
import { type Call, type Operation, unsigned } from '../../operation.ts'
import { unknownMarket } from '../../refusal.ts'
import type { ClockReading, SavedSnapshot } from '../../sandbox.ts'
import { connectionOperations } from './connection-operations.ts'
import { forkOperations } from './fork-operations.ts'
import { labOperations } from './lab-operations.ts'
import { sandboxOf } from './sandbox-of.ts'

function marketIn({ exchange }: Call<unknown>, name: string) {
  const market = exchange.view.markets.named(name)
  if (market === undefined) throw unknownMarket('parameter')
  return market
}

const faucetMax = 1_000_000_000_000_000

export const fund = unsigned({
  group: 'Sandbox',
  name: 'sandbox_faucet',
  rejects: ['UNSUPPORTED_OPERATION', 'LIMIT_REACHED'],
  async handle(call) {
    const account = addressIn('account', call.request.account)
    const amount = parseMoney(call.request.amount)
    if (!amount.ok || amount.value <= 0 || amount.value > faucetMax)
      throw apiError(
        'MALFORMED_REQUEST',
        `amount ${call.request.amount} is not above 0 and at most 1000000000 USD, six decimals`,
      )
    const { balance } = await sandboxOf(call).fund(account, amount.value)
    return { balance: moneyText(balance) }
  },
})

const clockOf = ({ engineNow, wallNow, frozen, offsetMs, manual }: ClockReading) => ({
  engine_now: engineNow,
  now: wallNow,
  frozen,
  offset_ms: offsetMs,
  manual,
})

export const getClock = unsigned({
  group: 'Sandbox',
  name: 'sandbox_get_clock',
  handle: async (call) => clockOf(await sandboxOf(call).clock()),
})

export const setClock = unsigned({
  group: 'Sandbox',
  name: 'sandbox_set_clock',
  async handle(call) {
    const sandbox = sandboxOf(call)
    const { advance_ms, freeze, resume } = call.request
    const given = [advance_ms, freeze, resume].filter((each) => each != null)
    if (given.length !== 1)
      throw apiError('MALFORMED_REQUEST', 'exactly one of advance_ms, freeze, resume is required')
    if (advance_ms != null) return clockOf(await (call.exchange.lab ?? sandbox).advance(advance_ms))
    if (resume && (await sandbox.clock()).manual)
      throw apiError(
        'MALFORMED_REQUEST',
        'the clock of this exchange is manual: it moves only by advance_ms',
      )
    return clockOf(await (freeze ? sandbox.freeze() : sandbox.resume()))
  },
})

export const setOracle = unsigned({
  group: 'Sandbox',
  name: 'sandbox_set_oracle',
  async handle(call) {
    const { price, path, resume, jump } = call.request
    if ([price, path, resume].filter((each) => each != null).length !== 1)
      throw apiError('MALFORMED_REQUEST', 'exactly one of price, path, resume is required')
    if (jump === false && price == null)
      throw apiError('MALFORMED_REQUEST', 'jump false goes with price: a path is made of jumps')
    const market = marketIn(call, call.request.symbol)
    const { params } = market
    if (resume) await sandboxOf(call).resumeOracle(market.id)
    else {
      const prices = (path ?? [price!]).map((text) => {
        const parsed = parseMicroPrice(params, text)
        if (parsed.ok && parsed.value > 0) return parsed.value
        const step = microPriceText(params, 1)
        throw apiError('MALFORMED_REQUEST', `price ${text} is not a positive multiple of ${step}`)
      })
      await sandboxOf(call).setOracle(market.id, prices, jump === false)
    }
    return { symbol: params.symbol, oracle: microPriceText(params, market.oracle) }
  },
})

const savedOf = ({ id, seq, atMs, createdAt }: SavedSnapshot) => ({
  id,
  seq,
  engine_now: atMs,
  created_at: createdAt,
})

export const takeSnapshot = unsigned({
  group: 'Sandbox',
  name: 'sandbox_snapshot',
  handle: async (call) => savedOf(await sandboxOf(call).snapshot()),
})

export const listSnapshots = unsigned({
  group: 'Sandbox',
  name: 'sandbox_list_snapshots',
  handle: async (call) => (await sandboxOf(call).snapshots()).map(savedOf),
})

export const revert = unsigned({
  group: 'Sandbox',
  name: 'sandbox_revert',
  notFound: true,
  async handle(call) {
    const { id } = call.request
    if (!(await sandboxOf(call).revert(id)))
      throw apiError('NOT_FOUND', 'no snapshot has this id (snapshot not found)')
    call.exchange.lab?.wentBack()
    return { id }
  },
})

export const getBots = unsigned({
  group: 'Sandbox',
  name: 'sandbox_get_bots',
  handle: async (call) => ({ running: await sandboxOf(call).botsRunning() }),
})

export const setBots = unsigned({
  group: 'Sandbox',
  name: 'sandbox_bots',
  async handle(call) {
    const sandbox = sandboxOf(call)
    await sandbox.setBots(call.request.running)
    return { running: await sandbox.botsRunning() }
  },
})

export const playScenario = unsigned({
  group: 'Sandbox',
  name: 'sandbox_scenario',
  async handle(call) {
    const { name, symbol: on } = call.request
    await sandboxOf(call).playScenario(name, marketIn(call, on).id)
    return { name, symbol: on }
  },
})

export const reset = unsigned({
  group: 'Sandbox',
  name: 'sandbox_reset',
  notFound: true,
  async handle(call) {
    if (!(await sandboxOf(call).reset()))
      throw apiError(
        'NOT_FOUND',
        'this sandbox has not kept the state of its start; a new data folder has it',
      )
    const { view, seq, lab } = call.exchange
    lab?.restart()
    return { seq: seq(), engine_now: view.atMs }
  },
})

export const getHash = unsigned({
  group: 'Sandbox',
  name: 'sandbox_get_hash',
  async handle(call) {
    const { seq, state, trading } = await sandboxOf(call).hashes()
    return { seq, trading_hash: trading, state_hash: state }
  },
})

export const sandboxOperations: readonly Operation[] = [
  fund,
  getClock,
  setClock,
  setOracle,
  takeSnapshot,
  listSnapshots,
  revert,
  getBots,
  setBots,
  playScenario,
  reset,
  getHash,
  ...connectionOperations,
  ...labOperations,
  ...forkOperations,
]
