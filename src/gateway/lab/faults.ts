// The faults of a plan: which request or frame has one, the ledger, and what clients believe.

import { createHash } from 'node:crypto'
import type { FaultPlan, FaultReport } from '../../protocol/schemas/lab/faults.ts'
import { channelOfSource, type Declaration, declared } from '../../protocol/streams/channels.ts'
import { ownerOf, type Traits } from './matching.ts'
import { type Fate, type Rule, type RuleKind, Rules } from './rules.ts'
import { type Difference, type Facts, orderFacts, Truths } from './truths.ts'

type Row = FaultReport['faults'][number]
export type Entry = { -readonly [F in keyof Row]: Row[F] } & {
  readonly order: number
  readonly owner: string
  /** Whether the request was carried out; part of the digest. */
  done: boolean | null
}

export type Answered = Readonly<{ status: number; body: unknown }>
type Body = Readonly<Record<string, unknown>> | null
type RequestTraits = Pick<Traits, 'account' | 'op'> & Readonly<{ isRead: boolean }>
type Unanswered = Readonly<{
  account: string | null
  subject: string
  signature: unknown
  group: string
  orders: readonly string[]
}>

/** A frame of a channel, parsed. */
export type Message = Readonly<{
  channel: string
  data: unknown
  li: number
  prev: number | null
}>

/** How a frame is missing: its connection was cut, or says nothing any more, or a checksum shows
 *  that something is wrong; `null` if it is only missing. */
type How = 'seen' | 'silent' | 'checksum' | null

const entriesMax = 10_000
export const noFaults: FaultReport = {
  ...{ rules: 0, count: 0, digest: '', faults: [], differences: [] },
}

/** Reads that show what a channel of events has missed. */
const readOf: Readonly<Record<string, string>> = {
  account_trades: 'trades/history',
  user_trade_history: 'trades/history',
  userTrades: 'trades/history',
  trades: 'trades',
}

export class Faults {
  rules: Rules
  readonly truths: Truths
  private readonly now: () => number
  private entries: Entry[] = []
  private count = 0
  private unanswered: Unanswered[] = []
  /** The last fault that cut or silenced a connection, by account. */
  private readonly cuts = new Map<string | null, Entry>()

  constructor(plan: FaultPlan, addressOf: (name: string) => string, now: () => number) {
    this.rules = new Rules(plan, addressOf)
    this.truths = new Truths(now)
    this.now = now
  }

  fateOf(kind: RuleKind, traits: Traits, ms: number, mayBe: (rule: Rule) => boolean): Fate | null {
    return this.rules.fateOf(kind, traits, ms, mayBe)
  }

  record({ rule, ordinal }: Pick<Fate, 'rule' | 'ordinal'>, traits: Traits | null, target: string) {
    const entry: Entry = {
      ...{ n: ++this.count, rule: rule.id, fault: rule.spec.fault, ordinal, target },
      ...{ account: traits?.account ?? null, at: this.now(), venue: '', client: '' },
      ...{ order: rule.at, owner: traits === null ? '' : ownerOf(traits), done: null },
    }
    this.entries.push(entry)
    if (this.entries.length > entriesMax) this.entries.shift()
    return entry
  }

  /** The answer of a request is lost. `answered`: `null` if it was not carried out. */
  lost(entry: Entry, body: Body, isRead: boolean, answered: Answered | null): void {
    const { account, n, target } = entry
    entry.done = answered !== null
    entry.venue = answered === null ? 'not carried out' : outcomeOf(answered)
    entry.client = entry.fault === 'reset' ? 'connection reset' : 'no answer'
    if (isRead) return
    const facts = answered === null ? new Map<string, string>() : factsOf(target, body, answered)
    const orders = [...facts.keys()]
    const subject = `request ${n} ${target}`
    const known = entry.fault === 'reset'
    this.truths.withheld(account, new Map([...facts, [subject, entry.venue]]), n, known)
    const group = groupOf(target)
    this.unanswered.push({ account, subject, signature: body?.signature, group, orders })
    if (this.unanswered.length > entriesMax) this.unanswered.shift()
  }

  /** A second execution of a request, of which the client does not learn. */
  repeated(entry: Entry, body: Body, [first, second]: readonly [Answered, Answered]): void {
    entry.done = true
    entry.venue = `carried out twice: ${outcomeOf(first)}; ${outcomeOf(second)}`
    entry.client = `${first.status}`
    const known = factsOf(entry.target, body, first)
    const facts = [...factsOf(entry.target, body, second)].filter(
      ([subject]) => !known.has(subject),
    )
    this.truths.withheld(entry.account, new Map(facts), entry.n)
  }

  /** A client could notice that this request has no answer. */
  missed({ account, n, target }: Entry): void {
    this.truths.noticed(account, ({ subject }) => subject === `request ${n} ${target}`, false)
  }

  /** An answer was delivered. */
  answered({ account, op: path, isRead }: RequestTraits, body: Body, answered: Answered): void {
    if (answered.status < 200 || answered.status >= 400) return
    const op = path ?? ''
    const facts = factsOf(op, body, answered)
    this.truths.delivered(account, facts)
    const signature = body?.signature
    this.endUnanswered(account, (each) => {
      const isAgain = signature !== undefined && signature === each.signature
      return (
        isAgain ||
        (isRead && each.group === groupOf(op)) ||
        each.orders.some((order) => facts.has(order))
      )
    })
    if (!isRead) return
    const isMeant = ({ cause, subject }: Difference) =>
      op === readOf[this.targetOf(cause)] ||
      // The list of open orders is complete: what is not in it is not open.
      (op === 'orders' && subject.startsWith('order ') && !facts.has(subject))
    this.truths.noticed(account, isMeant, true)
    if (op !== 'orders') return
    const closed = this.truths.believedOpen(account).filter((id) => !facts.has(`order ${id}`))
    this.truths.delivered(account, new Map(closed.map((id) => [`order ${id}`, 'not open'])))
  }

