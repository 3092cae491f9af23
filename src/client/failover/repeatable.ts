// Whether a request may be resent if its reply was lost:
// - Reads may always be resent.
// - Signed requests may be resent unchanged, because the exchange executes each signed text once.
// - Other requests may be resent only if they certainly had no effect.

import { haltedText, openTexts } from '../../protocol/errors.ts'
import type { Route } from '../../protocol/routes.ts'
import {
  ApiRefusal,
  NetworkFailure,
  OutcomeUnknown,
  TimeoutFailure,
  UnexpectedReply,
} from '../errors.ts'
import type { Fields } from '../requests.ts'

export type Kind = 'read' | 'signed' | 'once'

export function kindOf({ name, http, signs }: Route): Kind {
  // Signed lists count as reads: they are signed to identify the caller, and the exchange does not
  // remember their texts.
  if (http.startsWith('GET') || name === 'preview_order' || name.startsWith('list_')) return 'read'
  const signed = signs !== null || name === 'batch_orders' || name === 'create_subaccount'
  return signed ? 'signed' : 'once'
}

/** An attempt without a reply from the exchange. */
export type Failure = Readonly<{ error: Error; mayBeDone: boolean }>

/** Returns `null` if the error is a reply of the exchange, which every address would give. */
export function failureOf(error: unknown): Failure | null {
  if (error instanceof TimeoutFailure) return { error, mayBeDone: true }
  if (error instanceof NetworkFailure) return { error, mayBeDone: !hadNoConnection(error) }
  if (error instanceof UnexpectedReply) {
    const { status } = error
    return { error, mayBeDone: status === 200 || status >= 500 }
  }
  if (!(error instanceof ApiRefusal) || error.status < 500) return null
  const { reason, message } = error
  if (message.endsWith(haltedText)) return null
  return { error, mayBeDone: reason !== 'NOT_READY' || isOpen(message) }
}

/** Rejects with the error of a request: with `OutcomeUnknown` in place of a reply that leaves open
 *  whether a signed request was executed. */
export function outcomeOpen(route: Route, body: Fields): (error: unknown) => never {
  return (error) => {
    const isOpen = error instanceof ApiRefusal && failureOf(error)?.mayBeDone === true
    if (!isOpen || kindOf(route) !== 'signed') throw error
    const request = { operation: route.name, body, judged: false }
    throw new OutcomeUnknown(error.message, { ...request, cause: error })
  }
}

function isOpen(message: string): boolean {
  return Object.values(openTexts).some((text) => message.endsWith(text))
}

const noConnection: readonly unknown[] = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]

/** Only Node reports that no connection was made; a browser does not. */
function hadNoConnection({ cause }: NetworkFailure): boolean {
  const { cause: reason } = (cause ?? {}) as { cause?: { code?: unknown } }
  return noConnection.includes(reason?.code)
}

/** Errors that the exchange returns before it checks whether it already executed the request. */
const leaveOpen: readonly string[] = [
  'EXPIRED',
  'OTHER_VENUE',
  'VENUE_REQUIRED',
  'RATE_LIMITED',
  'INVALID_API_KEY',
  'CREDENTIALS_REQUIRED',
  'AGENT_NOT_BOUND',
  'AGENT_NOT_ALLOWED',
  'AGENT_FORBIDDEN',
]

export const leavesOpen = ({ reason }: ApiRefusal) => leaveOpen.includes(reason)
