// The published signing vectors: the file is what the hand-written cases say, our code agrees with
// it, and so does the program that the page shows. After a change of the cases, run the tests once
// with OPENPERP_WRITE_VECTORS=1 and look at the difference.
import assert from 'node:assert/strict'
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { Client } from '../src/client/client.ts'
import { sandboxKeys } from '../src/client/sandbox-keys.ts'
import { SignatureChecks } from '../src/gateway/auth/check-signature.ts'
import { loadSodium, nodeVerify } from '../src/gateway/auth/ed25519.ts'
import { createVerifiers } from '../src/gateway/auth/verifiers.ts'
import { parseAddress } from '../src/protocol/address.ts'
import { decodeBase58 } from '../src/protocol/base58.ts'
import {
  type Body,
  hardwareMessage,
  signingText,
  subaccountConfirmText,
  subaccountInitiateText,
} from '../src/protocol/signing-text.ts'
import { agentIsPayload, type SigningType } from '../src/protocol/signing-types.ts'
import { parseStrict } from '../src/protocol/strict-json.ts'
import { dataOf } from './support/http/api-client.ts'
import { liveExchange } from './support/http/live-exchange.ts'
import { signingVectors } from './support/vectors/signing-vectors.ts'

const run = promisify(execFile)

// From dist/test, where this runs.
const docs = new URL('../../docs/api/', import.meta.url)
const file = new URL('signing-vectors.json', docs)
const expected = `${JSON.stringify(signingVectors(), null, 2)}\n`
if (process.env.OPENPERP_WRITE_VECTORS === '1') writeFileSync(file, expected)

const vectors: ReturnType<typeof signingVectors> = JSON.parse(readFileSync(file, 'utf8'))
const verifiers = createVerifiers({ threads: 1 })
const checks = new SignatureChecks(verifiers, { id: vectors.venue, required: false })
after(() => verifiers.close())

/** A second after the timestamp that all vectors carry. */
const wallNow = 1_716_200_001_000
const requestOf = (type: string, body: unknown) => {
  const parsed = parseStrict(JSON.stringify(body))
  assert.ok(parsed.ok)
  return { type: type as SigningType, body: parsed.value, ip: null, wallNow, untimed: true }
}

test('the published file equals the cases', () => {
  assert.deepEqual(vectors, JSON.parse(expected), 'see the top of this test')
})

test('every valid vector has the text that we make, and is accepted', async () => {
  for (const { name, type, body, text } of vectors.valid) {
    assert.equal(signingText(type as SigningType, body as Body), text, name)
    const { account } = await checks.checkSigned(requestOf(type, body))
    assert.equal(account, vectors.keys.account.address, name)
  }
})

test('both libraries accept every valid signature', async () => {
  const libraries = [await loadSodium(), nodeVerify()]
  for (const vector of vectors.valid) {
    const body = vector.body as Readonly<Record<string, unknown>>
    const { agent, account } = vectors.keys
    const byAgent =
      body.agent_wallet === agent.address && !agentIsPayload.has(vector.type as SigningType)
    const key = parseAddress(byAgent ? agent.address : account.address)!
    const { signature } = body as { signature: string | { value: string } }
    const value = typeof signature === 'string' ? signature : signature.value
    const message =
      'message_hex' in vector ? Buffer.from(vector.message_hex, 'hex') : Buffer.from(vector.text)
    for (const verify of libraries) {
      assert.ok(verify(decodeBase58(value, 64)!, message, key), vector.name)
    }
    if ('message_hex' in vector)
      assert.deepEqual(hardwareMessage(vector.text), new Uint8Array(message))
  }
})

test('the subaccount vectors have the texts that we make, and are accepted', async () => {
  for (const { body, sub_text, main_text } of [vectors.subaccount, vectors.venue_subaccount]) {
    assert.equal(subaccountInitiateText(body.main_account, body), sub_text)
    assert.equal(subaccountConfirmText(body.sub_signature, body), main_text)
    const signed = await checks.checkSubaccount({ body, ip: null, wallNow })
    assert.equal(signed.subaccount, vectors.keys.subaccount.address)
  }
})

test('where a venue is required, only the vectors that name it are accepted', async () => {
  const strict = new SignatureChecks(verifiers, { id: vectors.venue, required: true })
  for (const { name, type, body } of vectors.valid) {
    const request = requestOf(type, body)
    const named = (body as { venue?: unknown }).venue === vectors.venue
    if (named) assert.ok(await strict.checkSigned(request), name)
    else await assert.rejects(strict.checkSigned(request), { errorName: 'VENUE_REQUIRED' }, name)
  }
})

