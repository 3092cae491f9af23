// The lines of an explanation, from a data folder or from a running exchange.

import type { ReplyOf } from '../../protocol/route-schemas.ts'
import {
  agreementText,
  citation,
  happenedHead,
  pendingHead,
} from '../../protocol/text/explanation-text.ts'
import { pairsOf, type Screen } from './screen.ts'

type Reply = Omit<ReplyOf<'explain_order'>, 'agrees'>
export type Explained = {
  readonly [K in keyof Reply]: Reply[K] extends (infer Row)[] ? readonly Readonly<Row>[] : Reply[K]
}

export function explanationLines(
  { title, facts, happened, steps, pending }: Explained,
  screen: Screen,
): string[] {
  const cited = (rule: string | null) =>
    rule === null ? '' : screen.paint('dim', `  ${citation(rule)}`)
  const lines = [screen.paint('bold', title), '', ...pairsOf(Object.entries(facts))]
  if (happened.length > 0) lines.push('', happenedHead)
  for (const { seq, time, what, rule } of happened)
    lines.push(`  seq ${seq}  ${time}  ${what}${cited(rule)}`)
  if (pending.length > 0) lines.push('', pendingHead)
  for (const { what, rule } of pending) lines.push(`  ${what}${cited(rule)}`)
  for (const each of steps) {
    const sign = screen.paint(each.agrees ? 'green' : 'red', agreementText(each))
    lines.push('', `${each.rule}  ${each.formula}  ${screen.paint('dim', each.document)}`)
    for (const line of pairsOf(Object.entries(each.inputs))) lines.push(`  ${line}`)
    lines.push(`  → ${each.result}  ${sign}`)
  }
  return lines
}
