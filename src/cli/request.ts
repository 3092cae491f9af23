// One request from the command line, signed where the API says so. Prints the answer; the exit code
// is 0 when the exchange said yes.

import { type Key, keyOfSecret } from '../client/key.ts'
import { sandboxKeys } from '../client/sandbox-keys.ts'
import { signedBody } from '../client/signed-body.ts'
import type { SigningType } from '../protocol/signing-types.ts'

const usage = `usage: npm run -s request -- <key> <path> [body]

  key   alice or bob of the sandbox, or a secret key in base58
  path  of the API, such as /orders/create or /positions
  body  JSON of the request without account, timestamp and signature (a GET: its parameters)

  npm run -s request -- alice /positions
  npm run -s request -- alice /orders/cancel '{"symbol":"BTC","order_id":7}'

OPENPERP_URL says where the exchange is (http://127.0.0.1:8080 unless set).`

type Described = Readonly<Record<string, Readonly<{ 'x-signing-type': SigningType | null }>>>

async function run([name, path, text]: readonly string[]): Promise<number> {
  if (name === undefined || path === undefined) {
    console.error(usage)
    return 2
  }
  const url = process.env.OPENPERP_URL ?? 'http://127.0.0.1:8080'
  const key = sandboxKeys.find((each) => each.name === name)?.key ?? keyOfSecret(name)
  const document = await (await fetch(`${url}/openapi.json`)).json()
  const described = (document as { paths: Record<string, Described> }).paths[`/api/v1${path}`]
  if (described === undefined) {
    console.error(`no route ${path}; ${url}/docs lists them`)
    return 2
  }
  const fields = JSON.parse(text ?? '{}') as Record<string, unknown>
  const reply = await send(`${url}/api/v1${path}`, key, fields, described)
  console.log(JSON.stringify(await reply.json(), null, 2))
  return reply.ok ? 0 : 1
}

async function send(
  url: string,
  key: Key,
  fields: Readonly<Record<string, unknown>>,
  described: Described,
): Promise<Response> {
  if (described.get !== undefined) {
    const given = Object.entries({ account: key.address, ...fields })
    const query = given.map(([name, value]): [string, string] => [name, String(value)])
    return fetch(`${url}?${new URLSearchParams(query)}`)
  }
  const type = described.post!['x-signing-type']
  const body =
    type === null
      ? { account: key.address, ...fields }
      : await signedBody(key, fields, { type, timestamp: Date.now() })
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

run(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code
  },
  (error: Error) => {
    const cause = error.cause instanceof Error ? `: ${error.cause.message}` : ''
    console.error(`${error.message}${cause}`)
    process.exitCode = 1
  },
)
