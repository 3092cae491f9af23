// The common entry point of all transports. Identifies the caller, charges credits, validates the
// request, verifies signatures, then runs the operation. It does not change the exchange itself.

import type { DisarmConnection, EndConnection } from '../../core/index.ts'
import type { SigningType } from '../../protocol/signing-types.ts'
import { requestOf } from '../access/acting.ts'
import { type ApiError, apiError } from '../api-error.ts'
import { type FoundApiKey, findApiKey } from '../auth/api-keys.ts'
import { requireOwnerNamed, type Signatures, type SignedRequest } from '../auth/check-signature.ts'
import { unverified } from '../auth/unverified.ts'
import type { Exchange } from '../exchange.ts'
import { Bill, rateLimited } from '../limits/bill.ts'
import { limitKeyOf } from '../limits/ip-address.ts'
import type { Charge, Cost, Payer, RateLimit, RateLimitHeaders } from '../limits/rate-limit.ts'
import type {
  Caller,
  Operation,
  Refusals,
  Signed,
  SignedCall,
  SignedOperation,
} from '../operation.ts'
import { requestCheckOf } from '../operations/body-check.ts'
import {
  actionsIn,
  batchName,
  isCancel,
  isDecidedByBody,
  isProtected,
} from '../operations/cancels.ts'
import { doneByLeader, isForwarded, isLeaders } from './forwarded.ts'
import { SeqGate } from './min-seq.ts'
import { type SignedReader, SignedReads } from './signed-reads.ts'

export type Visitor = Readonly<{
  ip: string
  key: FoundApiKey | null
  keyAccount: string | null
  /** In a fork: the account that the connection acts for. */
  actor?: string | null
  /** Signer of the connection's `authenticate` request. */
  signedReader?: SignedReader
}>

/** Credits in tenths: remaining (`r`), limit (`q`), and seconds until some are restored (`t`). */
export type CreditsLeft = Readonly<{ r: number; q: number; t: number }>

/** `headers` and `left` are `null` if there are no rate limits. */
export type Charged = Readonly<{
  headers: RateLimitHeaders | null
  left: CreditsLeft | null
  refusal: ApiError | null
  /** Must be passed on with the caller. */
  bill: Bill | null
}>

/** A request whose body has not been parsed yet. */
export type IncomingRequest = Readonly<{
  operation: Pick<Operation, 'name' | 'cost' | 'paidByAddress'>
  read(): unknown
}>

/** Number of actions of a batch that cost as much as one request. */
const actionsPerCredit = 10

function costOf({ operation, read }: IncomingRequest): Cost {
  const times = Math.ceil(actionsIn(operation, read) / actionsPerCredit)
  const each = isCancel(operation, read) ? 'cancel' : operation.cost
  return times === 1 ? each : { class: each, times }
}

function rateLimitReply({ headers, remaining, limit, resetSeconds }: Charge) {
  return { headers, left: { r: remaining, q: limit, t: resetSeconds } }
}

/** The position of a request among the requests of a caller that must be executed in order. */
export type Turn = Readonly<{
  /** Resolves when the previous request has been submitted. */
  before: Promise<unknown>
  handedOver(): void
  /** Whether the caller has no other request in progress. */
  alone: boolean
  /** The connection whose requests are executed in order. */
  of: object
}>

/** A request that was checked here and that the leader executes. `operation`: `null` to arm the
 *  connection of this name. */
export type ToLeader = Readonly<{
  operation: Operation | null
  connection: string | null
  request: unknown
  ip: string
  turn: Turn | null
}>

/** The leader, as a read node uses it. */
export type Leader = Readonly<{
  /** Sends a request, and resolves with the reply. */
  ask(request: ToLeader): Promise<unknown>
  /** Reports that a connection has ended, or is no longer armed. */
  end(command: EndOfConnection): Promise<unknown>
}>

export type EndOfConnection = DisarmConnection | EndConnection

export class Door {
  readonly exchange: Exchange
  /** The exchange for cancels that may be executed before commands of other callers. */
  private readonly priorityExchange: Exchange
  readonly signatures: Signatures
  /** For requests that act for an account without a signature; `null` except in a fork. */
  private readonly unsigned: Signatures | null
  readonly signedReads: SignedReads
  readonly seqGate: SeqGate
  private readonly rateLimit: RateLimit | null
  private readonly leader: Leader | null

