// The delays of each leg, from a plan.

import {
  type LatencyPlan,
  type LegSpec,
  type LineSpec,
  legNames,
} from '../../protocol/schemas/lab/latency.ts'
import { apiError } from '../api-error.ts'
import { chanceOf, Ordinals } from './chance.ts'
import { type Delay, delayOf } from './delays.ts'
import { type Matches, matcherOf, ownerOf, type Traits } from './matching.ts'

export type Leg = (typeof legNames)[number]
type Legs = Readonly<Partial<Record<Leg, LegSpec>>>

const lognormal = (base: number, p50: number, p99: number) =>
  ({ base_us: base, jitter: 'lognormal', p50_us: p50, p99_us: p99 }) as const

/** One way of a packet from a usual place. Writing is as long as reading. */
function placeOf(base: number, p50: number, p99: number): Legs {
  const leg = lognormal(base, p50, p99)
  return Object.fromEntries(legNames.map((name) => [name, leg]))
}

const presets: Readonly<Record<NonNullable<LatencyPlan['preset']>, Legs>> = {
  colo: placeOf(40, 60, 200),
  region: placeOf(800, 1_200, 4_000),
  home: placeOf(12_000, 18_000, 60_000),
  mobile: placeOf(35_000, 60_000, 400_000),
}

type CompiledLine = Readonly<{ matches: Matches; delays: Partial<Record<Leg, Delay>> }>

export class LatencyLines {
  readonly count: number
  private readonly seed: string | number
  private readonly lines: readonly CompiledLine[]
  private readonly ordinals = new Ordinals()

  constructor(plan: LatencyPlan, addressOf: (name: string) => string) {
    const { preset, lines, seed } = plan
    if (preset == null && lines == null)
      throw apiError(
        'MALFORMED_REQUEST',
        'lines or preset is required; lines [] removes all delays',
      )
    const whole: LineSpec[] = preset == null ? [] : [{ preset }]
    this.seed = seed ?? 1
    this.lines = [...(lines ?? []), ...whole].map((line, at) =>
      compiled(line, `lines[${at}]`, addressOf),
    )
    this.count = this.lines.length
  }

  /** Whether frames of channels may be delayed. */
  get delaysFrames(): boolean {
    return this.lines.some(
      ({ delays }) => delays.market !== undefined || delays.private !== undefined,
    )
  }

  /** The delay of the next message of this kind in microseconds; `null` if there is none. `ms`:
   *  time since the plan was set. */
  next(leg: Leg, traits: Traits, ms: number): number | null {
    const at = this.lines.findIndex(
      ({ delays, matches }) => delays[leg] !== undefined && matches(traits),
    )
    if (at < 0) return null
    const of = `${at} ${leg} ${ownerOf(traits)} ${traits.channel ?? ''}`
    const chance = chanceOf(
      'delay',
      this.seed,
      at,
      leg,
      traits.account ?? '',
      traits.channel ?? '',
      this.ordinals.next(of),
    )
    return this.lines[at]!.delays[leg]!(chance, ms)
  }

  restart(): void {
    this.ordinals.clear()
  }
}

function compiled(
  line: LineSpec,
  where: string,
  addressOf: (name: string) => string,
): CompiledLine {
  const legs: Legs = line.preset == null ? {} : presets[line.preset]
  const delays: Partial<Record<Leg, Delay>> = {}
  for (const leg of legNames) {
    const spec = line[leg] ?? legs[leg]
    if (spec !== undefined) delays[leg] = delayOf(spec, `${where}.${leg}`)
  }
  if (Object.keys(delays).length === 0)
    throw apiError(
      'MALFORMED_REQUEST',
      `${where} has no delay; it must have preset or one of ${legNames.join(', ')}`,
    )
  return { matches: matcherOf(line.match ?? {}, addressOf), delays }
}
