// Assertions: an invariant did not hold, so nothing after it can be trusted. This error is never
// caught to continue; the process stops and a restart replays history.

/** We were wrong. Never the answer to a bad request: those are rejections, and values. */
export class InvariantViolation extends Error {
  override readonly name = 'InvariantViolation'
}

/** For cold code, where the message may be built on every call. */
export function invariant(ok: boolean, message: string): asserts ok {
  if (!ok) throw new InvariantViolation(message)
}

/** For hot code, `if (!ok) broken('ticks', n)`: no text is built unless it is needed. */
export function broken(what: string, n: number): never {
  throw new InvariantViolation(`${what}: ${n}`)
}
