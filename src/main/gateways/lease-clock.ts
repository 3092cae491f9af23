// The clock by which a leader and its gateways measure the lease. All processes of a machine share
// it. It is never set, and keeps running while a process is suspended.

const nanosecondsInMs = 1e6

export function machineMs(): number {
  return Number(process.hrtime.bigint()) / nanosecondsInMs
}

/** Interval in ms, short so that gateways can use nearly all of the lease. */
export const leasePublishedMs = 50