  private endUnanswered(account: string | null, isEnd: (each: Unanswered) => boolean): void {
    const isEnded = (each: Unanswered) => each.account === account && isEnd(each)
    const ended = new Set(this.unanswered.filter(isEnded).map(({ subject }) => subject))
    if (ended.size === 0) return
    this.unanswered = this.unanswered.filter((each) => !isEnded(each))
    this.truths.noticed(account, ({ subject }) => ended.has(subject), true)
  }

  /** A frame was not delivered. `cut`: its connection ended, or says nothing any more. */
  frameLost(entry: Entry, account: string | null, message: Message, how: How) {
    if (how === 'seen' || how === 'silent') this.cuts.set(account, entry)
    this.truths.withheld(
      account,
      frameFacts(message),
      entry.n,
      how === 'seen' || how === 'checksum',
    )
  }

  /** A frame of a connection that says nothing was not delivered. */
  frameSilenced(account: string | null, message: Message): void {
    const cause = this.cuts.get(account)
    if (cause !== undefined) this.truths.withheld(account, frameFacts(message), cause.n)
  }

  /** A frame was delivered. */
  frameArrived(account: string | null, message: Message): void {
    const { channel, data, prev } = message
    const declaration: Declaration | undefined = declarationOf(channel)
    const isPart =
      declaration?.inParts === true && (data as { prev?: unknown } | null)?.prev != null
    const facts = frameFacts(message)
    if (!isPart) this.truths.delivered(account, facts)
    this.endUnanswered(account, ({ orders }) => orders.some((order) => facts.has(order)))
    const isMeant = ({ cause }: { cause: number }) => this.targetOf(cause) === channel
    this.truths.noticed(account, isMeant, declaration?.sends !== 'events' && prev === null)
  }

  /** Ends the rules. What clients believe is followed on, for the report. */
  end(): void {
    this.rules = new Rules({ rules: [] }, String)
  }

  get isOver(): boolean {
    return this.rules.all.length === 0
  }

  restart(): void {
    this.rules.restart()
    this.truths.clear()
    this.cuts.clear()
    this.entries = []
    this.unanswered = []
    this.count = 0
  }

  /** `isOpen`: whether an order is open at the exchange. */
  report(isOpen: (order: number) => boolean): FaultReport {
    const sorted = this.entries.toSorted(
      (a, b) =>
        a.order - b.order ||
        (a.owner < b.owner ? -1 : a.owner > b.owner ? 1 : 0) ||
        a.ordinal - b.ordinal,
    )
    const digest = createHash('sha256')
    for (const { rule, fault, account, ordinal, target, done } of sorted)
      digest.update(JSON.stringify([rule, fault, account, ordinal, target, done]))
    return {
      rules: this.rules.all.length,
      count: this.count,
      digest: digest.digest('base64url'),
      faults: sorted.map(({ order: _, owner: __, done: ___, ...row }) => row),
      differences: [...this.truths.rows(), ...this.sinceCuts(isOpen)],
    }
  }

  /** Orders that are believed to be open by accounts whose connection was cut. */
  private sinceCuts(isOpen: (order: number) => boolean): FaultReport['differences'] {
    const known = new Set(
      this.truths
        .rows()
        .flatMap((row) => (row.until === null ? `${row.account} ${row.subject}` : [])),
    )
    return [...this.cuts].flatMap(([account, { n, at }]) =>
      this.truths
        .believedOpen(account)
        .filter((id) => !isOpen(id) && !known.has(`${account} order ${id}`))
        .map((id) => ({
          ...{ account, subject: `order ${id}`, client: 'open', venue: 'not open' },
          ...{ cause: n, since: at, known_from: at, until: null },
        })),
    )
  }

  private targetOf(cause: number): string {
    return this.entries.find(({ n }) => n === cause)?.target ?? ''
  }
}

function outcomeOf({ status, body }: Answered): string {
  if (status >= 400) return `refused: ${status}`
  const orders = [...orderFacts(body)].map(([subject, text]) => `${subject} ${text}`)
  return ['carried out', ...orders].join(', ')
}

/** What an answer says about orders. */
function factsOf(op: string, body: Body, { status, body: answer }: Answered): Map<string, string> {
  const facts = status < 400 ? orderFacts(answer) : new Map<string, string>()
  if (status < 400 && op === 'orders/cancel' && typeof body?.order_id === 'number')
    facts.set(`order ${body.order_id}`, 'cancelled')
  return facts
}

const groupOf = (op: string) => op.split('/')[0]!

function declarationOf(source: string): Declaration | undefined {
  const channel = channelOfSource(source)
  return channel === undefined ? undefined : declared[channel]
}

/** What a frame says: about orders, or the place that its channel has reached. */
function frameFacts({ channel, data, li }: Message): Facts {
  const facts = channel === 'account_order_updates' ? orderFacts(data) : new Map<string, string>()
  if (facts.size > 0) return facts
  const { s } = Object(Array.isArray(data) ? data[0] : data) as { s?: unknown }
  const isEvents = declarationOf(channel)?.sends === 'events'
  const of = isEvents ? ` frame ${li}` : typeof s === 'string' && !isList(channel) ? ` ${s}` : ''
  return new Map([[`${channel}${of}`, `as of ${li}`]])
}

/** Whether the channel covers many markets or the whole account, so that its frames cannot be
 *  attributed to one symbol. */
const isList = (channel: string) => ['all', 'account'].includes(declarationOf(channel)?.of ?? '')
