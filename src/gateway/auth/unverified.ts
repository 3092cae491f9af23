// Requests without a signature: of an embedded exchange with `verify: false`, and of a fork that
// acts for any account. The account in the body is the caller. Neither
// signature nor timestamp is required, but a body with another venue is still rejected. An agent is
// trusted without a signature, but still needs its rights.

import type { Proof } from '../../core/index.ts'
import { agentIsPayload } from '../../protocol/signing-types.ts'
import type { TimeMs } from '../../units/units.ts'
import { apiError } from '../api-error.ts'
import type { VenuePolicy } from '../exchange.ts'
import type { Signed } from '../operation.ts'
import type { Signatures } from './check-signature.ts'
import { requireVenue } from './venue-check.ts'

type Body = Readonly<Record<string, unknown>>

/** More than the number of actions in a batch, and than the proofs created before one is
 *  checked. */
const windowTexts = 1_024

export function unverified(venue: VenuePolicy): Signatures {
  let agentTexts = 0
  const agentProof = (agent: string, ip: string | null): Proof => {
    agentTexts += 1
    // Times of unverified requests are counters.
    const signedAtMs = agentTexts as TimeMs
    const expiresAtMs = (agentTexts + windowTexts) as TimeMs
    return { textHash: `unverified ${agentTexts}`, signedAtMs, expiresAtMs, agent, ip }
  }
  return {
    async checkSigned({ type, body, ip }) {
      const fields = body as Body
      requireVenue(fields, venue)
      const owner = type === 'set_position_tpsl' && fields.user != null ? 'user' : 'account'
      const agent = agentIsPayload.has(type) ? null : (fields.agent_wallet ?? null)
      const proof = agent === null ? null : agentProof(textOf(fields, 'agent_wallet'), ip)
      return { account: textOf(fields, owner), proof } satisfies Signed
    },
    async checkSubaccount({ body }) {
      const fields = body as Body
      requireVenue(fields, venue)
      const subaccount = textOf(fields, 'subaccount')
      return { account: textOf(fields, 'main_account'), subaccount, proof: null }
    },
  }
}

function textOf(body: Body, field: string): string {
  const value = body[field]
  if (typeof value === 'string') return value
  throw apiError('MALFORMED_REQUEST', `${field} is ${value == null ? 'missing' : 'not a string'}`)
}
