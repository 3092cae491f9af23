// Receipts and checkpoints: what the exchange signs about its history.

import { apiError } from '../../api-error.ts'
import type { Exchange, Receipts } from '../../exchange.ts'
import { unsigned } from '../../operation.ts'
import { requireAlgoReader } from '../reading.ts'

const common = { group: 'Receipts', refusals: 'rules', rejects: [] } as const

export const getCheckpoints = unsigned({
  ...common,
  name: 'get_checkpoints',
  cost: 'plain',
  notFound: true,
  handle: ({ request, exchange }) => receiptsOf(exchange).newest(request.limit ?? 10),
})

export const getFrameProof = unsigned({
  ...common,
  name: 'get_frame_proof',
  cost: 'heavy',
  notFound: true,
  handle: ({ request: { seq }, exchange }) => receiptsOf(exchange).frameOf(seq),
})

export const getReceipt = unsigned({
  ...common,
  name: 'get_receipt',
  cost: 'heavy',
  notFound: true,
  async handle(call) {
    const { request, exchange } = call
    requireAlgoReader(call, request.account)
    const account = exchange.view.accounts.idOf(request.account)
    const found = await receiptsOf(exchange).receiptOf(request.seq)
    // The same answer for entries of others, which says nothing about them.
    if (found === null || found.account === null || found.account !== account)
      throw apiError('NOT_FOUND', `entry ${request.seq} is not a command of this account`)
    return found.receipt
  },
})

function receiptsOf({ receipts }: Exchange): Receipts {
  if (receipts !== null) return receipts
  throw apiError('NOT_FOUND', 'this exchange has no journal on disk, and signs no history')
}
