// A thread that replays parts of the journal for explanations, from the files and as at a start.

import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { entriesMax, explainPast } from '../explain.ts'
import { folderPast } from '../folder-past.ts'
import { NoExplanation } from '../past.ts'
import type { Answer, FolderJob } from './explain-thread.ts'

/** The exchange may remove files meanwhile, so that a failure is repeated once. */
async function answer({ folder, job }: FolderJob, isAgain = false): Promise<Answer> {
  try {
    return { explanation: await explainPast(folderPast(folder), job, entriesMax) }
  } catch (error) {
    if (error instanceof NoExplanation) return { why: error.why, message: error.message }
    if (isAgain) throw error
    return answer({ folder, job }, true)
  }
}

// Trading and its disk writes have priority. Only Linux applies the priority to a single thread.
if (process.platform === 'linux') setPriority(10)
const port = parentPort!
port.on('message', async (job: FolderJob) => port.postMessage(await answer(job)))
