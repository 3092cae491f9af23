// Whether a request may be sent again without an answer. Reads: always. Signed requests: unchanged,
// because the exchange processes a signed text once. Others: only if they certainly had no effect.

import { haltedText, openTexts } from '../../protocol/errors.ts'
import type { Route } from '../../protocol/routes.ts'
import { ApiRefusal, NetworkFailure, TimeoutFailure, UnexpectedReply } from '../errors.ts'

export type Kind = 'read' | 'signed' | 'once'

export function kindOf({ name, http, signs }: Route): Kind {
  // Lists are signed to show who asks; their texts are not remembered.
  if (http.startsWith('GET') || name === 'preview_order' || name.startsWith('list_')) return 'read'
  const signed = signs !== null || name === 'batch_orders' || name === 'create_subaccount'
  return signed ? 'signed' : 'once'
}

/** An attempt without an answer of the exchange's own. */
export type Failure = Readonly<{ error: Error; mayBeDone: boolean }>

/** Null: it is an answer, and would be the same elsewhere. */
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

/** Node says so; a browser does not. */
function hadNoConnection({ cause }: NetworkFailure): boolean {
  const { cause: reason } = (cause ?? {}) as { cause?: { code?: unknown } }
  return noConnection.includes(reason?.code)
}

/** Refusals that come before the exchange has looked whether it knows the text. */
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
