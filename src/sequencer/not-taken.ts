// Why the sequencer did not take something.

/** More is waiting than can be served soon. Nothing was written; trying later is fine. */
export class Overloaded extends Error {
  override readonly name = 'Overloaded'
  readonly code = 'OVERLOADED'
}

/** The sequencer takes nothing more, because it was closed or because of `cause`. */
export class SequencerStopped extends Error {
  override readonly name = 'SequencerStopped'
  readonly code = 'SEQUENCER_STOPPED'
}

export class SnapshotExists extends Error {
  override readonly name = 'SnapshotExists'
  readonly code = 'SNAPSHOT_EXISTS'
}
