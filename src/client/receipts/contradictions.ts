// Finds what an exchange cannot have signed honestly: two statements about the same entries of one
// journal that differ. Both together prove that history was changed.

import type { Checkpoint, FrameProof, Receipt } from './documents.ts'
import { ReceiptInvalid, verifyFrame, verifyReceipt } from './verify-receipt.ts'

type Frame = Readonly<{ first_seq: number; count: number; seal: string; root?: string }>
/** What the exchange has signed. */
type Said = Readonly<{
  venue: string
  key: string
  frame: Frame
  checkpoint: Checkpoint | null
  /** The signed request, and its entry. */
  text: Readonly<{ hash: string; seq: number }> | null
}>

/** Returns how a receipt and a later statement of the same exchange contradict each other: a proof
 *  that a command was dropped, moved or changed. Empty if they agree. Throws `ReceiptInvalid` if
 *  one of them is not signed, or they are of different exchanges or keys. */
export async function contradictions(
  receipt: Receipt,
  later: Receipt | FrameProof,
): Promise<readonly string[]> {
  const [one, other] = [await said(receipt), await said(later)]
  if (one.venue !== other.venue) throw new ReceiptInvalid('they are of different exchanges')
  if (one.key !== other.key)
    throw new ReceiptInvalid(
      'they are signed by different keys, so that neither disproves the other',
    )
  const found: string[] = []
  if (!isSame(one.frame, other.frame) && overlap(one.frame, other.frame))
    found.push(`the exchange signed both ${words(one.frame)} and ${words(other.frame)}`)
  for (const [{ frame }, { checkpoint }] of [
    [one, other],
    [other, one],
  ] as const)
    if (checkpoint !== null && isCutBy(frame, checkpoint))
      found.push(`${words(frame)} does not fit the checkpoint of entry ${checkpoint.seq}`)
  if (one.checkpoint !== null && other.checkpoint !== null)
    found.push(...between(one.checkpoint, other.checkpoint))
  if (one.text !== null && one.text.hash === other.text?.hash && one.text.seq !== other.text.seq)
    found.push(`one signed request is both entry ${one.text.seq} and entry ${other.text.seq}`)
  return found
}

async function said(document: Receipt | FrameProof): Promise<Said> {
  const { venue, frame, seq } = document
  if (!('record' in document)) {
    await verifyFrame(document)
    const { checkpoint } = document
    return { venue, key: checkpoint.public_key, frame, checkpoint, text: null }
  }
  const { textHash } = await verifyReceipt(document)
  const text = textHash === null ? null : { hash: textHash, seq }
  const checkpoint = document.inclusion?.checkpoint ?? null
  return { venue, key: document.frame.public_key, frame, checkpoint, text }
}

const endOf = ({ first_seq, count }: Frame) => first_seq + count - 1

function isSame(one: Frame, other: Frame): boolean {
  const { first_seq, count, seal, root } = other
  const isPlace = one.first_seq === first_seq && one.count === count && one.seal === seal
  return isPlace && (one.root === undefined || root === undefined || one.root === root)
}

function overlap(one: Frame, other: Frame): boolean {
  return one.first_seq <= endOf(other) && other.first_seq <= endOf(one)
}

/** Whether the checkpoint begins or ends within the frame, or next to it with another seal. */
function isCutBy(frame: Frame, { first_seq, seq, before, seal }: Checkpoint): boolean {
  const end = endOf(frame)
  if ((seq >= frame.first_seq && seq < end) || (first_seq > frame.first_seq && first_seq <= end))
    return true
  return (seq === end && seal !== frame.seal) || (first_seq === end + 1 && before !== frame.seal)
}

function between(one: Checkpoint, other: Checkpoint): string[] {
  const differ =
    (one.seq === other.seq && one.seal !== other.seal) ||
    (one.seq === other.seq && one.first_seq === other.first_seq && one.root !== other.root) ||
    (one.first_seq === other.seq + 1 && one.before !== other.seal) ||
    (other.first_seq === one.seq + 1 && other.before !== one.seal)
  return differ ? [`the checkpoints of entries ${one.seq} and ${other.seq} do not fit`] : []
}

const words = (frame: Frame) =>
  `a frame of entries ${frame.first_seq} to ${endOf(frame)} with seal ${frame.seal.slice(0, 16)}…` +
  (frame.root === undefined ? '' : ` and root ${frame.root.slice(0, 16)}…`)
