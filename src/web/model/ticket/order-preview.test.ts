import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gridOf } from '../market/market-grid.ts'
import { untoldLimits as limits } from '../market/markets.ts'
import type { Preview, PreviewRequest } from '../wire.ts'
import { type Draft, emptyDraft } from './order-draft.ts'
import { previewOrder } from './order-preview.ts'
import { build } from './order-request.ts'

const grid = gridOf({ tick_size: '0.5', lot_size: '0.001' })

const fine = { accepted: true, notional: '1', max_amount: '9' } as Preview
const refused = (code: number, error: string) => ({ accepted: false, code, error }) as Preview

/** The requests for a draft, and the result of the replies. */
async function previewed(part: Partial<Draft>, answer: (request: PreviewRequest) => Preview) {
  const draft = { ...emptyDraft, price: '100', size: '2', ...part }
  const ordered = {
    symbol: 'BTC',
    amount: draft.size,
    grid,
    mark: 100,
    now: 0,
    minOrderUsd: 0,
    limits,
  }
  const { request } = build(draft, ordered)
  const questions: PreviewRequest[] = []
  const ask = async (request: PreviewRequest) => {
    questions.push(request)
    return answer(request)
  }
  return { questions, ...(await previewOrder(request!, { account: 'me', mark: '100', ask })) }
}

const isOrder = ({ tif, slippage_percent }: PreviewRequest) =>
  tif !== undefined || slippage_percent !== undefined

test('each kind is checked as it will be sent, and its figures are of its full size', async () => {
  const kinds: readonly (readonly [Partial<Draft>, keyof PreviewRequest])[] = [
    [{ kind: 'stop', stop: '120' }, 'stop_order'],
    [{ kind: 'oco', stop: '120' }, 'legs'],
    [{ kind: 'iceberg', display: '0.5' }, 'display_amount'],
    [{ kind: 'chase' }, 'chase'],
  ]
  for (const [part, field] of kinds) {
    const { questions, objection, checked } = await previewed(part, (request) =>
      isOrder(request) ? fine : refused(16, 'no'),
    )
    assert.deepEqual(questions.map(isOrder), [false, true], part.kind)
    assert.ok(questions[0]![field] !== undefined, part.kind)
    assert.equal(questions[1]!.amount, '2', part.kind)
    assert.deepEqual([objection, checked], [{ code: 16, message: 'no' }, true], part.kind)
  }
})

test('for a TWAP the policy and invalid numbers are refusals, the rest is a warning', async () => {
  const twap = (answer: Preview) => previewed({ kind: 'twap' }, () => answer)
  const limit = "AGENT_LIMIT: rule 6 of this agent's policy: at most 5"
  assert.deepEqual((await twap(refused(403, limit))).objection, { code: 403, message: limit })
  const none = await twap(refused(25, 'NO_REASONABLE_PRICE: the book is empty'))
  assert.deepEqual([none.objection, none.caution], [null, null])
  const large = await twap(refused(8, 'ORDER_AMOUNT_TOO_HIGH: the maximum is 5 USD'))
  assert.match(large.caution ?? '', /each slice is checked by itself. The maximum is 5 USD/)
  const stop = (request: PreviewRequest) => (isOrder(request) ? refused(8, 'large') : fine)
  assert.match(
    (await previewed({ kind: 'stop', stop: '120' }, stop)).caution ?? '',
    /^Accepted, but/,
  )
})

test('an order that would end immediately is refused, and a valid one is not', async () => {
  const rejected = 'post_only_rejected: it would trade with 99.5'
  const ends = await previewed({ postOnly: true }, () => ({ ...fine, rejected }))
  assert.deepEqual(ends.objection, { code: 0, message: rejected })
  const rests = await previewed({ postOnly: true }, () => fine)
  assert.deepEqual([rests.questions.length, rests.objection, rests.checked], [1, null, true])
})

test('an accepted order without sufficient margin is a caution, not a refusal', async () => {
  const short = (request: PreviewRequest) => (isOrder(request) ? refused(5, 'too little') : fine)
  const iceberg = await previewed({ kind: 'iceberg', display: '0.5' }, short)
  const text = 'Accepted, but not covered as things are. Too little'
  assert.deepEqual([iceberg.objection, iceberg.caution], [null, text])
  const twap = await previewed({ kind: 'twap' }, short)
  assert.equal(twap.caution, 'Not covered as things are. Too little')
  const other = (request: PreviewRequest) => (isOrder(request) ? refused(25, 'empty') : fine)
  assert.equal((await previewed({ kind: 'stop', stop: '120' }, other)).caution, null)
})

test('a scale is checked by its first and last order and by its sum', async () => {
  const scale: Partial<Draft> = { kind: 'scale', to: '97', count: '4', rising: true }
  const whole = ({ amount }: PreviewRequest) => amount === '2'
  const { questions } = await previewed(scale, () => fine)
  assert.deepEqual(
    questions.map(({ price, amount }) => [price, amount]),
    [
      ['100', '0.2'],
      ['97', '0.8'],
      ['98', '2'],
    ],
  )
  const last = await previewed(scale, ({ price }) => (price === '97' ? refused(30, 'far') : fine))
  const rung = { at: 3, of: 4, price: '97', amount: '0.8' }
  assert.deepEqual(last.objection, { code: 30, message: 'far', rung })
  const sum = await previewed(scale, (request) => (whole(request) ? refused(5, 'short') : fine))
  assert.deepEqual(sum.objection, { code: 5, message: 'short' })
  // A bound of one order is none of all of them together.
  for (const bound of [refused(8, 'large'), refused(403, "rule 5 of this agent's policy: 9")]) {
    const bounded = await previewed(scale, (request) => (whole(request) ? bound : fine))
    assert.equal(bounded.objection, null)
  }
})

test('an inner order of a scale is checked if its value is the lowest or highest', async () => {
  const value = ({ price, amount }: PreviewRequest) => Number(price) * Number(amount)
  const whole = (request: PreviewRequest, { size = '2' }: Partial<Draft>) => request.amount === size
  const against = (scale: Partial<Draft>, breaks: (worth: number) => boolean) =>
    previewed(scale, (request) =>
      !whole(request, scale) && breaks(value(request)) ? refused(7, 'worth') : fine,
    )
  // Sizes of 2, 2, 3 and 3 lots at 100, 99, 98 and 97.
  const falling: Partial<Draft> = { kind: 'scale', to: '97', count: '4', size: '0.01' }
  const small = await against(falling, (worth) => worth < 0.199)
  assert.deepEqual(small.objection?.rung, { at: 1, of: 4, price: '99', amount: '0.002' })
  assert.equal((await against(falling, (worth) => worth < 0.198)).objection, null)
  // 0.2 at 100, 0.4 at 70, 0.6 at 40 and 0.8 at 10.
  const rising: Partial<Draft> = { kind: 'scale', to: '10', count: '4', rising: true }
  const large = await against(rising, (worth) => worth > 27)
  assert.deepEqual(large.objection?.rung, { at: 1, of: 4, price: '70', amount: '0.4' })
  assert.deepEqual(
    large.questions.map(({ price }) => price),
    ['100', '70', '10', '40'],
  )
})
