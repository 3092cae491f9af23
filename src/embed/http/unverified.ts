// The door of an exchange that was told not to verify: whoever a body names is who asks. Neither
// signature nor timestamp is wanted. An agent is taken at its word and still needs its rights.

import type { Proof } from '../../core/index.ts'
import { apiError } from '../../gateway/api-error.ts'
import type { Signatures } from '../../gateway/auth/check-signature.ts'
import type { Signed } from '../../gateway/operation.ts'
import { agentIsPayload } from '../../protocol/signing-types.ts'
import type { TimeMs } from '../../units/units.ts'

type Body = Readonly<Record<string, unknown>>

export function unverified(engineNow: () => number): Signatures {
  let agentTexts = 0
  const agentProof = (agent: string, ip: string | null): Proof => {
    const now = engineNow()
    // A text that has expired already is forgotten at the next one: nothing is remembered.
    const expiresAtMs = (now - 1) as TimeMs
    const textHash = `unverified ${++agentTexts}`
    return { textHash, receivedAtMs: now as TimeMs, expiresAtMs, agent, ip }
  }
  return {
    async checkSigned({ type, body, ip }) {
      const fields = body as Body
      const owner = type === 'set_position_tpsl' && fields.user != null ? 'user' : 'account'
      const agent = agentIsPayload.has(type) ? null : (fields.agent_wallet ?? null)
      const proof = agent === null ? null : agentProof(textOf(fields, 'agent_wallet'), ip)
      return { account: textOf(fields, owner), proof } satisfies Signed
    },
    async checkSubaccount({ body }) {
      const fields = body as Body
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
