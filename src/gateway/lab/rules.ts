// The rules of a plan of faults: when they apply, to what, and with which chance.

import { routes } from '../../protocol/routes.ts'
import {
  type FaultPlan,
  type FaultRule,
  requestFaults,
  streamFaults,
  venueFaults,
} from '../../protocol/schemas/lab/faults.ts'
import { allSources } from '../../protocol/streams/channels.ts'
import { apiError } from '../api-error.ts'
import { chanceMax, chanceOf, Ordinals } from './chance.ts'
import { globOf, type Matches, matcherOf, ownerOf, type Traits } from './matching.ts'

export type RuleKind = 'request' | 'stream' | 'venue'
export type Rule = Readonly<{
  id: string
  at: number
  spec: FaultRule
  kind: RuleKind
  matches: Matches
  /** Milliseconds after the plan was set. */
  beginsMs: number
  lastsMs: number | null
  everyMs: number | null
  jitterMs: number
}>

/** A rule that applies, and to which request or frame. */
export type Fate = Readonly<{ rule: Rule; ordinal: number; chance: number }>

const op = 'orders/*'
const profiles: Readonly<Record<NonNullable<FaultPlan['profile']>, readonly FaultRule[]>> = {
  gentle: [
    { id: 'slow', fault: 'slow', p: 0.02, ms: 250 },
    { id: '503', fault: '503', p: 0.002 },
    { id: 'late', fault: 'late', p: 0.005, ms: 500, channel: '*' },
  ],
  'bad-day': [
    { id: '429', fault: '429', p: 0.01 },
    { id: '503', fault: '503', p: 0.02 },
    { id: 'timeout_done', fault: 'timeout_done', p: 0.01, match: { op } },
    { id: 'timeout_lost', fault: 'timeout_lost', p: 0.01, match: { op } },
    { id: 'reset', fault: 'reset', p: 0.01 },
    { id: 'slow', fault: 'slow', p: 0.05, ms: 2_000 },
    { id: 'gap', fault: 'ws_gap', p: 0.01, channel: '*' },
    { id: 'drop', fault: 'ws_drop', p: 0.002, channel: '*' },
  ],
  incident: [
    { id: 'restart', fault: 'restart', at: '5m' },
    { id: 'stall', fault: 'feed_stall', at: '10m', for: '90s' },
    { id: 'cancel_only', fault: 'cancel_only', at: '12m', for: '3m' },
    { id: '503', fault: '503', p: 0.2, at: '5m', for: '10m' },
    { id: 'timeout_done', fault: 'timeout_done', p: 0.05, at: '5m', for: '10m', match: { op } },
    { id: 'silent', fault: 'silent', p: 0.002, at: '5m', for: '10m', ms: 30_000, channel: '*' },
  ],
}

export class Rules {
  readonly all: readonly Rule[]
  private readonly seed: string | number
  private readonly ordinals = new Ordinals()
  /** How often each rule has applied, by owner. */
  private readonly applied = new Ordinals()

  constructor(plan: FaultPlan, addressOf: (name: string) => string) {
    const { profile, rules, seed } = plan
    if (profile == null && rules == null)
      throw malformed('rules or profile is required; rules [] removes all faults')
    this.seed = seed ?? 1
    const specs = [...(rules ?? []), ...(profile == null ? [] : profiles[profile])]
    this.all = specs.map((spec, at) => ruleOf(spec, at, addressOf))
    const twice = this.all.find(({ id }, at) => this.all.findIndex((rule) => rule.id === id) < at)
    if (twice !== undefined) throw malformed(`rules[${twice.at}].id ${twice.id} is used twice`)
  }

  /** The fault of the next request or frame with these properties; `null` for none. Each rule
   *  counts what it matches, whether it applies or not. */
  fateOf(kind: RuleKind, traits: Traits, ms: number, mayBe: (rule: Rule) => boolean): Fate | null {
    let found: Fate | null = null
    for (const rule of this.all) {
      if (rule.kind !== kind || !mayBe(rule) || !rule.matches(traits)) continue
      const key = `${rule.id} ${ownerOf(traits)}`
      const ordinal = this.ordinals.next(key)
      if (found !== null || !this.isDuring(rule, ms)) continue
      const chance = chanceOf('fault', this.seed, rule.id, traits.account ?? '', ordinal)
      if (chance >= (rule.spec.p ?? 1) * chanceMax) continue
      const { times } = rule.spec
      if (times == null || this.applied.next(key) <= times) found = { rule, ordinal, chance }
    }
    return found
  }

