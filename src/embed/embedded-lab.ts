// The lab of an embedded exchange, and the checks of its plans.

import { Lab, type LabParts } from '../gateway/lab/lab.ts'
import { closedCheckOf } from '../gateway/operations/body-check.ts'
import { type FaultPlan, faultsBody } from '../protocol/schemas/lab/faults.ts'
import { type LatencyPlan, latencyBody } from '../protocol/schemas/lab/latency.ts'
import type { DirectSequencer } from './direct-sequencer.ts'
import type { ManualClock } from './manual-clock.ts'
import { addressOfName } from './options/named-keys.ts'

type Parts = Pick<LabParts, 'sandbox' | 'connections'> &
  Readonly<{ clock: ManualClock; sequencer: DirectSequencer }>

export function embeddedLab({ sandbox, connections, clock, sequencer }: Parts): Lab {
  return new Lab({
    ...{ isManual: true, sandbox, connections, addressOf: addressOfName },
    engineNow: () => clock.now(),
    submit: (command) => sequencer.submit(command),
    view: () => sequencer.view,
  })
}

export function latencyPlan(given: LatencyPlan | NonNullable<LatencyPlan['preset']>): LatencyPlan {
  const plan = typeof given === 'string' ? { preset: given } : given
  closedCheckOf(latencyBody)(plan, '')
  return plan
}

export function faultPlan(given: FaultPlan | NonNullable<FaultPlan['profile']>): FaultPlan {
  const plan = typeof given === 'string' ? { profile: given } : given
  closedCheckOf(faultsBody)(plan, '')
  return plan
}

/** Time that moves within one call cannot deliver what is due in between. */
export function requireNothingDue(lab: Lab, until: number): void {
  const dueAt = lab.nextDueAt()
  if (dueAt !== null && dueAt <= until)
    throw new Error(
      `something is due at ${new Date(dueAt).toISOString()}, before the new time: use ` +
        'await exchange.elapse(…), which delivers what is due in between',
    )
}
