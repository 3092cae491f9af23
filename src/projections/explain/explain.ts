// The explanation of an object, for every interface: history says where its commands are, a replay
// of them makes the explanation, and the present state says what has not happened yet. The replay
// may run in another thread, so that what it needs is plain data.

import { explainFunding, type Payment } from './explain-funding.ts'
import { explainLiquidation } from './explain-liquidation.ts'
import { explainFill, explainOrder } from './explain-order.ts'
import { explainPosition } from './explain-position.ts'
import { explainRefusal, newestRefusal } from './explain-refusal.ts'
import { type Explanation, timeOf, wordsOf } from './explanation.ts'
import { NoExplanation, notFound, type Past, requireReach, type Seqs } from './past.ts'
import { openOrderOf, type Present, pendingOf } from './pending-order.ts'

export const replayedKinds = ['order', 'fill', 'refusal', 'liquidation', 'funding'] as const
export type ReplayedKind = (typeof replayedKinds)[number]

/** A replay to do. `account`: address of the owner; `null` for an operator. */
export type Job = Readonly<{
  what: ReplayedKind
  /** Id of the order, fill or payment, or the seq; `null` for the newest refusal up to `upTo`. */
  id: number | null
  upTo?: number
  account: string | null
  seqs: Seqs
  payment: Payment | null
}>

/** Question of the owner of an account. `id`: `null` for the newest. */
export type Question = Readonly<
  | { what: 'order' | 'fill' | 'funding'; id: number }
  | { what: 'liquidation' | 'refusal'; id: number | null }
>

/** Entries that one replay for a request may apply. */
export const entriesMax = 500_000

/** Throws `NoExplanation`. `max`: entries that may be applied; `null` for any number. */
export async function explainPast(past: Past, job: Job, max: number | null): Promise<Explanation> {
  const { what, account } = job
  const id = job.id ?? (await newestRefusal(past, account!, { upTo: job.upTo!, max }))
  const seqs = job.id === null ? [id] : job.seqs
  if (seqs !== null && max !== null) requireReach(past, seqs, max)
  const explanation = await explained(past, job)
  // Whose command it was is only known afterwards.
  if (account === null || explanation.facts.account === account) return explanation
  throw notFound(what === 'refusal' ? `refusal at seq ${id}` : `${what} ${id}`, { fromSeq: 0 })

  function explained(from: Past, { payment }: Job): Promise<Explanation> {
    if (what === 'order') return explainOrder(from, id, seqs)
    if (what === 'fill') return explainFill(from, id, seqs)
    if (what === 'funding') return explainFunding(from, id, seqs, payment)
    return (what === 'refusal' ? explainRefusal : explainLiquidation)(from, `${id}`, seqs)
  }
}

/** Explains an object of this account, which exists. `replay` runs `explainPast`. */
export async function explainOf(
  present: Present,
  account: number,
  question: Question,
  replay: (job: Job) => Promise<Explanation>,
): Promise<Explanation> {
  const address = present.view.accounts.addressOf(account)
  const { what } = question
  if (what !== 'order') return replay(await located(present, address, question))
  const { id } = question
  const seqs = await seqsOfOrder(present, address, id)
  const job: Job = { what, id, account: address, seqs, payment: null }
  const pending = await pendingOf(present, account, id)
  try {
    return { ...(await replay(job)), pending }
  } catch (error) {
    // What has not happened is still known.
    if (!(error instanceof NoExplanation) || error.why === 'unknown' || pending.length === 0)
      throw error
    return withoutPast(present, account, id, error.message, pending)
  }
}

export type { Explanation } from './explanation.ts'
export { NoExplanation } from './past.ts'
export { explainPosition }

async function located(
  { history, seq, view }: Present,
  account: string,
  { what, id }: Question,
): Promise<Job> {
  const job = (found: number, seqs: readonly number[], payment: Payment | null = null): Job => {
    return { what, id: found, account, seqs, payment }
  }
  if (what === 'liquidation') {
    const start = await history.liquidationStart(seq, account, id ?? Number.MAX_SAFE_INTEGER)
    if (start === null || (id !== null && start !== id))
      throw notFound(id === null ? 'liquidation of the account' : `liquidation ${id}`, noneGone)
    return job(start, [start])
  }
  if (what === 'refusal') {
    if (id === null) return { what, id, upTo: seq, account, seqs: null, payment: null }
    if (id > seq) throw notFound(`refusal ${id}`, noneGone)
    return job(id, [id])
  }
  if (id === null) throw notFound(what, noneGone)
  const only = { limit: 1, before: id + 1 }
  if (what === 'fill') {
    const page = { ...only, market: null, startMs: null, endMs: null }
    const [row] = await history.fills(seq, account, page)
    if (row?.history !== id) throw notFound(`fill ${id}`, noneGone)
    return job(id, [row.seq])
  }
  const [row] = await history.fundingPayments(seq, account, only)
  if (row?.id !== id) throw notFound(`funding payment ${id}`, noneGone)
  const { market, epoch, fixedSeq } = row
  return job(id, [fixedSeq, row.seq], { account: view.accounts.idOf(account), market, epoch })
}

const noneGone = { fromSeq: 0 }

async function seqsOfOrder(
  { history, seq }: Present,
  account: string,
  id: number,
): Promise<readonly number[]> {
  const rows = await history.orderSeqs(seq, id)
  if (rows[0]?.account !== account) throw notFound(`order ${id}`, noneGone)
  return rows.map((row) => row.seq)
}

/** The terms of an open order, for one that is too old to be replayed. */
function withoutPast(
  { view }: Present,
  account: number,
  id: number,
  why: string,
  pending: Explanation['pending'],
): Explanation {
  const { market, side, createdAt, initialLots } = openOrderOf(view, account, id)!
  const { params, unitValue } = view.markets.get(market)!
  return {
    title: `Order ${id} on ${params.symbol}`,
    facts: {
      account: view.accounts.addressOf(account),
      order: `${side} ${wordsOf(params, unitValue).size(initialLots)}`,
      placed: timeOf(createdAt),
      'not explained': why,
    },
    happened: [],
    steps: [],
    pending,
  }
}
