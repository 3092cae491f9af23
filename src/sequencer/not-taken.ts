// Reasons why the sequencer did not accept a command.

import { setTimeout as sleep } from 'node:timers/promises'

/** The queue is full. Nothing was written, and the caller may retry. */
export class Overloaded extends Error {
  override readonly name = 'Overloaded'
  readonly code = 'OVERLOADED'
}

/** In a cluster: no node leads. The command was not sent to any node. */
export class NoLeader extends Error {
  override readonly name = 'NoLeader'
  readonly code = 'NOBODY_LEADS'
}

/** The connection to the executing process was lost, so the outcome is unknown. */
export class AnswerLost extends Error {
  override readonly name = 'AnswerLost'
  readonly code = 'ANSWER_LOST'
}

/** The process that submitted the command runs an older version. Nothing was written. */
export class NodeOutdated extends Error {
  override readonly name = 'NodeOutdated'
  readonly code = 'NODE_OUTDATED'
}

/** The signed request is outside its validity window. Nothing was written. */
export class OutsideWindow extends Error {
  override readonly name = 'OutsideWindow'
  readonly code = 'EXPIRED'
}

const passing = [Overloaded, NoLeader, AnswerLost] as const

const retryMs = { first: 10, most: 1_000 }

/** Retries a command until it is accepted. The command may be applied twice. */
export async function untilTaken(submit: () => Promise<unknown>): Promise<void> {
  for (let waitMs = retryMs.first; ; waitMs = Math.min(2 * waitMs, retryMs.most)) {
    try {
      await submit()
      return
    } catch (error) {
      if (!passing.some((kind) => error instanceof kind)) throw error
      await sleep(waitMs)
    }
  }
}

/** The sequencer accepts no more commands, because it was closed or because of `cause`. */
export class SequencerStopped extends Error {
  override readonly name = 'SequencerStopped'
  readonly code = 'SEQUENCER_STOPPED'
}

export class SnapshotExists extends Error {
  override readonly name = 'SnapshotExists'
  readonly code = 'SNAPSHOT_EXISTS'
}
