// Diagnoses damage of a journal at the first invalid position: changed bytes, or a frame that was
// removed, exchanged or inserted. The chain of seals shows that there is damage; the frames around
// the position show its kind.

import { readFileSync } from 'node:fs'
import { decodeFrame, type Frame, findFrame } from '../../journal/frame.ts'
import type { Damage } from '../../journal/journal-fault.ts'

export type FindingKind =
  | 'changed'
  | 'removed'
  | 'swapped'
  | 'inserted'
  | 'rewritten'
  | 'missing'
  /** Sealed records that contradict history, or break an invariant. */
  | 'wrong'

export type Finding = Readonly<{
  kind: FindingKind
  file: string
  /** Offset in bytes; `null` for the file as a whole. */
  offset: number | null
  /** First record that cannot be trusted. */
  seq: number
  what: string
}>

export function diagnose({ file, offset, lastGoodSeq, what }: Damage): Finding {
  const seq = lastGoodSeq + 1
  const at = (kind: FindingKind, text: string): Finding => ({ kind, file, offset, seq, what: text })
  const bytes = readBytes(file)
  if (bytes === null) return at('missing', what)
  if (offset === 0) return at(what.includes('missing') ? 'removed' : 'changed', what)
  const here = decodeFrame(bytes, offset)
  if (here !== undefined) return misplaced(here, bytes, seq, at)
  const next = findFrame(bytes, offset)
  if (next < 0) return at('missing', what)
  const following = decodeFrame(bytes, next)!
  if (following.firstSeq <= seq)
    return at('inserted', `${next - offset} bytes before seq ${seq} are not a frame`)
  const seqs = rangeOf(seq, following.firstSeq - 1)
  return at('changed', `the frame with ${seqs} does not match its seal: bytes of it were changed`)
}

/** Checks for a valid frame at the wrong position. */
function misplaced(
  here: Frame,
  bytes: Buffer,
  seq: number,
  at: (kind: FindingKind, text: string) => Finding,
): Finding {
  if (here.firstSeq > seq) {
    const gone = rangeOf(seq, here.firstSeq - 1)
    const later = frameOf(seq, bytes, here.end)
    return later === undefined
      ? at('removed', `${gone} is not there: what comes next is seq ${here.firstSeq}`)
      : at('swapped', `seq ${here.firstSeq} stands here, and seq ${seq} at byte ${later.start}`)
  }
  if (here.firstSeq < seq)
    return at(
      'inserted',
      `a frame with seq ${here.firstSeq} follows one that ends with seq ${seq - 1}: one of the ` +
        'two was inserted',
    )
  return at(
    'rewritten',
    `the frame with seq ${seq} does not follow the one before it: one of the two was written ` +
      'and sealed again',
  )
}

function frameOf(seq: number, bytes: Buffer, from: number): Frame | undefined {
  for (let at = from; ; ) {
    const frame = decodeFrame(bytes, at)
    if (frame === undefined || frame.firstSeq === seq) return frame
    at = frame.end
  }
}

function rangeOf(first: number, last: number): string {
  return last <= first ? `seq ${first}` : `seq ${first} to ${last}`
}

function readBytes(file: string): Buffer | null {
  try {
    return readFileSync(file)
  } catch {
    // The missing file itself is the finding.
    return null
  }
}
