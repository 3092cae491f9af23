// Faults of the journal: a stable code, and a message that an operator can act on. The process
// stops at the first fault and never retries.

export type JournalFaultCode =
  /** Writing or syncing failed. The contents of the disk are unknown until the next start reads
   *  them. */
  | 'JOURNAL_WRITE_FAILED'
  | 'JOURNAL_CLOSED'
  /** Acknowledged records are missing or changed. */
  | 'JOURNAL_DAMAGED'
  | 'SNAPSHOT_DAMAGED'
  /** There is a journal without a durable mark, so that a lost end would not be noticed. */
  | 'MARK_MISSING'
  | 'FOLDER_LOCKED'
  /** Another process has taken over the folder. */
  | 'FOLDER_LOST'
  /** The folder was written by another program, or by another version of this one. */
  | 'FORMAT_UNKNOWN'
  /** The folder belongs to a cluster, or cannot become part of one. */
  | 'IN_CLUSTER'

export class JournalFault extends Error {
  override readonly name = 'JournalFault'
  readonly code: JournalFaultCode
  /** Position of the damage; `null` if history is not damaged. */
  readonly damage: Damage | null

  constructor(code: JournalFaultCode, message: string, cause?: unknown, damage?: Damage) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.damage = damage ?? null
  }
}

export type DamagePlace = Readonly<{
  file: string
  offset: number
  /** The last record before the damage. */
  lastGoodSeq: number
}>

export type Damage = DamagePlace & Readonly<{ what: string }>

/** Creates the fault of damaged acknowledged history, with its position and the possible
 *  solutions. */
export function damaged(place: DamagePlace, what: string): JournalFault {
  const { file, offset, lastGoodSeq } = place
  return new JournalFault(
    'JOURNAL_DAMAGED',
    `journal damaged: ${file}, byte ${offset}: ${what}. Nothing was changed. ` +
      'Restore the data folder from a backup. Without one, and only if losing all history after ' +
      `seq ${lastGoodSeq} is acceptable: copy the folder, cut this file to ${offset} bytes ` +
      '(remove it when that is 88 or less), and remove later segments, durable.mark and every ' +
      'snapshot with a higher seq in its name, and start once with --accept-missing-mark.',
    undefined,
    { ...place, what },
  )
}

/** Creates the fault of a missing mark. Without the mark nothing proves that the journal is
 *  complete. */
export function missingMark(file: string, lastSeq: number): JournalFault {
  return new JournalFault(
    'MARK_MISSING',
    `${file} is missing or unreadable, so a lost end of the journal next to it would not be ` +
      `noticed. The journal ends with seq ${lastSeq}. Nothing was changed. Restore the data ` +
      'folder from a backup; or, if that is the last entry that you expect, start once with ' +
      '--accept-missing-mark (OPENPERP_ACCEPT_MISSING_MARK=on).',
  )
}
