// Orders and stops that end at a time of their own (ORDER-14): a heap by (time, id). Each entry
// knows its place, so that what ends before its time leaves the heap at once, and nothing piles up.

export type Expiry = Readonly<{ id: number; at: number }>

type Entry = { readonly id: number; readonly at: number; place: number }

function isBefore(one: Entry, other: Entry): boolean {
  return one.at !== other.at ? one.at < other.at : one.id < other.id
}

export class ExpiryQueue {
  private readonly entries: Entry[] = []
  private readonly byId = new Map<number, Entry>()

  get size(): number {
    return this.entries.length
  }

  /** Whatever ends next. */
  first(): Expiry | undefined {
    return this.entries[0]
  }

  /** When this order or stop ends; only of one that does. */
  timeOf(id: number): number {
    return this.byId.get(id)!.at
  }

  add(id: number, at: number): void {
    const entry = { id, at, place: this.entries.length }
    this.entries.push(entry)
    this.byId.set(id, entry)
    this.rise(entry)
  }

  delete(id: number): void {
    const { place } = this.byId.get(id)!
    this.byId.delete(id)
    const last = this.entries.pop()!
    if (last.id === id) return
    this.put(last, place)
    this.rise(last)
    this.sink(last)
  }

  /** By rising id. */
  all(): Expiry[] {
    return [...this.entries].sort((one, other) => one.id - other.id)
  }

  private rise(entry: Entry): void {
    while (entry.place > 0) {
      const above = this.entries[(entry.place - 1) >> 1]!
      if (!isBefore(entry, above)) return
      this.swap(entry, above)
    }
  }

  private sink(entry: Entry): void {
    const { entries } = this
    for (;;) {
      let below = 2 * entry.place + 1
      if (below >= entries.length) return
      if (below + 1 < entries.length && isBefore(entries[below + 1]!, entries[below]!)) below += 1
      if (!isBefore(entries[below]!, entry)) return
      this.swap(entry, entries[below]!)
    }
  }

  private swap(one: Entry, other: Entry): void {
    const { place } = one
    this.put(one, other.place)
    this.put(other, place)
  }

  private put(entry: Entry, place: number): void {
    this.entries[place] = entry
    entry.place = place
  }
}
