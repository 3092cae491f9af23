// A verifier's thread: takes a buffer of checks, writes the answers into it, gives it back.

import { parentPort } from 'node:worker_threads'
import { answerChecks } from './check-batch.ts'
import { loadVerify } from './ed25519.ts'

export type VerifierTask = Readonly<{ buffer: ArrayBuffer; count: number }>

const port = parentPort
if (port === null) throw new Error('verifier-worker runs in a thread of its own')

const verify = await loadVerify()
port.on('message', ({ buffer, count }: VerifierTask) => {
  answerChecks(Buffer.from(buffer), count, verify)
  port.postMessage(buffer, [buffer])
})
