// Which id of a variant stands for an id of the original. Both apply the same command, and what
// its events create is paired: in the order of the events where the command itself created it,
// below the same parent where an order, stop or algo did, and otherwise by its contents. An id
// without a pair maps to one that never exists, so that a command never reaches another object by
// accident.

import type { Event } from '../../core/index.ts'

/** Ids of one sequence each; orders, stops and algos share one. */
export const idKinds = ['order', 'withdrawal', 'credit', 'changeNumber'] as const
export type IdKind = (typeof idKinds)[number]

/** An id that no exchange reaches. */
export const noSuchId = 2_000_000_000

/** The event of a new order, stop or algo. */
export type MadeOrder = Extract<Event, { type: 'OrderPlaced' | 'StopPlaced' | 'AlgoPlaced' }>

export const isMade = (event: Event): event is MadeOrder =>
  event.type === 'OrderPlaced' || event.type === 'StopPlaced' || event.type === 'AlgoPlaced'

type Made = Readonly<{ kind: IdKind; id: number; key: string; parent: number }>
type Waiting = Readonly<{ olds: number[]; news: number[] }>

const emptyMaps = <T>(make: () => T) =>
  Object.fromEntries(idKinds.map((kind) => [kind, make()])) as Record<IdKind, T>

export class IdMap {
  private readonly news = emptyMaps(() => new Map<number, number>())
  /** The first id that the original created since the histories began to differ. Earlier ids are
   *  the same in both. */
  private readonly firsts = emptyMaps(() => Number.POSITIVE_INFINITY)
  /** By id of the variant, for orders. */
  private readonly olds = new Map<number, number>()
  private readonly waiting = new Map<string, Waiting>()
  /** The newest ids of orders, stops, algos and deferred actions: of the original, and of the
   *  variant. */
  private newest = { old: 0, fresh: 0 }

  of(kind: IdKind, old: number): number {
    // Any other value is refused as in the original.
    if (!Number.isSafeInteger(old)) return old
    return this.news[kind].get(old) ?? (old < this.firsts[kind] ? old : noSuchId)
  }

  /** The id that a batch means if it names an order that it creates itself. Right as long as the
   *  variant does what the original did. */
  foreseen(old: number): number {
    const { newest } = this
    const isOwn = newest.old > 0 && Number.isSafeInteger(old) && old > newest.old
    return isOwn ? newest.fresh + old - newest.old : this.of('order', old)
  }

  copy(): IdMap {
    const copy = new IdMap()
    for (const kind of idKinds)
      for (const [old, made] of this.news[kind]) copy.news[kind].set(old, made)
    Object.assign(copy.firsts, this.firsts)
    copy.newest = { ...this.newest }
    for (const [made, old] of this.olds) copy.olds.set(made, old)
    for (const [key, { olds, news }] of this.waiting)
      copy.waiting.set(key, { olds: [...olds], news: [...news] })
    return copy
  }

  /** Learns from one command of both histories. `names`: an account and a market as texts that are
   *  the same in both. */
  learn(
    original: Readonly<{ events: readonly Event[]; own: readonly Event[]; names: Names }>,
    variant: Readonly<{ events: readonly Event[]; own: readonly Event[]; names: Names }> | null,
  ): void {
    const old = madeBy(original)
    this.newest.old = Math.max(this.newest.old, ...original.events.map(newestIn))
    if (variant !== null)
      this.newest.fresh = Math.max(this.newest.fresh, ...variant.events.map(newestIn))
    for (const { kind, id } of old) this.firsts[kind] = Math.min(this.firsts[kind], id)
    this.add(old, 'olds', (parent) => parent)
    if (variant !== null)
      this.add(madeBy(variant), 'news', (parent) => this.olds.get(parent) ?? this.oldOf(parent))
    // What one command creates itself is paired immediately or never.
    for (const key of this.waiting.keys()) if (key.startsWith('own ')) this.waiting.delete(key)
  }

  /** The parent of an order that exists since before the histories differ. */
  private oldOf(parent: number): number | null {
    return parent < this.firsts.order ? parent : null
  }

  private add(
    made: readonly Made[],
    side: 'olds' | 'news',
    parentOf: (parent: number) => number | null,
  ): void {
    for (const { kind, id, key, parent } of made) {
      const above = parent === 0 ? 0 : parentOf(parent)
      if (above === null) continue
      const place = parent === 0 ? key : `${key} below ${above}`
      const waiting = this.waiting.get(place) ?? { olds: [], news: [] }
      this.waiting.set(place, waiting)
      waiting[side].push(id)
      const [old] = waiting.olds
      const [fresh] = waiting.news
      if (old === undefined || fresh === undefined) continue
      waiting.olds.shift()
      waiting.news.shift()
      if (waiting.olds.length + waiting.news.length === 0) this.waiting.delete(place)
      this.news[kind].set(old, fresh)
      if (kind === 'order') this.olds.set(fresh, old)
    }
  }
}

export type Names = Readonly<{ account(id: number): string; market(id: number): string }>

function madeBy({
  events,
  own,
  names,
}: Readonly<{ events: readonly Event[]; own: readonly Event[]; names: Names }>): readonly Made[] {
  const isOwn = new Set<Event>(own)
  const made: Made[] = []
  let action = 0
  for (const event of events) {
    if (event.type === 'BatchActionStarted') action = event.index + 1
    const found = idOf(event)
    if (found === null) continue
    const { kind, id, parent } = found
    const holder = 'account' in event ? names.account(event.account) : ''
    const key = isOwn.has(event)
      ? `own ${action} ${event.type} ${holder}`
      : `${event.type} ${contentOf(event, names)}`
    made.push({ kind, id, parent, key: parent === 0 ? key : event.type })
  }
  return made
}

/** Deferred actions have ids of the same sequence. */
function newestIn(event: Event): number {
  if (event.type === 'ActionDeferred') return event.action
  const made = idOf(event)
  return made?.kind === 'order' ? made.id : 0
}

function idOf(event: Event): Readonly<{ kind: IdKind; id: number; parent: number }> | null {
  switch (event.type) {
    case 'OrderPlaced':
    case 'StopPlaced':
      return { kind: 'order', id: event.order, parent: event.parent }
    case 'AlgoPlaced':
      return { kind: 'order', id: event.order, parent: 0 }
    case 'WithdrawalRequested':
      return { kind: 'withdrawal', id: event.withdrawal, parent: 0 }
    case 'CreditHeld':
      return { kind: 'credit', id: event.credit, parent: 0 }
    case 'MarketChanged':
      return event.change === 0 ? null : { kind: 'changeNumber', id: event.change, parent: 0 }
    default:
      return null
  }
}

/** An action of a delayed batch creates its stops when it is due, in no command of its own. */
function contentOf(event: Event, { account, market }: Names): string {
  if (event.type === 'OrderPlaced')
    return [
      account(event.account),
      market(event.market),
      event.side,
      event.price,
      event.size,
    ].join()
  if (event.type !== 'StopPlaced') return ''
  const { side, stopPrice, size, limitPrice, clientOrderId } = event
  const holder = [account(event.account), market(event.market)]
  return [...holder, side, stopPrice, size, limitPrice, clientOrderId].join()
}
