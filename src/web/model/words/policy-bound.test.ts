import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatGrid, parseDecimal, stepOf } from '../../../units/decimal.ts'
import { mulPpmFloor } from '../../../units/rounding.ts'
import { allowedSlippage } from '../account/closing.ts'
import { policyBound } from './policy-bound.ts'

const ppm = (percent: string) => {
  const parsed = parseDecimal(percent, 4)
  return parsed.ok ? parsed.value : assert.fail(percent)
}

const tick = stepOf('0.5')
const sides = { bid: 1, ask: -1 } as const
type Side = keyof typeof sides
type Slipping = Readonly<{ slippage_percent?: string | null | undefined }>

/** What the exchange says of a market order under a policy; null: nothing. */
function refusal(side: Side, mark: number, [worst, most]: readonly [string, string]) {
  if (ppm(worst) <= ppm(most)) return null
  const price = (percent: string) =>
    formatGrid(mark + sides[side] * mulPpmFloor(mark, ppm(percent)), tick)
  return (
    `AGENT_LIMIT: rule 4 of this agent's policy: price ${price(worst)} is further from the mark ` +
    `than ${price(most)}, the last that it allows`
  )
}

test('a close uses the slippage that the policy of its key allows, at any mark', async () => {
  for (const side of ['bid', 'ask'] as const)
    for (const mark of [210_700, 210_701, 199_999, 35_317, 1_013])
      for (const most of ['0', '0.5', '1', '1.25', '2', '4.9', '1.2345', '0.9999']) {
        const requests: string[] = []
        const previewOrder = async ({ slippage_percent }: Slipping) => {
          requests.push(slippage_percent!)
          const error = refusal(side, mark, [slippage_percent!, most])
          return (error === null ? { accepted: true } : { accepted: false, error }) as never
        }
        const trader = { client: { previewOrder }, address: 'me', agent: 'bot' }
        const body = { symbol: 'BTC', side, amount: '1', reduce_only: true } as const
        const wish = { ...body, slippage_percent: '5' }
        const used = await allowedSlippage(trader, wish, tick)
        const about = `${side} ${mark} ${most}: ${used}, requested ${requests.join(' ')}`
        assert.equal(refusal(side, mark, [used, most]), null, about)
        assert.ok(Number(most) - Number(used) <= 300 / mark, about)
        if (mark > 100_000 && most.length <= 4) assert.equal(used, most, about)
      }
})

test('an order within the bound needs at most one preview, and is sent unchanged', async () => {
  const wish = { symbol: 'BTC', side: 'ask', amount: '1', reduce_only: true } as const
  const body = { ...wish, slippage_percent: '5' }
  let calls = 0
  const answers = [{ accepted: true }, { accepted: false, error: 'AGENT_LIMIT: rule 3 of it' }]
  for (const agent of [null, 'bot'])
    for (const answer of [...answers, new Error('no connection')]) {
      const previewOrder = async () => {
        calls++
        if (answer instanceof Error) throw answer
        return answer as never
      }
      const trader = { client: { previewOrder }, address: 'me', agent }
      assert.equal(await allowedSlippage(trader, body, tick), '5')
    }
  assert.equal(calls, 3)
  assert.equal(policyBound('AGENT_LIMIT: rule 5', 'bid', { slippage: '5', tick }), null)
})
