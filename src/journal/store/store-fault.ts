// Faults of a store that several machines share: a stable code, and a message that names the
// solution. Each of them ends a leadership; none invalidates anything that was acknowledged.

export type StoreFaultCode =
  /** The connection string is invalid, or no reachable database accepts writes. */
  | 'STORE_UNREACHABLE'
  /** It answers, and refuses a required operation. */
  | 'STORE_REFUSED'
  /** Acknowledged frames are not on two machines. */
  | 'STORE_NOT_REPLICATED'
  /** It holds another exchange. */
  | 'STORE_OF_ANOTHER'
  /** Its tables are of another version of the program. */
  | 'STORE_VERSION'
  /** Its content has changed or is damaged. */
  | 'STORE_DAMAGED'
  | 'STORE_FULL'
  /** Another node's frame has taken the place of ours: ours was not appended, and never will be. */
  | 'CHAIN_MOVED'
  /** The reader's history is not part of the chain. */
  | 'CHAIN_OTHER'
  /** The state here differs from the leader's at the same place. */
  | 'STATE_OTHER'
  /** Our lease is over, or another node leads. */
  | 'LEAD_LOST'
  /** The lease was released voluntarily. */
  | 'LEAD_RETURNED'
  /** The append may have happened or may yet: only the chain can show. */
  | 'FATE_UNKNOWN'

export class StoreFault extends Error {
  override readonly name = 'StoreFault'
  readonly code: StoreFaultCode

  constructor(code: StoreFaultCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}
