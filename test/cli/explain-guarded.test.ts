// Explanations where a book contradicts the mark: guarded prices of a kept gap (MARGIN-3), and
// closes whose limit moves (MARGIN-5).

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Key } from '../../src/client/key.ts'
import { openperpJson } from '../support/cli/run-openperp.ts'
import { dataOf } from '../support/http/api-client.ts'
import { frozenSandbox } from '../support/http/live-exchange.ts'

type Explained = Readonly<{
  agrees: boolean
  title: string
  facts: Readonly<Record<string, string>>
  happened: readonly Readonly<{ what: string; rule: string }>[]
  steps: readonly Readonly<{ inputs: Readonly<Record<string, string>>; result: string }>[]
}>

const live = await frozenSandbox()
after(() => live.close())
const { api } = live

async function explain(...args: string[]): Promise<Explained> {
  const data = join(live.folder, 'data')
  const { code, json } = await openperpJson<Explained>(['explain', ...args, '--data', data])
  assert.equal(code, 0, JSON.stringify(json))
  assert.equal(json.agrees, true)
  return json
}

/** Long 10 ETH at 3000 and `bitcoins` at 100000, with a single ETH ask 5 % below the mark. */
async function guarded(money: string, bitcoins: string): Promise<Key> {
  const [trader, other] = [await live.trader(money), await live.trader('1000000')]
  await live.price('ETH', '3000')
  await live.price('BTC', '100000')
  // There is no gap from before: it lasts for its period of a minute and for the next.
  await live.sandbox('clock', { advance_ms: 124_000 })
  const between = { buyer: trader, seller: other }
  await live.trade({ ...between, symbol: 'ETH', price: '3000', amount: '10' })
  if (bitcoins !== '0')
    await live.trade({ ...between, symbol: 'BTC', price: '100000', amount: bitcoins })
  const ask = { symbol: 'ETH', side: 'ask', price: '2850', amount: '20', tif: 'ALO' }
  await live.order(other, ask)
  await live.price('ETH', '3000')
  const all = { all_symbols: true, exclude_reduce_only: false }
  dataOf(await api.signed(other, '/orders/cancel_all', all))
  await live.price('ETH', '3000')
  return trader
}

const why = '10 ETH at 2850, and not at the mark 3000: impact asks were up to 150 below the mark'

test('a rejection names the guarded price of a kept gap, and the quote behind it', async () => {
  const trader = await guarded('3000', '0')
  const order = { symbol: 'ETH', side: 'bid', price: '2999', amount: '30', tif: 'ALO' }
  const refused = await api.signed(trader, '/orders/create', { ...order, reduce_only: false })
  assert.equal(refused.status, 422, refused.text)
  const { title, facts, steps } = await explain('refusal', trader.address)
  assert.match(title, /INSUFFICIENT_BALANCE$/)
  // It would have been accepted at mark.
  const [required, available] = facts['refused with']!.match(/[\d.]+/g)!.map(Number)
  assert.ok(required! > available! && required! < available! + 1_500, facts['refused with'])
  const step = steps.find(({ inputs }) => 'position after what it takes' in inputs)!
  assert.equal(step.inputs['position after what it takes'], '10 ETH at 2850')
  assert.equal(step.result, `${available} USD`)
  const out = await api.signed(trader, '/account/withdraw', { amount: '1500' })
  assert.equal(out.status, 422, out.text)
  const { inputs } = (await explain('refusal', trader.address)).steps[0]!
  assert.ok(inputs.ETH!.startsWith(why), inputs.ETH)
})

test('a close whose limit moved names the original limit, and the reason', async () => {
  // Equity is negative at guarded prices; at mark there is twice the maintenance.
  const trader = await guarded('1400', '0.3')
  const close = { symbol: 'BTC', side: 'ask', amount: '0.1', tif: 'IOC', reduce_only: true }
  const placed = async (price: string) => {
    const { order_id } = await live.order(trader, { ...close, price })
    return (await explain('order', String(order_id))).happened[0]!
  }
  const near = await placed('99500')
  assert.deepEqual([near.what, near.rule], ['placed by user: ask 0.1 BTC at 99500, IOC', 'ORDER-4'])
  // A triggered BTC stop may fill up to 0.5 % from the mark.
  const far = await placed('99400')
  const moved = 'limit moved from 99400, so that the close does not ruin the account'
  assert.deepEqual(
    [far.what, far.rule],
    [`placed by user: ask 0.1 BTC at 99500, IOC, ${moved}`, 'MARGIN-5'],
  )
})
