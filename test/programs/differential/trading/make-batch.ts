// Batches of one account, under one signature or with one for each action.

import * as trading from '../make-trading.ts'
import { drawAccount, drawProof, type Made, type Making } from '../making.ts'
import { quote } from './make-mmp.ts'

const actionMakers = {
  place: trading.placeOrder,
  market: trading.placeMarketOrder,
  cancel: trading.cancelOrder,
  stop: trading.cancelStop,
  edit: trading.editOrder,
  tpsl: trading.setPositionTpsl,
  newStop: trading.placeStop,
  all: trading.cancelAllOrders,
  quote,
}
const actionWeights = {
  place: 45,
  market: 8,
  cancel: 18,
  stop: 4,
  edit: 14,
  tpsl: 8,
  newStop: 6,
  all: 2,
  quote: 25,
}
const cancelWeights = {
  ...actionWeights,
  place: 0,
  market: 0,
  edit: 0,
  tpsl: 0,
  newStop: 0,
  quote: 0,
}

/** Sometimes under one signature, with actions that have none, but for a few. */
function drawBatchProof(making: Making, account: number): unknown {
  if (!making.random.chance(0.5)) return undefined
  const proof = drawProof(making, account, 'Batch')
  return proof ?? drawProof(making, account, 'Batch')
}

function drawCount(making: Making, most: number): number {
  const { random } = making
  const kind = random.weighted({ few: 90, many: 7, wrong: 3 })
  if (kind === 'wrong') return random.pick([0, most + 1, most + 2])
  return random.between(1, kind === 'many' ? most : 10)
}

/** Ids this batch will probably give are among those its cancels and edits name. */
export function batch(making: Making): Made {
  const { random, picture } = making
  const account = drawAccount(making)
  const proof = drawBatchProof(making, account)
  const count = drawCount(making, proof === undefined ? 10 : 50)
  const weights = random.chance(0.06) ? cancelWeights : actionWeights
  const nextId = Math.max(0, ...picture.orders.keys()) + 1
  const actions = Array.from({ length: count }, () => {
    const of = random.chance(0.997) ? account : drawAccount(making)
    const kind = random.weighted(weights)
    const made = actionMakers[kind](making, { account: of })
    const action = proof === undefined || random.chance(0.001) ? made : { ...made, proof: null }
    const names = action.type === 'CancelOrder' || action.type === 'EditOrder'
    if (!names || !random.chance(0.35)) return action
    const near = nextId + random.below(count + 1)
    const ref = random.chance(0.6)
      ? { order: near, clientOrderId: null }
      : { order: null, clientOrderId: `c${random.below(12)}` }
    return { ...action, ...ref }
  })
  const drawn = actions.filter(({ type }) => type !== 'Tick')
  return { type: 'Batch', account, actions: drawn, ...(proof === undefined ? {} : { proof }) }
}
