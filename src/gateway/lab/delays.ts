// Delays as functions of a random number. Only operations that IEEE 754 rounds exactly are used,
// because `Math.exp` and `Math.log` may differ between processors and versions of Node.

import type { LegSpec } from '../../protocol/schemas/lab/latency.ts'
import { apiError } from '../api-error.ts'
import { chanceMax } from './chance.ts'

/** The delay in microseconds. `chance`: from `chanceOf`. `ms`: time since the plan was set. */
export type Delay = (chance: number, ms: number) => number

export const delayUsMax = 60_000_000
const ln2 = Math.LN2

function expOf(x: number): number {
  const halves = Math.round(x / ln2)
  const rest = x - halves * ln2
  let term = 1
  let sum = 1
  for (let at = 1; at < 24; at++) {
    term = (term * rest) / at
    sum += term
  }
  let result = sum
  for (let at = 0; at < halves; at++) result *= 2
  for (let at = 0; at > halves; at--) result /= 2
  return result
}

function lnOf(x: number): number {
  let halves = 0
  let rest = x
  for (; rest > 1.5; halves++) rest /= 2
  for (; rest < 0.75; halves--) rest *= 2
  const ratio = (rest - 1) / (rest + 1)
  let power = ratio
  let sum = 0
  for (let at = 1; at < 48; at += 2) {
    sum += power / at
    power *= ratio * ratio
  }
  return 2 * sum + halves * ln2
}

const polynomial = (x: number, terms: readonly number[]) =>
  terms.reduce((sum, term) => sum * x + term, 0)

/** Quantile of the normal distribution (P. J. Acklam's approximation, error below 1.2e-9). */
function normalOf(share: number): number {
  if (share > 0.5) return -normalOf(1 - share)
  if (share < 0.02425) {
    const q = Math.sqrt(-2 * lnOf(share))
    return polynomial(q, tailOver) / polynomial(q, tailUnder)
  }
  const q = share - 0.5
  const r = q * q
  return (q * polynomial(r, middleOver)) / polynomial(r, middleUnder)
}
const tailOver = [
  ...[-7.784894002430293e-3, -3.223964580411365e-1, -2.400758277161838],
  ...[-2.549732539343734, 4.374664141464968, 2.938163982698783],
]
const tailUnder = [
  ...[7.784695709041462e-3, 3.224671290700398e-1, 2.445134137142996, 3.754408661907416, 1],
]
const middleOver = [
  ...[-3.969683028665376e1, 2.209460984245205e2, -2.759285104469687e2],
  ...[1.38357751867269e2, -3.066479806614716e1, 2.506628277459239],
]
const middleUnder = [
  ...[-5.447609879822406e1, 1.615858368580409e2, -1.556989798598866e2],
  ...[6.680131188771972e1, -1.328068155288572e1, 1],
]

const normal99 = normalOf(0.99)

/** Quantile of the gamma distribution with mean 1 (Wilson and Hilferty's approximation). */
function gammaOf(shape: number, normal: number): number {
  const ninth = 1 / (9 * shape)
  const root = Math.max(0, 1 - ninth + normal * Math.sqrt(ninth))
  return root * root * root
}

/** Shape at which the median is this share of the 99th percentile. */
function gammaShape(share: number): number {
  let [low, high] = [0.2, 10_000]
  for (let at = 0; at < 60; at++) {
    const shape = Math.sqrt(low * high)
    if (gammaOf(shape, 0) / gammaOf(shape, normal99) < share) low = shape
    else high = shape
  }
  return low
}

type Fields = keyof LegSpec
const fieldsOf: Readonly<Record<string, readonly Fields[]>> = {
  const_us: ['const_us'],
  series: ['series'],
  base_us: ['base_us'],
  uniform: ['jitter', 'base_us', 'p99_us'],
  lognormal: ['jitter', 'base_us', 'p50_us', 'p99_us'],
  gamma: ['jitter', 'base_us', 'p50_us', 'p99_us'],
  quantiles: ['jitter', 'base_us', 'quantiles_us'],
}

