// What the key of an exchange signs about its history, and the trees below it. A frame is a batch
// of commands that became durable together. Its tree has a leaf for each command, with a salt that
// only the owner of the command gets. The tree of a checkpoint has a leaf for each frame since the
// checkpoint before it. Makers and verifiers share these functions, and hash by themselves.

export type FrameText = Readonly<{
  first_seq: number
  count: number
  /** Chained checksum of the journal up to and including the frame. */
  seal: string
}>

export type CheckpointText = Readonly<{
  first_seq: number
  seq: number
  /** Seal of the frame before `first_seq`. */
  before: string
  seal: string
  frames: number
  root: string
  time: number
  state_seq: number | null
  state_hash: string | null
}>

/** The text that is signed for a frame. */
export function frameText(venue: string, root: string, frame: FrameText): string {
  const { first_seq, count, seal } = frame
  return ['openperp frame 1', venue, first_seq, count, seal, root].join('\n')
}

/** The text that is signed for a checkpoint. */
export function checkpointText(venue: string, checkpoint: CheckpointText): string {
  const { first_seq, seq, before, seal, frames, root, time, state_seq, state_hash } = checkpoint
  const fields = [first_seq, seq, before, seal, frames, root, time, state_seq, state_hash]
  return ['openperp checkpoint 1', venue, ...fields.map((field) => field ?? '-')].join('\n')
}

const LEAF = 0
const NODE = 1

/** What the leaf of a command hashes. */
export const commandLeaf = (salt: Uint8Array, record: Uint8Array): Uint8Array =>
  joined(LEAF, salt, record)

/** What the leaf of a frame hashes. */
export function frameLeaf({ first_seq, count, seal }: FrameText): Uint8Array {
  return joined(LEAF, new TextEncoder().encode(`${first_seq} ${count} ${seal}`))
}

/** What a node over two others hashes. */
export const nodeOver = (left: Uint8Array, right: Uint8Array): Uint8Array =>
  joined(NODE, left, right)

/** Where the siblings stand, from a leaf to the root of a tree with this many leaves. A node
 *  without a sibling is copied to the next level. */
export function siblingSides(index: number, leaves: number): readonly ('left' | 'right')[] {
  const sides: ('left' | 'right')[] = []
  for (let at = index, size = leaves; size > 1; at = at >>> 1, size = Math.ceil(size / 2))
    if (at % 2 === 1) sides.push('left')
    else if (at + 1 < size) sides.push('right')
  return sides
}

function joined(kind: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 1))
  bytes[0] = kind
  let at = 1
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
