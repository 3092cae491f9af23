// Time and chance, as the stream needs them. Tests bring their own.

export type Timers = Readonly<{
  /** Milliseconds. */
  now(): number
  /** From 0 to below 1. */
  random(): number
  /** Runs later; what it gives back calls it off. */
  after(ms: number, run: () => void): () => void
}>

export const realTimers: Timers = {
  now: () => performance.now(),
  random: () => Math.random(),
  after(ms, run) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}
