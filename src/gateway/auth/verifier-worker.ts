// The verifier thread. Overwrites the checks with their results and replies when done.

import { parentPort } from 'node:worker_threads'
import { answerChecks, type CheckTask } from './check-batch.ts'
import { loadVerify } from './ed25519.ts'

const port = parentPort
if (port === null) throw new Error('verifier-worker runs in a thread of its own')

const verify = await loadVerify()
port.on('message', (task: CheckTask) => {
  answerChecks(task, verify)
  port.postMessage(null)
})
