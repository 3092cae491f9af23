// Amounts that operators handled without a second operator on the current UTC day (ACCT-8,
// ACCT-10): what each made payable, what each credited, and what was credited to each owner.
// Bounded: operators by `limits.operatorsCounted`, owners by the number of accounts. Reading
// changes nothing.

import { broken } from '../../units/invariant.ts'
import { limits } from '../rules/limits.ts'

type Kind = 'approved' | 'credited'

export class AloneToday {
  /** The UTC day of the sums below. */
  day = -1
  /** By operator name. */
  readonly approved = new Map<string, number>()
  readonly credited = new Map<string, number>()
  /** Credits, by main account. */
  readonly owners = new Map<number, number>()

  get isEmpty(): boolean {
    return this.approved.size === 0 && this.credited.size === 0
  }

  /** The operator's sum on this day. Infinite for a name that can no longer be counted. */
  of(kind: Kind, day: number, name: string): number {
    if (this.day !== day) return 0
    const sum = this[kind].get(name)
    if (sum === undefined && this[kind].size >= limits.operatorsCounted)
      return Number.POSITIVE_INFINITY
    return sum ?? 0
  }

  ofOwner(day: number, owner: number): number {
    return this.day === day ? (this.owners.get(owner) ?? 0) : 0
  }

  approve(day: number, name: string, amount: number): void {
    this.add('approved', day, name, amount)
  }

  credit(day: number, name: string, owner: number, amount: number): void {
    this.add('credited', day, name, amount)
    this.owners.set(owner, sumOf(this.ofOwner(day, owner), amount))
  }

  private add(kind: Kind, day: number, name: string, amount: number): void {
    if (!(amount > 0)) broken('an operator counts for no money', amount)
    if (this.day !== day) {
      this.day = day
      this.approved.clear()
      this.credited.clear()
      this.owners.clear()
    }
    const sum = this.of(kind, day, name)
    if (sum !== Number.POSITIVE_INFINITY) this[kind].set(name, sumOf(sum, amount))
  }
}

/** Capped, because the same money may be moved all day, and above every limit the exact sum does
 *  not matter. */
const sumOf = (sum: number, amount: number): number =>
  Math.min(sum + amount, Number.MAX_SAFE_INTEGER)
