// The exchange's refusal of a draft before it is sent. It applies to exactly that draft, for a
// short time only: markets move, and an old answer must not prevent sending.

import type { Draft } from './order-draft.ts'

export type Verdict = Readonly<{ draft: Draft; at: number }>

/** Validity in ms: two rounds of previews, and some delay. */
const freshMs = 5_000

/** Whether the verdict applies to the draft. Drafts are compared by their fields. */
export const holds = (verdict: Verdict | null, draft: Draft, now: number) =>
  verdict !== null && verdict.draft === draft && now - verdict.at <= freshMs
