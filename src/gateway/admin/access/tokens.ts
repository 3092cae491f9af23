// The tokens of the admin plane, with their holders and permissions.

import { createHash, timingSafeEqual } from 'node:crypto'
import type { AdminScope } from '../../../protocol/admin/admin-row.ts'
import { apiError } from '../../api-error.ts'

export type TokenHolder = Readonly<{ name: string; token: string; scopes: readonly AdminScope[] }>

const digest = (text: string) => createHash('sha256').update(text).digest()

export class Tokens {
  private readonly holders: readonly (TokenHolder & Readonly<{ digest: Buffer }>)[]

  constructor(tokens: readonly TokenHolder[]) {
    this.holders = tokens.map((holder) => ({ ...holder, digest: digest(holder.token) }))
  }

  /** Returns the holder for the value of an `authorization` header; `null` if the token is
   *  unknown. */
  holderOf(authorization: string | undefined): TokenHolder | null {
    const given = /^Bearer (.{1,256})$/.exec(authorization ?? '')?.[1]
    const found = given === undefined ? undefined : digest(given)
    // Compares with every token, so that the timing does not reveal which token matched.
    const matches = this.holders.filter(
      (each) => found !== undefined && timingSafeEqual(each.digest, found),
    )
    return matches[0] ?? null
  }
}

export function requireScope({ name, scopes }: TokenHolder, scope: AdminScope): void {
  if (scopes.includes(scope)) return
  throw apiError('SCOPE_REQUIRED', `token ${name} lacks the scope ${scope}`)
}
