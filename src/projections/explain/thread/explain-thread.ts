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

type Made = Readonly<{ question: string; answer: Promise<Explanation> }>

export class ExplainThread {
  private readonly folder: string
  private readonly thread = new IdleThread<FolderJob, Answer>(
    new URL('./explain-worker.js', import.meta.url),
  )
  /** The explanations that run or wait, by account. */
  private readonly made = new Map<string | null, Made>()
  private last: Promise<unknown> = Promise.resolve()

  constructor(folder: string) {
    this.folder = folder
  }

  /** A question that is repeated while it is answered gets the same answer, so that a client that
   *  did not wait long enough can ask again. */
  readonly run = (job: Job): Promise<Explanation> => {
    const { account } = job
    const question = JSON.stringify(job)
    const made = this.made.get(account)
    if (made?.question === question) return made.answer
    if (made !== undefined) return busy('an explanation of this account is being made')
    if (this.made.size >= waitingMax) return busy(`${waitingMax} explanations are being made`)
    const answer = this.last.then(() => this.answered(job)).finally(() => this.made.delete(account))
    this.made.set(account, { question, answer })
    this.last = answer.catch(() => undefined)
    return answer
  }

  private async answered(job: Job): Promise<Explanation> {
    const answer = await this.thread.run({ folder: this.folder, job })
    if ('explanation' in answer) return answer.explanation
    throw new NoExplanation(answer.why, answer.message)
  }
}

const busy = (why: string) => Promise.reject(new ExplanationsBusy(why))
