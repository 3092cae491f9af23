// The sources of a world's market: each looks at the price outside with a cadence of its own, what
// it saw arrives later, and it is a little off. They are combined as a venue's feed combines them.

import { combined, type Quotation } from '../../../../src/sources/prices/combined.ts'
import { clockMs } from '../../../../src/sources/prices/observation.ts'
import type { Ears, Heard } from '../../../support/venue/feed.ts'
import type { Random } from '../../differential/random.ts'
import { PricePath } from './price-path.ts'

const MICRO = 1_000_000
const PPM = 1_000_000
const minSources = 2

export type SourcePlan = Readonly<{
  everyMs: number
  latencyMs: number
  /** When its first observation is, in its period. */
  phaseMs: number
  /** Its error: constant, and a new random one up to this much each time. */
  biasPpm: number
  noisePpm: number
}>

/** What sources are like; a world draws one for each of its markets. */
const kinds = {
  /** Three large exchanges. */
  fast: [50, 100, 250],
  usual: [1_000, 50, 100],
  seconds: [1_000, 1_000, 1_000],
  /** Two of one second: both have to agree. */
  pair: [1_000, 1_000],
  /** On the way they disagree by more than 3 %, and there is no price. */
  uneven: [1_000, 50],
  /** Trade feeds of a quiet coin. */
  quiet: [1_000, 2_000, 4_000],
} as const
export type SourceKind = keyof typeof kinds

export const sourceKinds = Object.keys(kinds) as SourceKind[]

/** Of the given kind, or of any. */
export function drawSources(random: Random, given: SourceKind | null): readonly SourcePlan[] {
  const kind = given ?? random.pick(sourceKinds)
  const noisePpm = random.pick([0, 50, 200])
  const latencyMs = random.pick([20, 50, 100, 250, 500])
  return kinds[kind].map((everyMs) => ({
    everyMs,
    latencyMs: Math.ceil((latencyMs * random.between(50, 150)) / 100),
    phaseMs: random.below(everyMs),
    biasPpm: random.between(-noisePpm, noisePpm),
    noisePpm,
  }))
}

/** With a chosen phase, and exact. */
export function plainSources(kind: SourceKind, phase: number): readonly SourcePlan[] {
  return kinds[kind].map((everyMs, at) => ({
    everyMs,
    latencyMs: 50,
    phaseMs: Math.floor(everyMs * ((phase + at / 3) % 1)),
    biasPpm: 0,
    noisePpm: 0,
  }))
}

export class Sources implements Ears {
  readonly plans: readonly SourcePlan[]
  private readonly path: PricePath
  /** By source: it says nothing until then. */
  private readonly mutedUntil: number[]
  /** By source: how far off a lie is, and until when. */
  private readonly lies: { ppm: number; until: number }[]
  private startedAt = 0

  constructor(plans: readonly SourcePlan[], price: number) {
    this.plans = plans
    this.path = new PricePath(price)
    this.mutedUntil = plans.map(() => 0)
    this.lies = plans.map(() => ({ ppm: 0, until: 0 }))
  }

  moved(price: number, now: number): void {
    this.path.move(price, now)
  }

  /** What was on its way to the process of before is lost. */
  restarted(now: number): void {
    this.startedAt = now
  }

  mute(source: number, until: number): void {
    this.mutedUntil[source % this.plans.length] = until
  }

  /** One source of several lies. */
  lie(source: number, ppm: number, until: number): void {
    this.lies[source % this.plans.length] = { ppm, until }
  }

  clear(): void {
    this.mutedUntil.fill(0)
    for (const lie of this.lies) lie.until = 0
  }

  nextAt(now: number): number {
    let next = Number.POSITIVE_INFINITY
    for (const { everyMs, latencyMs, phaseMs } of this.plans) {
      const shift = phaseMs + latencyMs
      next = Math.min(next, (Math.floor((now - shift) / everyMs) + 1) * everyMs + shift)
    }
    return next
  }

  heard(now: number): Heard | null {
    const all = this.plans.map((_, at) => this.newest(at, now)).filter((one) => one !== null)
    return combined(all, now, minSources)
  }

  /** The newest observation that has arrived. */
  private newest(source: number, now: number): Quotation | null {
    const { everyMs, latencyMs, phaseMs, biasPpm, noisePpm } = this.plans[source]!
    if (now < this.mutedUntil[source]!) return null
    const number = Math.floor((now - latencyMs - phaseMs) / everyMs)
    const at = number * everyMs + phaseMs
    if (at + latencyMs < this.startedAt) return null
    const lie = this.lies[source]!
    const off = biasPpm + noiseOf(number, source) * noisePpm + (at < lie.until ? lie.ppm : 0)
    const price = Math.round(this.path.at(at) * (1 + off / PPM) * MICRO)
    return { price, weight: 1, receivedAt: at + latencyMs, observedAt: at - clockMs }
  }
}

/** From −1 to 1, the same for the same observation. */
function noiseOf(number: number, source: number): number {
  let bits = Math.imul((number % 0x7fffffff) ^ (source * 0x9e3779b9), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return ((bits ^ (bits >>> 16)) >>> 0) / 2_147_483_648 - 1
}
