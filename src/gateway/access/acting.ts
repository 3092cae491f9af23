// Acting for any account, which only a fork allows, and only to callers that may use its sandbox
// routes. A fork has no client whose key could be protected: its accounts are copies.

import { actAsHeader } from '../../protocol/auth/act-as.ts'
import { apiError } from '../api-error.ts'
import type { Exchange } from '../exchange.ts'
import { addressIn } from '../known-address.ts'
import type { Operation } from '../operation.ts'
import { batchName } from '../operations/cancels.ts'
import { requireSandboxAccess } from './sandbox-access.ts'

type Incoming = Parameters<typeof requireSandboxAccess>[0]
type Parts = Parameters<typeof requireSandboxAccess>[1] &
  Readonly<{ door: Readonly<{ exchange: Pick<Exchange, 'settings'> }> }>

/** The account that a request acts for; `null` without the header. */
export function actorIn(incoming: Incoming, parts: Parts): string | null {
  const given = incoming.headers[actAsHeader]
  if (given === undefined) return null
  if (!parts.door.exchange.settings.fork)
    throw apiError(
      'MALFORMED_REQUEST',
      `the header ${actAsHeader} is for forks (openperp fork), and this exchange is not one: ` +
        'sign the request instead',
    )
  requireSandboxAccess(incoming, parts)
  return addressIn(actAsHeader, String(given))
}

type Body = Readonly<Record<string, unknown>>

/** The request with the account in the places where a signed one has it. */
export function requestOf(operation: Operation, request: unknown, actor: string): unknown {
  if (typeof request !== 'object' || request === null) return request
  const { actions } = request as Body
  if (operation.name === batchName && Array.isArray(actions))
    return { ...request, actions: actions.map((action: Body) => actionOf(action, actor)) }
  const owner = ownerOf(operation, request as Body)
  return owner === null ? request : named(request as Body, owner, actor)
}

function actionOf(action: Body, actor: string): unknown {
  const { data } = Object(action) as Body
  if (typeof data !== 'object' || data === null) return action
  return { ...action, data: named(data as Body, 'account', actor) }
}

function ownerOf({ name, signs, request }: Operation, body: Body): string | null {
  if (name === 'create_subaccount') return 'main_account'
  if (signs === 'set_position_tpsl' && body.user != null) return 'user'
  const { properties = {} } = request as Readonly<{ properties?: object }>
  return signs !== null || 'account' in properties ? 'account' : null
}

function named(body: Body, field: string, actor: string): Body {
  const given = body[field]
  if (given == null || given === actor) return { ...body, [field]: actor }
  throw apiError(
    'MALFORMED_REQUEST',
    `${field} must match the account in the ${actAsHeader} header, or be omitted`,
  )
}
