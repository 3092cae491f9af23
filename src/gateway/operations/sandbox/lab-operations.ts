// Routes of the sandbox that set and report latencies and faults.

import { apiError } from '../../api-error.ts'
import type { Lab } from '../../lab/lab.ts'
import { type Call, type Operation, unsigned } from '../../operation.ts'

const common = { group: 'Sandbox', cost: 'plain', refusals: 'rules', rejects: [] } as const

function labOf({ exchange: { lab } }: Call<unknown>): Lab {
  if (lab !== null) return lab
  throw apiError(
    'MALFORMED_REQUEST',
    'latencies and faults need all connections in one process; start it without gateways',
  )
}

export const labOperations: readonly Operation[] = [
  unsigned({
    ...common,
    name: 'sandbox_get_latency',
    handle: (call) => labOf(call).latencyReport(),
  }),
  unsigned({
    ...common,
    name: 'sandbox_latency',
    handle: (call) => labOf(call).setLatency(call.request),
  }),
  unsigned({
    ...common,
    name: 'sandbox_get_faults',
    handle: (call) => labOf(call).faultReport(),
  }),
  unsigned({
    ...common,
    name: 'sandbox_faults',
    handle: async (call) => {
      const lab = labOf(call)
      lab.setFaults(call.request)
      await lab.begun
      return lab.faultReport()
    },
  }),
]
