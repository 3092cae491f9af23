// Carries out a request with the fate that a plan of faults gives it.

import { type ApiError, apiError } from '../api-error.ts'
import type { Answered, Entry, Faults } from './faults.ts'
import { notDone } from './given-up.ts'
import type { Traits } from './matching.ts'

export type FatedRequest<Answer> = Readonly<{
  traits: Traits
  /** The parameters of the request; throws if they cannot be parsed. */
  read(): unknown
  isRead: boolean
  /** `skewMs`: how far the clock that checks the signature is ahead. */
  perform(skewMs: number): Promise<Answer>
  refuse(error: ApiError): Answer
  /** The answer that the client does not get, because its connection is cut. */
  cut(isReset: boolean): Answer
  describe(answer: Answer): Answered
}>

type Waits = Readonly<{
  /** Time during which a client hears nothing. */
  silence(ms: number): Promise<void>
  /** Time by which an answer is later. */
  later(ms: number): Promise<void>
}>

const defaultMs = { timeout: 30_000, slow: 5_000, skew: 3_600_000 } as const

/** `ms`: time since the plan was set. */
export async function withFate<Answer>(
  request: FatedRequest<Answer>,
  faults: Faults,
  ms: number,
  waits: Waits,
): Promise<Answer> {
  const { traits, perform, refuse, describe } = request
  const body = bodyOf(request)
  const isSigned = body?.signature !== undefined
  const fate = faults.fateOf('request', traits, ms, ({ spec }) => isSigned || spec.fault !== 'skew')
  if (fate === null) return perform(0)
  const { spec, id } = fate.rule
  const entry = faults.record(fate, traits, traits.op ?? '')
  const refused = (name: 'RATE_LIMITED' | 'NOT_READY') => {
    entry.done = false
    entry.venue = 'not carried out'
    const error = apiError(name, `fault ${id} of the plan; ${notDone}`, 1)
    entry.client = `${error.status} ${name}`
    return refuse(error)
  }
  const lose = async (answer: Answer | null, silentMs: number) => {
    faults.lost(entry, body, request.isRead, answer === null ? null : describe(answer))
    if (silentMs > 0) await waits.silence(silentMs)
    faults.missed(entry)
    return request.cut(silentMs === 0)
  }
  switch (spec.fault) {
    case '429':
      return refused('RATE_LIMITED')
    case '503':
      return refused('NOT_READY')
    case 'timeout_lost':
      return lose(null, spec.ms ?? defaultMs.timeout)
    case 'timeout_done':
      return lose(await perform(0), spec.ms ?? defaultMs.timeout)
    case 'reset':
      return lose((spec.done ?? fate.chance % 2 === 0) ? await perform(0) : null, 0)
    case 'slow': {
      const answer = saidBy(entry, await perform(0), describe)
      const slowMs = spec.ms ?? defaultMs.slow
      entry.client += `, ${slowMs} ms later`
      await waits.later(slowMs)
      return answer
    }
    case 'duplicate': {
      const answer = await perform(0)
      faults.repeated(entry, body, [describe(answer), describe(await perform(0))])
      return answer
    }
    default:
      return saidBy(entry, await perform(spec.ms ?? defaultMs.skew), describe)
  }
}

function saidBy<Answer>(
  entry: Entry,
  answer: Answer,
  describe: (answer: Answer) => Answered,
): Answer {
  const { status } = describe(answer)
  entry.done = status < 400
  entry.venue = entry.done ? 'carried out' : `refused: ${status}`
  entry.client = `${status}`
  return answer
}

type Body = Readonly<Record<string, unknown>> | null

/** `null` for a request that cannot be parsed. */
export function bodyOf({ read }: Readonly<{ read(): unknown }>): Body {
  try {
    return Object(read()) as Body
  } catch {
    // The operation reports what is wrong.
    return null
  }
}