test('every vector to be refused is refused, for the reason it names', async () => {
  for (const { name, error, type, body } of vectors.refused) {
    const request = { ...requestOf(type, body), untimed: false }
    await assert.rejects(checks.checkSigned(request), { errorName: error }, name)
  }
  for (const { name, body_text } of vectors.refused_bodies) {
    assert.equal(parseStrict(body_text!).ok, false, name)
  }
})

const page = readFileSync(new URL('signing.md', docs), 'utf8')
const order = vectors.valid.find(({ name }) => name.startsWith('an action of a batch'))!
const { signature } = order.body as { signature: string }
const programOn = (language: string) =>
  new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(page)![1]!

test('the program on the page signs the same order with the same result', () => {
  const input = programOn('js')
  const printed = execFileSync(process.execPath, ['--input-type=module', '-'], { input })
  assert.equal(printed.toString(), `${order.text}\n${signature}\n`)
  const cancel =
    '{"data":{"order_id":42069,"symbol":"BTC"},"expiry_window":30000,' +
    '"timestamp":1716200000000,"type":"cancel_order"}'
  assert.ok(page.includes(`\n${cancel}\n`))
  assert.ok(page.includes(`"account": "${vectors.keys.account.address}"`))
})

test('the page shows every byte of that order', () => {
  const { address } = vectors.keys.account
  const bytes = Buffer.from(decodeBase58(signature, 64)!).toString('hex')
  const textBytes = Buffer.from(order.text).toString('hex')
  for (const shown of [address, order.text, textBytes, bytes, signature])
    assert.ok(page.includes(`| \`${shown}\` |`), shown)
})

type Elsewhere = Readonly<{ language: string; command: string; has: readonly string[] }>
const elsewhere: readonly Elsewhere[] = [
  { language: 'python', command: 'python3', has: ['-c', 'import cryptography'] },
  // Often an older one, with the packages of the distribution.
  { language: 'python', command: '/usr/bin/python3', has: ['-c', 'import cryptography'] },
  { language: 'bash', command: 'bash', has: ['-c', '[[ "$(openssl version)" == "OpenSSL 3"* ]]'] },
]

for (const { language, command, has } of elsewhere) {
  const isHere = spawnSync(command, has).status === 0
  const skip = isHere ? false : `${command} cannot run it here`
  test(`the program in ${language} gives the same to ${command}, and a body that is accepted`, {
    skip,
  }, async () => {
    const input = programOn(language)
    const args = language === 'bash' ? ['-s'] : ['-']
    const [text, made, body] = execFileSync(command, args, { input }).toString().split('\n')
    assert.deepEqual([text, made], [order.text, signature])
    const { account } = await checks.checkSigned(requestOf(order.type, JSON.parse(body!)))
    assert.equal(account, vectors.keys.account.address)
  })
}

/** The commands of a shell on the page, against an exchange that runs. */
const shellBlocks = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block!)
const python = ['/usr/bin/python3', 'python3'].find(
  (command) => spawnSync(command, ['-c', 'import cryptography']).status === 0,
)
const hasCurl = spawnSync('curl', ['--version']).status === 0

test('the whole request on the page is answered: the old one is expired, a new one is an order', {
  skip: hasCurl && python !== undefined ? false : 'curl or cryptography for Python is not here',
}, async () => {
  const live = await liveExchange()
  try {
    const [alice] = sandboxKeys
    const account = alice!.key.address
    dataOf(await live.sandbox('faucet', { account, amount: '100000' }))
    await live.price('BTC', '105000')
    writeFileSync(join(live.folder, 'order.py'), programOn('python'))
    const [old, now] = shellBlocks.map((block) =>
      block
        .replaceAll('http://127.0.0.1:8080', live.url)
        .replaceAll('python3', python!)
        .replaceAll('OPENPERP_SECRET=…', `OPENPERP_SECRET=${alice!.key.secret}`),
    )
    // One after the other: the exchange that answers runs in this process.
    const sent = async (script: string) => {
      const options = { cwd: live.folder, timeout: 180_000 }
      return JSON.parse((await run('sh', ['-c', script], options)).stdout)
    }
    assert.match((await sent(old!)).error, /^EXPIRED: /)
    const { data, error } = await sent(now!)
    assert.equal(error, null)
    assert.deepEqual([data.client_order_id, data.order_status], [null, 'open'])
    // It waits at the speed bump: its owner alone sees it.
    const { rows } = await new Client({ url: live.url, signer: alice!.key }).getOpenOrders()
    assert.deepEqual(
      rows.map(({ order_id, price }) => [order_id, price]),
      [[data.order_id, '100000']],
    )
  } finally {
    await live.close()
  }
})
