// The kinds of account channels. Events are sent as one frame per command; states are sent after a
// batch that changed them. All frames follow the replies of the batch. No frame is ever skipped:
// the gateway disconnects readers that are too slow.

import type { Sight } from '../../projections/sight.ts'
import type { ChannelName } from '../../protocol/streams/channels.ts'
import {
  commandsOf,
  type Fact,
  type OpenOrderFact,
  type OrderFact,
  type Place,
} from '../accounts/facts.ts'
import { factsSeen } from '../accounts/facts-seen.ts'
import type { AccountPublisher, Owner, Watch } from '../accounts/watch.ts'
import type { Payload, Topic } from '../topic.ts'
import type { AccountChannel, FactMakers } from './channel.ts'

export type Row = Readonly<Record<string, unknown>>
type Kind = Omit<AccountChannel, 'facts' | 'open'>
type SharedType = Exclude<Fact['type'], 'channel'>
type FactOf<T extends SharedType> = Extract<Fact, { type: T }>
type RowOf = (owner: Owner, fact: Fact) => Row | null

/** A channel that sends facts shared with other channels. */
export function factChannel<T extends SharedType>(
  kind: Kind,
  type: T,
  row: (owner: Owner, fact: FactOf<T>) => Row,
): AccountChannel {
  const rowOf: RowOf = (owner, fact) => (fact.type === type ? row(owner, fact as never) : null)
  return { ...kind, facts: {}, open: (topic, watch) => factPublisher(topic, watch, { rowOf }) }
}

/** A channel that sends its own facts. `each`: one frame per row. */
export function ownFactChannel<F>(
  kind: Kind,
  { facts, row, each = false }: OwnFacts<F>,
): AccountChannel {
  const open = (topic: Topic, watch: Watch) => {
    const { channel } = topic.id
    const rowOf: RowOf = (owner, fact) =>
      isOwn<F>(fact, channel) ? row(owner, fact.content, fact) : null
    return factPublisher(topic, watch, { rowOf, each })
  }
  return { ...kind, facts, open }
}

type OwnFacts<F> = Readonly<{
  facts: FactMakers<F>
  row: (owner: Owner, content: F, place: Place) => Row
  each?: boolean
}>

function isOwn<F>(fact: Fact, channel: ChannelName): fact is Extract<Fact, { content: F }> {
  return fact.type === 'channel' && fact.channel === channel
}

/** A channel that sends all open orders first, then their changes. */
export function orderListChannel(
  kind: Kind,
  row: (owner: Owner, fact: OrderFact) => Row,
): AccountChannel {
  const events = factChannel(kind, 'order', row)
  return {
    ...events,
    open: (topic, watch) => ({
      ...events.open(topic, watch),
      snapshot() {
        const owner = watch.owner()
        const rows = factsSeen(watch.openOrders(), sightOf(topic)).map((fact) => row(owner, fact))
        return { data: JSON.stringify(rows), li: watch.place() }
      },
      fillValuesLoaded: () => topic.sendSnapshotToAll(),
    }),
  }
}

/** Minimum interval between two lists. */
const listMs = 50

/** A channel that sends the complete list of open orders each time. Changes within 50 ms share a
 *  frame. */
export function wholeListChannel(
  kind: Kind,
  row: (owner: Owner, fact: OpenOrderFact) => Row,
): AccountChannel {
  const open = (topic: Topic, watch: Watch): AccountPublisher => {
    const sight = sightOf(topic)
    let shown = ''
    let changed = false
    let resting: NodeJS.Timeout | null = null
    const payload = (): Payload => {
      const owner = watch.owner()
      const li = watch.place()
      const rows = factsSeen(watch.openOrders(), sight).map((fact) => row(owner, fact))
      shown = JSON.stringify(rows)
      return { data: JSON.stringify(rows.map((each) => ({ ...each, li }))), li }
    }
    const update = () => {
      if (!changed || resting !== null || !topic.isRead) return
      changed = false
      const before = shown
      const list = payload()
      // Changes that are hidden from this reader leave the list unchanged.
      if (shown === before) return
      topic.hold(list)
      resting = setTimeout(() => {
        resting = null
        update()
      }, listMs).unref()
    }
    return {
      snapshot: payload,
      happened(facts) {
        changed ||= facts.some(({ type }) => type === 'order' || type === 'fill')
      },
      changed: update,
      fillValuesLoaded: () => topic.sendSnapshotToAll(),
    }
  }
  return { ...kind, facts: {}, open }
}

/** A channel that sends its complete current value each time. `stamps`: adds the time and sequence
 *  number to each row, so that two values can be compared. `everyMs`: minimum interval of machine
 *  time. `isOpen`: whether a value may be made now; if not, a later refresh makes it. */
export function stateChannel(
  kind: Kind,
  present: (watch: Watch, sight: Sight) => Row | readonly Row[],
  { stamps, everyMs = 0, isOpen = () => true }: StateOptions,
): AccountChannel {
  const open = (topic: Topic, watch: Watch): AccountPublisher => {
    let shown = ''
    let nextAt = 0
    const sight = sightOf(topic)
    const payload = (now: Row | readonly Row[]): Payload => {
      const li = watch.place()
      return { data: stamps ? stamped(now, watch, li) : shown, li }
    }
    return {
      snapshot() {
        const now = present(watch, sight)
        shown = JSON.stringify(now)
        return payload(now)
      },
      changed() {
        const nowMs = everyMs === 0 ? 0 : performance.now()
        if (!topic.isRead || nowMs < nextAt || !isOpen(nowMs)) return
        nextAt = nowMs + everyMs
        const now = present(watch, sight)
        const text = JSON.stringify(now)
        if (text === shown) return
        shown = text
        topic.hold(payload(now))
      },
    }
  }
  return { ...kind, facts: {}, open }
}

type StateOptions = Readonly<{
  stamps: boolean
  everyMs?: number
  isOpen?: (nowMs: number) => boolean
}>

function stamped(now: Row | readonly Row[], watch: Watch, li: number): string {
  const stamp = { t: watch.owner().view.atMs, li }
  return JSON.stringify(
    Array.isArray(now) ? now.map((row: Row) => ({ ...row, ...stamp })) : { ...now, ...stamp },
  )
}

function sightOf({ id }: Topic): Sight {
  return id.of === 'account' ? id.sight : 'all'
}

function factPublisher(
  topic: Topic,
  watch: Watch,
  { rowOf, each = false }: Readonly<{ rowOf: RowOf; each?: boolean }>,
): AccountPublisher {
  const sight = sightOf(topic)
  /** The payloads for the facts of one command. */
  const payloads = (facts: readonly Fact[], li: number): Payload[] => {
    const owner = watch.owner()
    const rows: Row[] = []
    for (const fact of factsSeen(facts, sight)) {
      const row = rowOf(owner, fact)
      if (row !== null) rows.push(row)
    }
    if (each) return rows.map((row) => ({ data: JSON.stringify(row), li }))
    return rows.length === 0 ? [] : [{ data: JSON.stringify(rows), li }]
  }
  return {
    snapshot: () => null,
    happened(facts, seq) {
      if (!topic.isRead) return
      for (const payload of payloads(facts, seq)) topic.hold(payload)
    },
    replay(facts) {
      const missed: Payload[] = []
      for (const command of commandsOf(facts)) missed.push(...payloads(command, command[0]!.seq))
      return missed
    },
  }
}