/** `where` names the leg in errors. */
export function delayOf(spec: LegSpec, where: string): Delay {
  const refuse = (text: string) => apiError('MALFORMED_REQUEST', `${where}${text}`)
  const given = (Object.keys(spec) as Fields[]).filter((name) => spec[name] != null)
  const kind =
    spec.jitter ?? (['const_us', 'series', 'base_us'] as const).find((n) => spec[n] != null)
  if (kind === undefined)
    throw refuse(' must have const_us, series, or base_us with or without jitter')
  const known = fieldsOf[kind]!
  const other = given.find((name) => !known.includes(name))
  if (other !== undefined)
    throw refuse(`.${other} cannot be combined with ${kind} (allowed fields: ${known.join(', ')})`)
  const base = spec.base_us ?? 0
  const bounded = (delay: number) => Math.min(delayUsMax, Math.max(0, Math.round(delay)))
  if (kind === 'const_us') return () => spec.const_us!
  if (kind === 'base_us') return () => base
  if (kind === 'series') return seriesOf(spec.series!, refuse)
  if (kind === 'quantiles') return quantilesOf(spec.quantiles_us ?? [], base, refuse)
  const { p99_us: p99 } = spec
  if (p99 == null) throw refuse(`.p99_us is missing: ${kind} jitter needs it`)
  if (p99 < base) throw refuse(`.p99_us is ${p99}, below base_us, ${base}`)
  const range = p99 - base
  if (kind === 'uniform') return (chance) => bounded(base + (range * shareOf(chance)) / 0.99)
  const { p50_us: p50 } = spec
  if (p50 != null && (p50 <= base || p50 >= p99))
    throw refuse(`.p50_us is ${p50}, not between base_us, ${base}, and p99_us, ${p99}`)
  const share = p50 == null ? null : (p50 - base) / range
  if (kind === 'lognormal') {
    const sigma = share === null ? 1 : -lnOf(share) / normal99
    return (chance) => bounded(base + range * expOf(sigma * (normalOf(shareOf(chance)) - normal99)))
  }
  const shape = share === null ? 2 : gammaShape(share)
  const scale = range / gammaOf(shape, normal99)
  return (chance) => bounded(base + scale * gammaOf(shape, normalOf(shareOf(chance))))
}

const shareOf = (chance: number) => (chance + 0.5) / chanceMax

type Refuse = (text: string) => Error

function seriesOf(series: NonNullable<LegSpec['series']>, refuse: Refuse): Delay {
  const wrong = series.findIndex(({ t }, at) => at > 0 && t <= series[at - 1]!.t)
  if (wrong >= 0) throw refuse(`.series[${wrong}].t must be later than the one before it`)
  return (_, ms) => series.findLast(({ t }) => t <= ms)?.us ?? 0
}

function quantilesOf(
  points: readonly (readonly [number, number])[],
  base: number,
  refuse: Refuse,
): Delay {
  if (points.length === 0) throw refuse('.quantiles_us is missing: pairs of share and delay')
  const wrong = points.findIndex((point, at) => {
    const [share, delay] = at === 0 ? [-1, base] : points[at - 1]!
    return point[0] <= share || point[1] < delay
  })
  if (wrong >= 0)
    throw refuse(
      `.quantiles_us[${wrong}] must have a larger share than the one before, and no smaller delay`,
    )
  return (chance) => {
    const share = shareOf(chance)
    const at = points.findIndex((point) => share <= point[0])
    if (at < 0) return points.at(-1)![1]
    const [fromShare, from] = at === 0 ? [0, base] : points[at - 1]!
    const [toShare, to] = points[at]!
    if (toShare === fromShare) return to
    return Math.round(from + ((to - from) * (share - fromShare)) / (toShare - fromShare))
  }
}
