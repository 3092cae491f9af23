// Passes signature checks to a verifier thread. Many checks share one range of shared memory, so
// that nothing is transferred (docs/performance.md has the costs). For each check the memory
// contains the length of the message (u32), the signature (64 bytes), the public key (32) and the
// message. The results, one byte each, overwrite the start of the memory.

import type { Verify } from './ed25519.ts'

export const answerGood = 1
const signatureAt = 4
const publicKeyAt = signatureAt + 64
const messageAt = publicKeyAt + 32

/** Size of a check in bytes. */
export function checkSize(messageBytes: number): number {
  return messageAt + messageBytes
}

export type Check = Readonly<{
  publicKey: Uint8Array
  message: string | Uint8Array
  signature: Uint8Array
}>

export function messageSize({ message }: Check): number {
  return typeof message === 'string' ? Buffer.byteLength(message) : message.length
}

/** Returns the offset of the next check. */
export function writeCheck(buffer: Buffer, at: number, check: Check): number {
  const { message } = check
  const start = at + messageAt
  buffer.set(check.signature, at + signatureAt)
  buffer.set(check.publicKey, at + publicKeyAt)
  let length = message.length
  if (typeof message === 'string') length = buffer.write(message, start, 'utf8')
  else buffer.set(message, start)
  buffer.writeUInt32LE(length, at)
  return start + length
}

/** A message to a verifier thread. The reply has no content. */
export type CheckTask = Readonly<{ space: SharedArrayBuffer; bytes: number; count: number }>

/** Runs in the verifier thread. The checks are copied first, because libsodium silently fails on
 *  shared memory. */
export function answerChecks({ space, bytes, count }: CheckTask, verify: Verify): void {
  const answers = new Uint8Array(space)
  const buffer = Buffer.from(answers.subarray(0, bytes))
  let at = 0
  for (let index = 0; index < count; index++) {
    const start = at + messageAt
    const end = start + buffer.readUInt32LE(at)
    const good = verify(
      buffer.subarray(at + signatureAt, at + publicKeyAt),
      buffer.subarray(start, end),
      buffer.subarray(at + publicKeyAt, start),
    )
    answers[index] = good ? answerGood : 0
    at = end
  }
}
