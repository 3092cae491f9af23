// Common steps of operations that change something: find the caller and the market, check whether
// orders are accepted, and convert a rejection of the engine to an error of the endpoint.

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
import type { Caller, Refusals, Signed } from '../operation.ts'
import { refusalAt, refusalWith, unknownMarket } from '../refusal.ts'
import type { Subject } from '../refusal-subject.ts'
import { numbersOf } from '../refusal-text.ts'
import { circumstancesOf } from './circumstances.ts'

/** The signer of a request, and the exchange that executes it. */
export type Principal = Readonly<{
  exchange: Exchange
  refusals: Refusals
  address: string
  account: AccountId
  proof: Proof | null
  /** Gets the entry of the command; absent if nothing reports it. */
  caller?: Caller | undefined
}>

type SignedContext = Readonly<{ exchange: Exchange; signed: Signed; caller?: Caller }>

/** Returns the signer. The account must exist, and the agent must be bound to it. */
export function principalOf(
  { exchange, signed, caller }: SignedContext,
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
  const principal = { exchange, refusals, address, account: account as AccountId, proof, caller }
  requireAgentAllowed(principal, needs)
  requireStillValid(exchange, proof)
  return principal
}

export function unboundAgent(agent: string, account: string): ApiError {
  return apiError('AGENT_NOT_BOUND', `agent ${agent} is not bound to account ${account}`)
}

/** Lower times are counters of requests that were not verified (auth/unverified.ts). */
const verifiedMsMin = 1e12

/** Rejects a request that expired while it was queued. The leader would reject it too. */
function requireStillValid(exchange: Exchange, proof: Proof | null): void {
  const until = proof?.expiresAtMs ?? null
  if (until === null || until < verifiedMsMin) return
  const now = Math.min(exchange.wallNow(), exchange.manual?.now() ?? Number.POSITIVE_INFINITY)
  if (now <= until) return
  const over = 'Invalid message: the time to use it ended while it waited'
  throw apiError('EXPIRED', `${over} (until ${until}, now ${now})`)
}

/** Returns the account if it signed with its own key. No agent may do this, whatever its
 *  permissions. */
export function ownerOf(context: SignedContext, refusals: Refusals): Principal {
  const principal = principalOf(context, refusals)
  if ((principal.proof?.agent ?? null) === null) return principal
  const explanation =
    'an agent may trade, change leverage or margin, and make, list and revoke API keys'
  const status = refusals === 'contract' ? 400 : errorTable.AGENT_FORBIDDEN.status
  throw new ApiError('AGENT_FORBIDDEN', explanation, { status, code: status })
}

/** Checks the limits of an agent. For signed reads this is the only check. Other requests are also
 *  checked by the core, but a rejection here needs no journal entry. Otherwise a client at a
 *  forbidden address could fill the journal. */
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

/** Throws if new orders and settings are not accepted at the moment. Cancels are always
 *  accepted. */
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

/** Submits a command and returns its events. Throws if it was rejected. */
export async function ask(
  principal: Principal,
  command: Command,
  subject: Omit<Subject, 'account'> = { params: null },
): Promise<readonly Event[]> {
  const outcome = await principal.exchange.submit(command)
  const { caller } = principal
  if (caller !== undefined) caller.readAt = outcome.seq
  const events = ownEventsOf(outcome)
  const rejected = events.find((event) => event.type === 'CommandRejected')
  if (rejected === undefined) return events
  const numbers = numbersOf(rejected)
  const { rejection } = rejected
  const stands = circumstancesOf(principal.exchange.view, command, rejection, numbers)
  const full = { account: principal.address, ...subject, ...stands }
  throw refusalAt(outcome.seq, refusalWith(rejection, principal.refusals, full, numbers))
}

export function eventIn<T extends Event['type']>(events: readonly Event[], type: T): EventOf<T> {
  const found = events.find((event) => event.type === type)
  if (found === undefined) throw new Error(`the engine wrote no ${type}`)
  return found as unknown as EventOf<T>
}