  /** `leader`: at a read node, which submits no commands. */
  constructor(
    exchange: Exchange,
    signatures: Signatures,
    rateLimit: RateLimit | null,
    leader: Leader | null = null,
  ) {
    this.exchange = exchange
    this.leader = leader
    this.seqGate = new SeqGate(exchange)
    const submit: Exchange['submit'] = (command, by) => exchange.submit(command, by, true)
    this.priorityExchange = Object.create(exchange, { submit: { value: submit } })
    this.signatures = signatures
    const { fork, venue } = exchange.settings
    this.unsigned = fork ? unverified(venue) : null
    this.signedReads = new SignedReads(exchange, signatures)
    this.rateLimit = rateLimit
  }

  /** Identifies the caller. An invalid API key is an error, because its owner relies on its
   *  credits. A protected request is served as if it had no key. */
  visitor(ip: string, keyText: string | undefined, incoming?: IncomingRequest): Visitor {
    if (keyText === undefined || keyText === '') return { ip, key: null, keyAccount: null }
    const { view, keyUse, wallNow } = this.exchange
    const key = findApiKey(view, keyText)
    if (key === null) {
      if (incoming !== undefined && this.isProtected(ip, incoming))
        return { ip, key, keyAccount: null }
      throw apiError('INVALID_API_KEY', 'the API key is not known or was revoked; create a new one')
    }
    keyUse.used(key.prefix, wallNow())
    return { ip, key, keyAccount: view.accounts.addressOf(key.account) }
  }

  charge({ ip, key }: Visitor, incoming: IncomingRequest): Charged {
    const { rateLimit } = this
    if (rateLimit === null) return { headers: null, left: null, refusal: null, bill: null }
    const { cost: costClass, paidByAddress, name } = incoming.operation
    const ipKey = limitKeyOf(ip)
    const now = () => this.exchange.wallNow()
    const apiKey = paidByAddress === true ? null : key
    const own = this.chargeOwn(rateLimit, { ipKey, apiKey }, incoming)
    const billOf = (owed: Charge | null) =>
      new Bill({ rateLimit, cost: costOf(incoming), ipKey, owed, now })
    if (own.ok) {
      const mayBeProtected = costClass === 'cancel' || isDecidedByBody(name)
      return {
        ...rateLimitReply(own),
        refusal: null,
        bill: apiKey !== null && mayBeProtected ? billOf(null) : null,
      }
    }
    const refused = { ...rateLimitReply(own), refusal: rateLimited(own), bill: null }
    if (!this.isProtected(ip, incoming)) return refused
    const cost = costOf(incoming)
    const spare = apiKey === null ? own : rateLimit.charge({ ipKey, apiKey: null }, cost, now())
    if (spare.ok) return { ...rateLimitReply(spare), refusal: null, bill: null }
    const owed = rateLimit.owe(ipKey, cost, now())
    return owed.ok ? { ...rateLimitReply(own), refusal: null, bill: billOf(owed) } : refused
  }

  /** Charges a request. The cost of a batch depends on its body; a caller that cannot pay it still
   *  pays for parsing. */
  private chargeOwn(rateLimit: RateLimit, payer: Payer, incoming: IncomingRequest): Charge {
    const now = this.exchange.wallNow()
    const { name, cost: costClass } = incoming.operation
    if (name !== batchName) return rateLimit.charge(payer, costClass, now)
    const probe = rateLimit.charge(payer, 'cancel', now)
    if (!probe.ok) return probe
    const cost = costOf(incoming)
    return cost === 'cancel' ? probe : rateLimit.charge(payer, cost, now, 'cancel')
  }

  /** Whether the request is protected. The body is parsed only if the request would be refused
   *  otherwise, and only a limited number of times per address. */
  private isProtected(ip: string, { operation, read }: IncomingRequest): boolean {
    const mayLook = () => this.rateLimit?.mayLook(limitKeyOf(ip), this.exchange.wallNow()) !== false
    return (!isDecidedByBody(operation.name) || mayLook()) && isProtected(operation, read)
  }

  /** Validates the request of an operation and runs it. Signatures are checked in parallel. With a
   *  turn, requests are submitted in the order of their arrival. */
  async run(operation: Operation, request: unknown, caller: Caller, turn?: Turn): Promise<unknown> {
    const { bill = null } = caller
    const { manual } = this.exchange
    if (bill === null && manual === null) return this.runUnbilled(operation, request, caller, turn)
    try {
      const reply = await this.runUnbilled(operation, request, caller, turn)
      bill?.served()
      return reply
    } catch (error) {
      bill?.refused(error)
      throw error
    } finally {
      await manual?.workDone()
    }
  }

