// The versions of the rules that this program knows, by number.

import { broken } from '../../units/invariant.ts'
import { firstRules } from './first-rules.ts'
import type { RuleBook } from './rule-book.ts'

export const firstVersion = 1

export const ruleBooks: ReadonlyMap<number, RuleBook> = new Map([[firstVersion, firstRules]])

export function rulesOf(version: number): RuleBook {
  return ruleBooks.get(version) ?? broken('the rules have no version', version)
}
