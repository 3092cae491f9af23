import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { signerOf } from '../../../test/support/signer.ts'
import {
  createVerifiers,
  OverloadedError,
  VerifierFailedError,
  type VerifierOptions,
  type Verifiers,
} from './verifiers.ts'

const signers = Array.from({ length: 5 }, (_, n) => signerOf(n + 1))
const open: Verifiers[] = []

function verifiersOf(options: VerifierOptions): Verifiers {
  const verifiers = createVerifiers(options)
  open.push(verifiers)
  return verifiers
}

afterEach(() => Promise.all(open.splice(0).map((verifiers) => verifiers.close())))

/** Like the real thread, but it ends itself on a special message. */
const mortalWorker = (() => {
  const siblingUrl = (name: string) => JSON.stringify(new URL(name, import.meta.url).href)
  const code = `
    import { parentPort } from 'node:worker_threads'
    import { answerChecks } from ${siblingUrl('./check-batch.js')}
    import { loadVerify } from ${siblingUrl('./ed25519.js')}
    const verify = await loadVerify()
    parentPort.on('message', (task) => {
      if (Buffer.from(task.space).includes('please end')) process.exit(1)
      answerChecks(task, verify)
      parentPort.postMessage(null)
    })
  `
  return new URL(`data:text/javascript,${encodeURIComponent(code)}`)
})()

function checkOf(n: number, size = 200) {
  const signer = signers[n % signers.length]!
  const message = `${n}`.padEnd(size, '.')
  return { publicKey: signer.publicKey, message, signature: signer.sign(message) }
}

test('each check gets its own answer, whatever their number, size and order', async () => {
  const verifiers = verifiersOf({ threads: 2 })
  const sizes = [3, 200, 5_000, 65_600, 1_000]
  const requests = Array.from({ length: 400 }, (_, n) => {
    const check = checkOf(n, sizes[n % sizes.length])
    const tampered = n % 7 === 3
    const message = tampered ? `${check.message}x` : check.message
    return { expected: !tampered, answer: verifiers.verify({ ...check, message }) }
  })
  assert.equal(verifiers.pending(), 400)
  const answers = await Promise.all(requests.map(({ answer }) => answer))
  assert.deepEqual(
    answers,
    requests.map(({ expected }) => expected),
  )
  assert.equal(verifiers.pending(), 0)
})

test('one after the other works as well as all together', async () => {
  const verifiers = verifiersOf({ threads: 1 })
  for (let n = 0; n < 20; n++) assert.equal(await verifiers.verify(checkOf(n)), true)
})

test('text is verified as UTF-8, bytes as they are', async () => {
  const verifiers = verifiersOf({ threads: 1 })
  const { publicKey, sign, signBytes } = signers[0]!
  const message = 'caf\u00e9 \u{1f600}'
  const signature = sign(message)
  assert.equal(await verifiers.verify({ publicKey, message, signature }), true)
  const bytes = new TextEncoder().encode(message)
  assert.equal(await verifiers.verify({ publicKey, message: bytes, signature }), true)
  const raw = signBytes(message)
  assert.equal(await verifiers.verify({ publicKey, message, signature: raw }), true)
})

test('signatures and keys of a wrong size are just not good', async () => {
  const verifiers = verifiersOf({ threads: 1 })
  const check = checkOf(1)
  for (const signature of ['', '0OIl', check.signature.slice(1), `${check.signature}1`]) {
    assert.equal(await verifiers.verify({ ...check, signature }), false)
  }
  assert.equal(await verifiers.verify({ ...check, signature: new Uint8Array(63) }), false)
  assert.equal(await verifiers.verify({ ...check, publicKey: new Uint8Array(31) }), false)
})

test('more checks than may wait are turned away, and later ones are taken again', async () => {
  const verifiers = verifiersOf({ threads: 1, pendingMax: 3 })
  const taken = [checkOf(1), checkOf(2), checkOf(3)].map((check) => verifiers.verify(check))
  await assert.rejects(verifiers.verify(checkOf(4)), OverloadedError)
  assert.deepEqual(await Promise.all(taken), [true, true, true])
  assert.equal(await verifiers.verify(checkOf(4)), true)
})

test('so are more bytes, but never the only one', async () => {
  const verifiers = verifiersOf({ threads: 1, pendingBytesMax: 1_000 })
  const large = verifiers.verify(checkOf(1, 5_000))
  await assert.rejects(verifiers.verify(checkOf(2, 10)), OverloadedError)
  assert.equal(await large, true)
  assert.equal(await verifiers.verify(checkOf(2, 10)), true)
})

test('a thread that dies fails its own checks and is replaced', async () => {
  const verifiers = verifiersOf({ threads: 1, worker: mortalWorker })
  assert.equal(await verifiers.verify(checkOf(1)), true)
  for (let life = 0; life < 3; life++) {
    const deadly = { ...checkOf(2), message: 'please end' }
    await assert.rejects(verifiers.verify(deadly), VerifierFailedError)
    assert.equal(verifiers.pending(), 0)
    assert.equal(await verifiers.verify(checkOf(3)), true)
  }
})

test('the checks of another thread are not concerned', async () => {
  const verifiers = verifiersOf({ threads: 2, worker: mortalWorker })
  const deadly = verifiers.verify({ ...checkOf(2), message: 'please end' })
  const other = verifiers.verify(checkOf(3))
  await assert.rejects(deadly, VerifierFailedError)
  assert.equal(await other, true)
})

test('when threads cannot start at all, no check waits forever', async () => {
  const worker = new URL('data:text/javascript,throw new Error("no")')
  const verifiers = verifiersOf({ threads: 1, worker })
  await assert.rejects(verifiers.verify(checkOf(1)), (error: Error) => {
    assert.ok(error instanceof VerifierFailedError)
    assert.equal((error.cause as Error).message, 'no')
    return true
  })
  assert.equal(verifiers.pending(), 0)
})

test('closing fails pending checks, and no check is accepted afterwards', async () => {
  const verifiers = verifiersOf({ threads: 1 })
  const waiting = Array.from({ length: 500 }, (_, n) => verifiers.verify(checkOf(n)))
  const settled = Promise.allSettled(waiting)
  await verifiers.close()
  for (const outcome of await settled) {
    if (outcome.status === 'rejected') assert.ok(outcome.reason instanceof VerifierFailedError)
    else assert.equal(outcome.value, true)
  }
  assert.ok((await settled).some(({ status }) => status === 'rejected'))
  await assert.rejects(verifiers.verify(checkOf(1)), VerifierFailedError)
})

test('urgent checks pass others, leave them a quarter, and have room of their own', async () => {
  const verifiers = verifiersOf({ threads: 1, pendingMax: 400, urgentMax: 200 })
  const done: string[] = []
  const ask = (name: string, n: number, urgent: boolean) =>
    verifiers.verify(checkOf(n), urgent).then(() => done.push(name))
  const requests = Array.from({ length: 400 }, (_, n) => ask('order', n, false))
  await assert.rejects(verifiers.verify(checkOf(1)), OverloadedError)
  for (let n = 0; n < 200; n++) requests.push(ask('cancel', n, true))
  await assert.rejects(verifiers.verify(checkOf(1), true), OverloadedError)
  await Promise.all(requests)
  // Whole batches of 64 come back: three quarters of each are cancels while there are any.
  const firstHalf = done.slice(0, 256)
  const cancels = firstHalf.filter((name) => name === 'cancel').length
  assert.ok(cancels >= 150 && cancels <= 200, `${cancels} of the first 256`)
  assert.ok(firstHalf.includes('order'))
})
