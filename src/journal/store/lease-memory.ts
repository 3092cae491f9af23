// What the trading thread and the renewal thread know of each other without a message, because
// either may be busy. Times are in whole ms of the machine's clock. The end of the lease is written
// by the renewal thread only, and progress by the trading thread only.

const cells = 2
const [endsAt, progressAt] = [0, 1]

export class LeaseMemory {
  readonly buffer: SharedArrayBuffer
  private readonly times: BigInt64Array

  constructor(buffer = new SharedArrayBuffer(cells * BigInt64Array.BYTES_PER_ELEMENT)) {
    this.buffer = buffer
    this.times = new BigInt64Array(buffer)
  }

  /** End of the lease; 0 if it has ended or was never taken. */
  get endsAt(): number {
    return Number(Atomics.load(this.times, endsAt))
  }

  /** Rounded down: the lease never appears longer than it is. */
  set endsAt(ms: number) {
    Atomics.store(this.times, endsAt, BigInt(Math.floor(ms)))
  }

  /** When the trading thread last showed that it is not stuck. */
  get progressAt(): number {
    return Number(Atomics.load(this.times, progressAt))
  }

  set progressAt(ms: number) {
    Atomics.store(this.times, progressAt, BigInt(Math.floor(ms)))
  }
}
