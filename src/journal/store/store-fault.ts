// Faults of a store that several machines share: a stable code, and a message that contains the
// solution. Each fault ends the leadership. No fault invalidates acknowledged frames.

export type StoreFaultCode =
  /** The connection string is invalid, or no reachable database accepts writes. */
  | 'STORE_UNREACHABLE'
  /** The database answers, but refuses a required operation. */
  | 'STORE_REFUSED'
  /** Acknowledged frames are not on two machines. */
  | 'STORE_NOT_REPLICATED'
  /** The store belongs to another exchange. */
  | 'STORE_OF_ANOTHER'
  /** The tables were created by another version of the program. */
  | 'STORE_VERSION'
  /** The content of the store has changed or is damaged. */
  | 'STORE_DAMAGED'
  | 'STORE_FULL'
  /** A venue is being moved into the store, or has moved out of it, so no node may lead on it. */
  | 'STORE_MOVING'
  | 'STORE_LEFT'
  /** The store holds something that an adoption would have to replace. */
  | 'STORE_NOT_EMPTY'
  /** Another node's frame has taken the place of our frame, which will never be appended. */
  | 'CHAIN_MOVED'
  /** The reader's history is not part of the chain. */
  | 'CHAIN_OTHER'
  /** The state of this node differs from the leader's state at the same seq. */
  | 'STATE_OTHER'
  /** The lease of this node has ended, or another node leads. */
  | 'LEAD_LOST'
  /** The lease was released voluntarily. */
  | 'LEAD_RETURNED'
  /** The append may have succeeded or may still succeed. Only the chain can show which. */
  | 'FATE_UNKNOWN'

export class StoreFault extends Error {
  override readonly name = 'StoreFault'
  readonly code: StoreFaultCode

  constructor(code: StoreFaultCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}

/** Returns the error as a fault of the store. */
export function asStoreFault(error: unknown): StoreFault {
  if (error instanceof StoreFault) return error
  return new StoreFault('STORE_REFUSED', (error as Error).message, error)
}
