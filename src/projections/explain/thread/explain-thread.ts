// Explanations in a thread, so that no replay delays trading. One runs at a time and few wait, at
// most one of each account, so that one client cannot keep others waiting for long.

import { IdleThread } from '../../../sequencer/snapshots/idle-thread.ts'
import type { Job } from '../explain.ts'
import type { Explanation } from '../explanation.ts'
import { NoExplanation } from '../past.ts'

export type FolderJob = Readonly<{ folder: string; job: Job }>
export type Answer =
  | Readonly<{ explanation: Explanation }>
  | Readonly<{ why: NoExplanation['why']; message: string }>

/** Thrown if too many explanations wait. */
export class ExplanationsBusy extends Error {}

/** Explanations of all accounts that run or wait. */
const waitingMax = 8

export class ExplainThread {
  private readonly folder: string
  private readonly thread = new IdleThread<FolderJob, Answer>(
    new URL('./explain-worker.js', import.meta.url),
  )
  /** The accounts whose explanations run or wait. */
  private readonly accounts = new Set<string | null>()
  private last: Promise<unknown> = Promise.resolve()

  constructor(folder: string) {
    this.folder = folder
  }

  readonly run = async (job: Job): Promise<Explanation> => {
    const { account } = job
    if (this.accounts.has(account))
      throw new ExplanationsBusy('an explanation of this account is being made')
    if (this.accounts.size >= waitingMax)
      throw new ExplanationsBusy(`${waitingMax} explanations are being made`)
    this.accounts.add(account)
    const turn = this.last.then(() => this.thread.run({ folder: this.folder, job }))
    this.last = turn.catch(() => undefined)
    try {
      const answer = await turn
      if ('explanation' in answer) return answer.explanation
      throw new NoExplanation(answer.why, answer.message)
    } finally {
      this.accounts.delete(account)
    }
  }
}
