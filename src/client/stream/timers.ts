// Timers and random numbers for the stream; tests replace them.

/** Timers and random numbers for a stream. */
export type Timers = Readonly<{
  /** Milliseconds since an arbitrary moment. */
  now(): number
  /** A random number, from 0 to below 1. */
  random(): number
  /** Calls a function after a delay; returns a function that cancels it. */
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
