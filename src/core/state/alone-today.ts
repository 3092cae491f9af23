// What operators did alone, without a second one, on the present UTC day (ACCT-8, ACCT-10): what
// each made payable, what each credited, and what was credited to each owner. Bounded: operators by
// `limits.operatorsCounted`, owners by the accounts that exist. Reading changes nothing.

import { broken } from '../../units/invariant.ts'
import { limits } from '../rules/limits.ts'

type Kind = 'approved' | 'credited'

export class AloneToday {
  /** The UTC day of the sums below. */
  day = -1
  /** By the name of the operator. */
  readonly approved = new Map<string, number>()
  readonly credited = new Map<string, number>()
  /** Credits, by main account. */
  readonly owners = new Map<number, number>()

  get isEmpty(): boolean {
    return this.approved.size === 0 && this.credited.size === 0
  }

  /** The operator's sum on this day; infinite for a name that cannot be counted any more. */
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

/** The same money may come and go all day; above every limit more or less is the same. */
const sumOf = (sum: number, amount: number): number =>
  Math.min(sum + amount, Number.MAX_SAFE_INTEGER)
