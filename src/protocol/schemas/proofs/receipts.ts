// Receipts: what the exchange signs about its history.

import { address, timeMs } from '../field-types.ts'
import { limitOf } from '../lists.ts'
import { type Static, Type } from '../typebox.ts'

const hash = (description: string) =>
  Type.String({ pattern: '^[0-9a-f]{64}$', description: `${description}, hexadecimal` })
const integer = (description: string) => Type.Integer({ minimum: 0, description })
const orNull = <T extends ReturnType<typeof Type.Integer | typeof Type.String>>(
  type: T,
  description: string,
) => Type.Union([type, Type.Null()], { description })
const signature = Type.String({
  pattern: '^[0-9a-f]{128}$',
  description: 'Ed25519 signature by public_key, hexadecimal',
})
const publicKey = hash('Public key of the exchange')
const venue = Type.String({ description: 'Id of the exchange, as in GET /info/venue' })
const path = (of: string) =>
  Type.Array(hash('A sibling'), { description: `Siblings from ${of} up to the root` })

export const checkpoint = Type.Object({
  first_seq: integer('First journal entry that the checkpoint covers'),
  seq: integer('Last journal entry that the checkpoint covers'),
  before: hash('Seal of the journal before first_seq'),
  seal: hash('Seal of the journal at seq: a hash over all history up to there'),
  frames: integer('Number of frames that the checkpoint covers'),
  root: hash('Root of the tree of these frames'),
  time: timeMs('Time at which the checkpoint was made, by the clock of the machine'),
  state_seq: orNull(
    Type.Integer(),
    'Entry of the state whose hash follows; null if none is available',
  ),
  state_hash: orNull(Type.String(), 'Hash of the state after state_seq'),
  public_key: publicKey,
  signature,
})

const frame = {
  first_seq: integer('First entry of the frame'),
  count: integer('Number of entries in the frame'),
  seal: hash('Seal of the journal at the end of the frame'),
}

const inclusion = {
  index: integer('Place of the frame among those of the checkpoint, from 0'),
  path: path('the frame'),
  checkpoint,
}

export const checkpointsQuery = Type.Object({
  limit: limitOf({ maximum: 1_000, default: 10, rows: 'checkpoints' }),
})

export const checkpointsReply = Type.Object({
  venue,
  public_key: publicKey,
  checkpoints: Type.Array(checkpoint, { description: 'Newest first' }),
})

const seq = Type.Integer({
  minimum: 1,
  description: 'Entry of the journal, as in the reply header openperp-seq',
})

export const frameQuery = Type.Object({ seq })

const frameProof = Type.Object({ venue, seq, frame: Type.Object(frame), ...inclusion })

export const frameReply = Type.Union([frameProof, Type.Null()], {
  description: 'Null if no checkpoint covers the entry',
})

export const receiptQuery = Type.Object({ seq, account: address('Account that sent the command') })

export const receiptReply = Type.Object({
  venue,
  seq,
  record: Type.String({ description: 'The command as recorded in the journal, hexadecimal' }),
  salt: hash('Salt of the leaf, shown to the owner only'),
  path: path('the command'),
  frame: Type.Object({
    ...frame,
    root: hash("Root of the tree of the frame's commands"),
    public_key: publicKey,
    signature,
  }),
  inclusion: Type.Union([Type.Object(inclusion), Type.Null()], {
    description:
      'Proof of the frame in a checkpoint; null if only the next checkpoint will cover it',
  }),
})

export type Checkpoint = Static<typeof checkpoint>
export type Checkpoints = Static<typeof checkpointsReply>
export type FrameProof = Static<typeof frameProof>
export type Receipt = Static<typeof receiptReply>
