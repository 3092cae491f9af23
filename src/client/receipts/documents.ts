// What the exchange signs about its history.

import type { ReplyOf } from '../methods.ts'

export type Receipt = ReplyOf<'get_receipt'>
export type FrameProof = NonNullable<ReplyOf<'get_frame_proof'>>
export type Checkpoint = FrameProof['checkpoint']
