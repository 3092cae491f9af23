// The clock by which a leader and its gateways know when the lease is over: of the machine, the
// same in every process, never set, and going on while a process is stopped.

const nanosecondsInMs = 1e6

export function machineMs(): number {
  return Number(process.hrtime.bigint()) / nanosecondsInMs
}

/** So that gateways have nearly as long as the leader. */
export const leasePublishedMs = 50
