// What can go wrong with a store that several machines share: a stable code, and a sentence that
// says what to do. Every one of them ends a leadership; none makes anything acknowledged untrue.

export type StoreFaultCode =
  /** The connection string is invalid, or no reachable database accepts writes. */
  | 'STORE_UNREACHABLE'
  /** It answers, and does not let us do what we have to. */
  | 'STORE_REFUSED'
  /** What it acknowledges is not on two machines. */
  | 'STORE_NOT_REPLICATED'
  /** It holds another exchange. */
  | 'STORE_OF_ANOTHER'
  /** Its tables are of another version of the program. */
  | 'STORE_VERSION'
  /** What it holds is not what was written. */
  | 'STORE_DAMAGED'
  | 'STORE_FULL'
  /** Another's frame stands where ours was to go: it was not appended, and never will be. */
  | 'CHAIN_MOVED'
  /** What the reader has is not part of the chain. */
  | 'CHAIN_OTHER'
  /** The state here is not the one that the leader had at the same place. */
  | 'STATE_OTHER'
  /** Our lease is over, or another node leads. */
  | 'LEAD_LOST'
  /** It was given back by our own wish. */
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
