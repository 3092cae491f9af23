// Routes of the sandbox that start a second exchange with the state of this one, and end it.

import { apiError } from '../../api-error.ts'
import type { Forks } from '../../forks.ts'
import { type Call, type Operation, unsigned } from '../../operation.ts'
import { sandboxOf } from './sandbox-of.ts'

const group = 'Sandbox'
/** As for `openperp fork --at`. */
const time = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?Z?)?$/

function forksOf(call: Call<unknown>): Forks {
  sandboxOf(call)
  if (call.exchange.forks !== null) return call.exchange.forks
  throw apiError(
    'MALFORMED_REQUEST',
    'an exchange of several processes is forked with openperp fork; start it without gateways',
  )
}

function pointText(at: string | number): string {
  const text = `${at}`
  if (/^[1-9]\d{0,14}$/.test(text) || (time.test(text) && !Number.isNaN(Date.parse(text))))
    return text
  throw apiError(
    'MALFORMED_REQUEST',
    `at ${JSON.stringify(at)} is neither an entry, such as 10713, nor a UTC time, such as ` +
      '2026-11-17T06:25:00Z',
  )
}

const fork = unsigned({
  group,
  name: 'sandbox_fork',
  cost: 'heavy',
  handle(call) {
    const { at } = call.request
    return forksOf(call).begin(at == null ? null : pointText(at))
  },
})

const endFork = unsigned({
  group,
  name: 'sandbox_end_fork',
  notFound: true,
  async handle(call) {
    const { id } = call.request
    if (await forksOf(call).end(id)) return { id }
    throw apiError('NOT_FOUND', 'no fork that runs has this id (fork not found)')
  },
})

export const forkOperations: readonly Operation[] = [fork, endFork]
