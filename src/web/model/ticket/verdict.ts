// The exchange's refusal of a draft, before it is sent. It holds for exactly that draft, and only
// for a moment: markets move, and an old answer does not prevent sending.

import type { Draft } from './order-draft.ts'

export type Verdict = Readonly<{ draft: Draft; at: number }>

/** Two rounds of previews, and some delay. */
const freshMs = 5_000

/** Every change makes another draft; equal drafts have equal fields. */
export const holds = (verdict: Verdict | null, draft: Draft, now: number) =>
  verdict !== null && verdict.draft === draft && now - verdict.at <= freshMs
