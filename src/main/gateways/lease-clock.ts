// The clock by which a leader and its gateways measure the lease: the same in every process of the
// machine, never set, and running while a process is stopped.

const nanosecondsInMs = 1e6

export function machineMs(): number {
  return Number(process.hrtime.bigint()) / nanosecondsInMs
}

/** Short, so that gateways can use nearly all of the lease. */
export const leasePublishedMs = 50
