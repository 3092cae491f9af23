// The clock by which leases are measured. All threads and processes of a machine share it. It is
// never set, and keeps running while a process is suspended.

const nanosecondsInMs = 1e6

export function machineMs(): number {
  return Number(process.hrtime.bigint()) / nanosecondsInMs
}
