// Runs one task at a time, in order of the calls, because a live beat, an advance, a snapshot and a
// revert must not overlap. The queue is bounded.

const waitingMax = 100

export class TooBusy extends Error {
  readonly code = 'TOO_BUSY'
}

export class Mutex {
  private last: Promise<unknown> = Promise.resolve()
  private count = 0

  get isBusy(): boolean {
    return this.count > 0
  }

  /** Runs the task after all previous ones have completed or failed. */
  take<T>(run: () => Promise<T>): Promise<T> {
    if (this.count >= waitingMax) return Promise.reject(new TooBusy('too many sandbox operations'))
    this.count += 1
    const result = this.last.then(run).finally(() => {
      this.count -= 1
    })
    // The caller gets the error. The next task does not depend on it.
    this.last = result.catch(() => undefined)
    return result
  }
}