  private async runUnbilled(
    operation: Operation,
    given: unknown,
    caller: Caller,
    turn?: Turn,
  ): Promise<unknown> {
    const { actor = null } = caller
    const request = actor === null ? given : requestOf(operation, given, actor)
    if (operation.signs !== null) requireOwnerNamed(operation.signs, request)
    requestCheckOf(operation)(request, '')
    const call = this.callOf(operation, request, caller, turn === undefined || turn.alone)
    if (operation.signs === null) {
      await turn?.before
      if (caller.readAt !== undefined) caller.readAt = this.exchange.seq()
      return this.handled(operation, call, turn)
    }
    const untimed = operation.untimed && this.exchange.settings.untimedTexts
    call.signed = await this.signaturesFor(caller).checkSigned({
      type: operation.signs,
      body: request,
      ip: caller.ip,
      ...timesOf(this.exchange, caller),
      untimed,
    })
    await turn?.before
    call.settle(call.signed)
    const reply = this.handled(operation, call, turn)
    // A signed operation has submitted its command before its first await.
    turn?.handedOver()
    return reply
  }

  /** Executes the operation, here or at the leader. */
  private handled(operation: Operation, call: DoorCall, turn: Turn | null = null): unknown {
    const handle = () => operation.handle(call as SignedCall<never>)
    const { leader } = this
    if (leader === null || !isForwarded(operation)) return handle()
    const { request, caller } = call
    const sent = { operation, connection: null, request, ip: caller.ip, turn }
    if (isLeaders(operation)) return leader.ask(sent)
    return this.inPlaceOf(sent, (exchange) => {
      call.exchange = exchange
      return handle()
    })
  }

  /** Does the work of a request that submits one command. At a read node the leader executes the
   *  request instead. */
  inPlaceOf<T>(sent: ToLeader, work: (exchange: Exchange) => T | Promise<T>): T | Promise<T> {
    const { leader, exchange } = this
    if (leader === null) return work(exchange)
    return doneByLeader(exchange, () => leader.ask(sent), work)
  }

  /** Ends or disarms a connection. */
  end(command: EndOfConnection): Promise<unknown> {
    return this.leader?.end(command) ?? this.exchange.submit(command, undefined, true)
  }

  private signaturesFor({ actor = null }: Caller): Signatures {
    return actor === null ? this.signatures : this.unsigned!
  }

  private callOf(
    { refusals }: Pick<Operation, 'refusals'>,
    request: unknown,
    caller: Caller,
    mayPass = false,
  ): DoorCall {
    const exchange = mayPass ? this.priorityExchange : this.exchange
    return new DoorCall(exchange, this.signaturesFor(caller), { request, caller, refusals })
  }

  /** Returns the signer of a body, without side effects. */
  async signer(operation: Signable, request: unknown, caller: Caller): Promise<Signed> {
    requestCheckOf(operation)(request, '')
    const call = this.callOf(operation, request, caller)
    return call.verify(operation.signs, request)
  }
}

/** The properties of an operation that determine its signed text. */
type Signable = Pick<SignedOperation, 'name' | 'http' | 'request' | 'refusals' | 'signs'>

type Incoming = Readonly<{ request: unknown; caller: Caller; refusals: Refusals }>

/** The context of an operation. A class, because one is created for every order. */
class DoorCall {
  exchange: Exchange
  readonly request: never
  readonly caller: Caller
  readonly refusals: Refusals
  signed: Signed | null = null
  private readonly signatures: Signatures

  constructor(exchange: Exchange, signatures: Signatures, { request, caller, refusals }: Incoming) {
    this.exchange = exchange
    this.signatures = signatures
    this.request = request as never
    this.caller = caller
    this.refusals = refusals
  }

  verify(type: SigningType, body: unknown, urgent = false): Promise<Signed> {
    return this.signatures.checkSigned({ ...this.signedRequest(body), type, urgent })
  }

  verifySubaccount(body: unknown): Promise<Signed & Readonly<{ subaccount: string }>> {
    return this.signatures.checkSubaccount(this.signedRequest(body))
  }

  settle({ account: address, proof }: Signed): void {
    const { bill = null } = this.caller
    if (bill === null) return
    const { view } = this.exchange
    const account = view.accounts.idOf(address)
    const agent = proof?.agent ?? null
    // The reserve is not charged if the signer may not act for the account. The operation reports
    // the error.
    if (account === 0) return
    if (agent !== null && view.accounts.agentRefusal(account, proof!, 'any') !== null) return
    bill.verified(agent === null ? `${account}` : `${account} agents`)
  }

  private signedRequest(body: unknown): SignedRequest {
    return { body, ip: this.caller.ip, ...timesOf(this.exchange, this.caller) }
  }
}

/** The times by which a signature is checked. */
function timesOf({ wallNow, manual }: Exchange, { skewMs = 0 }: Caller) {
  const engineNow = manual === null ? null : manual.now() + skewMs
  return { wallNow: wallNow() + skewMs, engineNow }
}
