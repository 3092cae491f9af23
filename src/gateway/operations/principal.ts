// Common steps of operations that change something: the caller, the market, whether orders are
// accepted; and a refusal of the engine becomes the error of this endpoint.

import type {
  AccountId,
  Command,
  Event,
  EventOf,
  MarketId,
  MarketParams,
  NeededScope,
  Proof,
} from '../../core/index.ts'
import { errorTable, haltedText } from '../../protocol/errors.ts'
import { ownEventsOf } from '../../sequencer/outcome.ts'
import { notInPolicyText } from '../agent-text.ts'
import { ApiError, apiError } from '../api-error.ts'
import type { Exchange } from '../exchange.ts'
import type { Refusals, Signed } from '../operation.ts'
import { refusalWith, unknownMarket } from '../refusal.ts'
import type { Subject } from '../refusal-subject.ts'
import { numbersOf } from '../refusal-text.ts'
import { circumstancesOf } from './circumstances.ts'

/** A signed request on its way to the engine. */
export type Principal = Readonly<{
  exchange: Exchange
  refusals: Refusals
  address: string
  account: AccountId
  proof: Proof | null
}>

type SignedContext = Readonly<{ exchange: Exchange; signed: Signed }>

/** The account that signed; it must exist, and its agent must be bound to it. */
export function principalOf(
  { exchange, signed }: SignedContext,
  refusals: Refusals,
  needs: NeededScope = 'any',
): Principal {
  const { account: address, proof } = signed
  const account = exchange.view.accounts.idOf(address)
  if (account === 0)
    throw refusalWith('ACCOUNT_NOT_FOUND', refusals, { account: address, params: null })
  const agent = proof?.agent ?? null
  if (agent !== null && !exchange.view.accounts.isAgentOf(account, agent))
    throw unboundAgent(agent, address)
  const principal = { exchange, refusals, address, account: account as AccountId, proof }
  requireAgentAllowed(principal, needs)
  requireStillValid(exchange, proof)
  return principal
}

export function unboundAgent(agent: string, account: string): ApiError {
  return apiError('AGENT_NOT_BOUND', `agent ${agent} is not bound to account ${account}`)
}

/** Smaller times are counters of texts that were not verified (embed/http/unverified.ts). */
const verifiedMsMin = 1e12

/** A text whose window ended while it waited. The leader would reject it, too. */
function requireStillValid(exchange: Exchange, proof: Proof | null): void {
  const until = proof?.expiresAtMs ?? null
  if (until === null || until < verifiedMsMin) return
  const now = exchange.wallNow()
  if (now <= until) return
  const over = 'Invalid message: the time to use it ended while it waited'
  throw apiError('EXPIRED', `${over} (until ${until}, now ${now})`)
}

/** The account that signed with its own key: no agent may do this, whatever its permissions. */
export function ownerOf(context: SignedContext, refusals: Refusals): Principal {
  const principal = principalOf(context, refusals)
  if ((principal.proof?.agent ?? null) === null) return principal
  const explanation =
    'an agent may trade, change leverage or margin, and make, list and revoke API keys'
  const status = refusals === 'contract' ? 400 : errorTable.AGENT_FORBIDDEN.status
  throw new ApiError('AGENT_FORBIDDEN', explanation, { status, code: status })
}

/** The agent's limits apply to signed reads as well. Other requests are also refused by the core; a
 *  refusal here needs no journal entry, with which a client at a forbidden address could otherwise
 *  fill the journal. */
function requireAgentAllowed(principal: Principal, needs: NeededScope): void {
  const { exchange, account, address, proof, refusals } = principal
  if (proof === null) return
  const refusal = exchange.view.accounts.agentRefusal(account, proof, needs)
  if (refusal === null) return
  const [cause = 0] = refusal.numbers
  const subject = { account: address, params: null, cause: notInPolicyText(cause, needs) }
  throw refusalWith(refusal.name, refusals, subject, [cause, 0, 0])
}

const reasons = {
  starting: 'the exchange is starting',
  draining: 'the exchange is shutting down; cancels are still served',
  disk_full: 'the disk of the exchange is nearly full; cancels are still served',
  overloaded: 'the exchange is at its limit; try again shortly',
  no_leader: 'no node leads at the moment; nothing was carried out',
  halted: haltedText,
} as const

/** New orders and settings are refused while the exchange does not accept them; cancels never
 *  are. */
export function requireOpen(exchange: Exchange): void {
  const closed = exchange.closed()
  if (closed !== null) throw apiError('NOT_READY', reasons[closed])
}

export type MarketRef = Readonly<{ id: MarketId; params: MarketParams }>

export function marketOf(principal: Principal, symbol: string): MarketRef {
  const { view } = principal.exchange
  const id = view.symbols.get(symbol)
  if (id === undefined) throw unknownMarket(principal.refusals)
  return { id, params: view.markets.paramsOf(id) }
}

/** Submits and returns the command's own events; throws if it was refused. */
export async function ask(
  principal: Principal,
  command: Command,
  subject: Omit<Subject, 'account'> = { params: null },
): Promise<readonly Event[]> {
  const events = ownEventsOf(await principal.exchange.submit(command))
  const rejected = events.find((event) => event.type === 'CommandRejected')
  if (rejected === undefined) return events
  const numbers = numbersOf(rejected)
  const { rejection } = rejected
  const stands = circumstancesOf(principal.exchange.view, command, rejection, numbers)
  const full = { account: principal.address, ...subject, ...stands }
  throw refusalWith(rejection, principal.refusals, full, numbers)
}

export function eventIn<T extends Event['type']>(events: readonly Event[], type: T): EventOf<T> {
  const found = events.find((event) => event.type === type)
  if (found === undefined) throw new Error(`the engine wrote no ${type}`)
  return found as unknown as EventOf<T>
}
