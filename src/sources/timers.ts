// Timers of the sources, as an interface that tests can replace.

export type Timers = Readonly<{
  /** Sets a timer; returns a function that cancels it. */
  after(ms: number, run: () => void): () => void
}>

export const realTimers: Timers = {
  after(ms, run) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}
