// Time and chance, as the stream needs them. Tests bring their own.

/** Time and chance, as a stream needs them. */
export type Timers = Readonly<{
  /** Milliseconds that have passed, since any moment. */
  now(): number
  /** A random number, from 0 to below 1. */
  random(): number
  /** Runs a function later; returns what cancels that. */
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
