// One thread that verifies signatures of orders as fast as it can, for the given time.

import { parentPort } from 'node:worker_threads'
import { loadVerify } from '../../src/gateway/auth/ed25519.ts'
import { decodeBase58 } from '../../src/protocol/base58.ts'
import { signingText } from '../../src/protocol/signing-text.ts'
import { Trader } from './signed-orders.ts'

const samples = 1_000
const port = parentPort!
const verify = await loadVerify()
const traders = Array.from({ length: 10 }, (_, at) => new Trader(at))
const checks: (readonly [Uint8Array, Uint8Array, Uint8Array])[] = []
for (let n = 0; n < samples; n++) {
  const { key } = traders[n % traders.length]!
  const { type, body } = await traders[n % traders.length]!.signed()
  const signature = decodeBase58(body.signature as string, 64)!
  checks.push([signature, Buffer.from(signingText(type, body)), decodeBase58(key.address, 32)!])
}

port.on('message', (ms: number) => {
  const started = performance.now()
  let verified = 0
  while (performance.now() - started < ms)
    for (let n = 0; n < 50; n++) {
      if (!verify(...checks[verified % samples]!)) throw new Error('a signature is invalid')
      verified += 1
    }
  port.postMessage((verified / (performance.now() - started)) * 1_000)
})
port.postMessage(0)
