// Assertions: an invariant does not hold, so no later result can be trusted. This error is never
// caught to continue; the process stops, and a restart replays history.

/** A bug in the engine. Never used for a bad request, which gets a rejection value. */
export class InvariantViolation extends Error {
  override readonly name = 'InvariantViolation'
}

/** For cold code, where the message may be built on every call. */
export function invariant(ok: boolean, message: string): asserts ok {
  if (!ok) throw new InvariantViolation(message)
}

/** For hot code, `if (!ok) broken('ticks', n)`: builds no text unless it is needed. */
export function broken(what: string, n: number): never {
  throw new InvariantViolation(`${what}: ${n}`)
}
