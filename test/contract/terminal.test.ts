import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { LiveExchange } from '../support/streams/live-exchange.ts'

const folder = fileURLToPath(new URL('../../web/', import.meta.url))
const firstLoadMax = 200_000

let live: LiveExchange
before(async () => {
  live = await LiveExchange.start()
})
after(() => live.close())

async function page() {
  const reply = await fetch(`${live.url}/`)
  return { reply, text: await reply.text() }
}

test('the page may load from and connect to its own exchange only', async () => {
  const { reply, text } = await page()
  assert.equal(reply.status, 200)
  assert.match(reply.headers.get('content-type') ?? '', /^text\/html/)
  const policy = reply.headers.get('content-security-policy') ?? ''
  const rules = policy.split('; ')
  for (const rule of ["default-src 'none'", "script-src 'self'", "style-src 'self'"])
    assert.ok(rules.includes(rule), rule)
  assert.ok(rules.includes("connect-src 'self'") && rules.includes("frame-ancestors 'none'"))
  assert.doesNotMatch(policy, /unsafe|https?:|\*/)
  assert.equal(reply.headers.get('x-content-type-options'), 'nosniff')
  assert.doesNotMatch(text, /<script>|<style>| style=|https?:/)
})

test('files named by a content hash are cached forever, the page is revalidated', async () => {
  const { reply, text } = await page()
  assert.equal(reply.headers.get('cache-control'), 'no-cache')
  const tag = reply.headers.get('etag') ?? ''
  const again = await fetch(`${live.url}/`, { headers: { 'if-none-match': tag } })
  assert.equal(again.status, 304)
  const names = [...text.matchAll(/"(\/assets\/[^"]+)"/g)].map((match) => match[1]!)
  assert.equal(names.length, 3)
  for (const name of names) {
    const asset = await fetch(live.url + name)
    assert.equal(asset.status, 200, name)
    const hashed = /-[0-9a-f]{12}\./.test(name)
    const caching = hashed ? 'public, max-age=31536000, immutable' : 'no-cache'
    assert.equal(asset.headers.get('cache-control'), caching, name)
    assert.equal(asset.headers.get('content-encoding'), 'gzip')
    const plain = await fetch(live.url + name, { headers: { 'accept-encoding': 'identity' } })
    assert.equal(plain.headers.get('content-encoding'), null)
    assert.equal(await plain.text(), await asset.text())
  }
})

test('no path outside the bundle can be requested', async () => {
  for (const name of ['none.js', '..%2f..%2fpackage.json', '%2e%2e/main.js', 'index.html.gz', ''])
    assert.equal((await fetch(`${live.url}/assets/${name}`)).status, 404, name)
})

const packedSize = (name: string) => readFileSync(`${folder}${name}.gz`).length

/** The script of the page and all parts that it imports before it runs. */
function firstLoad(): readonly string[] {
  const script = readdirSync(folder).find((name) => /^app-.*\.js$/.test(name))!
  const found = new Set([script])
  for (const name of found) {
    const text = readFileSync(folder + name, 'utf8')
    for (const [, part] of text.matchAll(/(?:from|import)"\.\/(part-\w+\.js)"/g)) found.add(part!)
  }
  return [...found]
}

test('the first load is below 200 kB compressed, and the rest is loaded when it is used', () => {
  const first = firstLoad()
  const size = first.reduce((sum, name) => sum + packedSize(name), 0)
  assert.ok(size > 100_000 && size < firstLoadMax, `${size} bytes in ${first.join(', ')}`)
  const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'))
  assert.ok(scripts.length > first.length, 'no part is loaded later')
})