  /** When a rule begins for the n-th time, in milliseconds after the plan was set; `null` for
   *  never. */
  beginOf({ id, beginsMs, everyMs, jitterMs, spec }: Rule, n: number): number | null {
    if (everyMs === null) return n === 0 ? beginsMs : null
    if (isIn(venueFaults, spec.fault) && n >= (spec.times ?? Number.POSITIVE_INFINITY)) return null
    const share = chanceOf('time', this.seed, id, n) / chanceMax
    const first = spec.at == null ? everyMs : beginsMs
    return Math.max(0, Math.round(first + n * everyMs + (2 * share - 1) * jitterMs))
  }

  private isDuring(rule: Rule, ms: number): boolean {
    const { beginsMs, lastsMs, everyMs, jitterMs } = rule
    if (everyMs === null) return ms >= beginsMs && (lastsMs === null || ms < beginsMs + lastsMs)
    const near = Math.floor((ms - beginsMs + jitterMs) / everyMs)
    return [near - 2, near - 1, near].some((n) => {
      const begin = n < 0 ? null : this.beginOf(rule, n)
      return begin !== null && ms >= begin && ms < begin + (lastsMs ?? everyMs)
    })
  }

  restart(): void {
    this.ordinals.clear()
    this.applied.clear()
  }
}

const malformed = (text: string) => apiError('MALFORMED_REQUEST', text)
const paths = Object.values(routes).map(({ http }) => http.slice(http.indexOf('/') + 1))
const isIn = (names: readonly string[], name: string) => names.includes(name)

function ruleOf(spec: FaultRule, at: number, addressOf: (name: string) => string): Rule {
  const where = `rules[${at}]`
  const channel = spec.channel ?? spec.match?.channel ?? null
  const kind = kindOf(spec.fault, channel !== null)
  const refuse = (field: string, text: string) => {
    throw malformed(`${where}.${field} ${text}`)
  }
  if (channel !== null && kind !== 'stream') refuse('channel', `does not go with ${spec.fault}`)
  if (channel !== null && !allSources.some(globOf(channel)))
    refuse('channel', `${channel} matches no channel; there are ${allSources.join(', ')}`)
  const wanted = spec.match?.op ?? null
  if (wanted !== null && kind !== 'request') refuse('match.op', `does not go with ${spec.fault}`)
  if (wanted !== null && !paths.some(globOf(wanted)))
    refuse('match.op', `${wanted} matches no path, such as orders/create or orders/*`)
  if (kind === 'venue' && (spec.match != null || spec.p != null))
    refuse(spec.p == null ? 'match' : 'p', `does not go with ${spec.fault}, which is for all`)
  if (spec.done != null && spec.fault !== 'reset') refuse('done', 'goes with reset')
  if (spec.symbol != null && spec.fault !== 'feed_stall') refuse('symbol', 'goes with feed_stall')
  if (spec.ms != null && !isIn(withMs, spec.fault)) refuse('ms', `goes with ${withMs.join(', ')}`)
  const [every, jitter] = (spec.every ?? '').split('±')
  const everyMs = spec.every == null ? null : durationOf(every!, `${where}.every`)
  const jitterMs = jitter === undefined ? 0 : durationOf(jitter, `${where}.every`)
  if (everyMs !== null && (everyMs < 1_000 || jitterMs * 2 > everyMs))
    refuse('every', `${spec.every} is not at least 1s, with at most half of it after ±`)
  const match = { ...spec.match, channel: channel ?? undefined }
  return {
    id: spec.id ?? `r${at + 1}`,
    ...{ at, spec, kind, everyMs, jitterMs },
    matches: matcherOf(match, addressOf),
    beginsMs: spec.at == null ? 0 : durationOf(spec.at, `${where}.at`),
    lastsMs: spec.for == null ? null : durationOf(spec.for, `${where}.for`),
  }
}

const withMs: readonly string[] = ['slow', 'late', 'timeout_lost', 'timeout_done', 'skew', 'silent']

function kindOf(fault: string, hasChannel: boolean): RuleKind {
  if (isIn(venueFaults, fault)) return 'venue'
  if (isIn(streamFaults, fault) && (hasChannel || !isIn(requestFaults, fault))) return 'stream'
  return 'request'
}

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }

function durationOf(text: string, where: string): number {
  const clock = /^(\d{1,4}):([0-5]\d):([0-5]\d)$/.exec(text)
  if (clock !== null) {
    const [hours, minutes, seconds] = clock.slice(1).map((part) => Number.parseInt(part, 10))
    return ((hours! * 60 + minutes!) * 60 + seconds!) * 1_000
  }
  const [, count, unit] = /^(\d{1,9})(ms|s|m|h)$/.exec(text) ?? []
  if (count === undefined)
    throw malformed(
      `${where} ${JSON.stringify(text)} is not a duration, such as 00:10:00, 90s, 10m or 1h`,
    )
  return Number.parseInt(count, 10) * unitMs[unit!]!
}
