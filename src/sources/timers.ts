// Timers of the sources, as a port for tests.

export type Timers = Readonly<{
  /** Returns a function that cancels the timer. */
  after(ms: number, run: () => void): () => void
}>

export const realTimers: Timers = {
  after(ms, run) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}
