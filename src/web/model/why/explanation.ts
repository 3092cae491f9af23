// Asks the exchange to explain an object of the account, until there is an answer.

import type { Client } from '../../../client/client.ts'
import { ApiRefusal, TimeoutFailure } from '../../../client/errors.ts'
import { type CallOptions, pause } from '../../../client/requests.ts'
import type { ReplyOf } from '../../../protocol/route-schemas.ts'
import type { Explained } from '../desk.ts'

export type Explanation = ReplyOf<'explain_order'>
export type Refused = Extract<Explained, { about: 'refusal' }>

type Waiting = Required<CallOptions> & Readonly<{ onLate: () => void }>

const againMs = 500

/** Returns `null` if the request was refused before it became an entry of history. A busy exchange
 *  gives trading priority, so that an answer may take longer than a request waits. */
export async function explanationOf(
  client: Client,
  what: Explained,
  { signal, onLate }: Waiting,
): Promise<Explanation | null> {
  for (;;) {
    try {
      return await ask(client, what, { signal })
    } catch (error) {
      if (!isLate(error)) throw error
      onLate()
      await pause(againMs, signal)
    }
  }
}

const isLate = (error: unknown) =>
  error instanceof TimeoutFailure || (error instanceof ApiRefusal && error.reason === 'NOT_READY')

async function ask(client: Client, what: Explained, options: CallOptions) {
  switch (what.about) {
    case 'order':
      return client.explainOrder({ order_id: what.id }, options)
    case 'fill':
      return client.explainFill({ history_id: what.id }, options)
    case 'funding':
      return client.explainFunding({ history_id: what.id }, options)
    case 'liquidation':
      return client.explainLiquidation({ seq: what.seq }, options)
    case 'position':
      return client.explainPosition({ symbol: what.symbol }, options)
    default:
      return askRefusal(client, what, options)
  }
}

/** A request that was refused before it had an entry names the newest one, of any request. */
async function askRefusal(client: Client, { refusal }: Refused, options: CallOptions) {
  const { seq, reason } = refusal
  if (seq === null || seq === 0) return null
  try {
    const explanation = await client.explainRefusal({ seq }, options)
    return explanation.title.endsWith(`: ${reason}`) ? explanation : null
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

export const isMissing = (error: unknown) => error instanceof ApiRefusal && error.status === 404
