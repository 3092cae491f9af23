// Why something happened to an account, or has not happened. Only the owner is answered, whatever
// others may read, because explanations show stops and orders that wait for their release.

import {
  type Explanation,
  explainOf,
  explainPosition,
  NoExplanation,
  type Question,
} from '../../../projections/explain/explain.ts'
import { ExplanationsBusy } from '../../../projections/explain/thread/explain-thread.ts'
import type { ReplyOf, RequestOf } from '../../../protocol/route-schemas.ts'
import type { UnsignedName } from '../../../protocol/routes.ts'
import { apiError } from '../../api-error.ts'
import { type Call, type UnsignedOperation, unsigned } from '../../operation.ts'
import { listedId, requireOwner } from '../reading.ts'

type Name = Extract<UnsignedName, `explain_${string}`>
type Requested = Readonly<{ account: string }>
type Work = (call: Call<Requested>, account: number) => Promise<Explanation>

const busySeconds = 1

function explaining<N extends Name>(
  name: N,
  explain: (call: Call<RequestOf<N>>, account: number) => Promise<Explanation>,
): UnsignedOperation {
  const handle = (call: Call<Requested>) => answered(call, explain as Work)
  const shared = { group: 'explanations', cost: 'heavy', refusals: 'rules', rejects: [] } as const
  return unsigned<Name>({ name, ...shared, notFound: true, handle: handle as never })
}

async function answered(call: Call<Requested>, work: Work): Promise<ReplyOf<Name>> {
  const { exchange, request } = call
  const address = request.account
  requireOwner(call, address, 'explanations')
  const account = exchange.view.accounts.idOf(address)
  try {
    if (account === 0) throw new NoExplanation('unknown', `the account ${address} has no history`)
    const explanation = await work(call, account)
    const agrees = explanation.steps.every((step) => step.agrees)
    return { ...explanation, agrees } as ReplyOf<Name>
  } catch (error) {
    if (error instanceof NoExplanation) throw apiError('NOT_FOUND', error.message)
    if (error instanceof ExplanationsBusy) throw apiError('NOT_READY', error.message, busySeconds)
    throw error
  }
}

function replayed(
  { exchange }: Pick<Call<Requested>, 'exchange'>,
  account: number,
  question: Question,
): Promise<Explanation> {
  const { view, history } = exchange
  return explainOf({ view, history, seq: exchange.seq() }, account, question, exchange.explain)
}

/** `null`: the newest. */
const seqIn = ({ seq }: Readonly<{ seq: number | string }>) =>
  seq === 'latest' ? null : Number.parseInt(`${seq}`, 10)

export const explanationOperations = [
  explaining('explain_order', (call, account) =>
    replayed(call, account, { what: 'order', id: call.request.order_id }),
  ),
  explaining('explain_fill', (call, account) =>
    replayed(call, account, { what: 'fill', id: call.request.history_id }),
  ),
  explaining('explain_refusal', (call, account) =>
    replayed(call, account, { what: 'refusal', id: seqIn(call.request) }),
  ),
  explaining('explain_liquidation', (call, account) =>
    replayed(call, account, { what: 'liquidation', id: seqIn(call.request) }),
  ),
  explaining('explain_funding', (call, account) =>
    replayed(call, account, { what: 'funding', id: call.request.history_id }),
  ),
  explaining('explain_position', ({ exchange, request }, account) => {
    const { view, history } = exchange
    listedId(exchange, request.symbol)
    return explainPosition({ view, history, seq: exchange.seq() }, account, request.symbol)
  }),
]
