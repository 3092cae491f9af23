// Timers as the sources use them, so that tests can bring their own.

export type Timers = Readonly<{
  /** Gives a function that takes the timer back. */
  after(ms: number, run: () => void): () => void
}>

export const realTimers: Timers = {
  after(ms, run) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}
