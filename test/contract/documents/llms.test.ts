// The documents for language models: what they contain, and that their links work.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createExchange } from '../../../src/embed/embed.ts'
import { llmsFullText, llmsText } from '../../../src/gateway/documents/llms-text.ts'
import { apiOperations } from '../../../src/gateway/routes/all-operations.ts'

const listBytesMax = 8_000
const fullBytesMax = 700_000

const exchange = createExchange({ markets: ['BTC'] })
after(() => exchange.close())
const get = (path: string) => exchange.fetch(path)

const linksOf = (text: string) =>
  [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)\s]*)?\)/g)].map(([, target]) => target!)

test('both are plain text of bounded size', async () => {
  for (const [path, most] of [
    ['/llms.txt', listBytesMax],
    ['/docs/llms-full.txt', fullBytesMax],
  ] as const) {
    const reply = await get(path)
    assert.equal(reply.headers.get('content-type'), 'text/plain; charset=utf-8')
    const text = await reply.text()
    assert.match(text, /^# openperp\n\n> /)
    assert.ok(text.length > 1_000 && text.length < most, `${path}: ${text.length}`)
  }
})

test('every link to the exchange is served, and pages are Markdown', async () => {
  const links = new Set(['/llms.txt', '/docs/llms-full.txt'])
  for (const link of links) {
    const reply = await get(link)
    assert.equal(reply.status, 200, link)
    const text = await reply.text()
    if (link.endsWith('.md')) {
      assert.equal(reply.headers.get('content-type'), 'text/markdown; charset=utf-8')
    } else if (!link.endsWith('.txt')) continue
    for (const found of linksOf(text)) {
      assert.match(found, /^(?:\/|https?:)/, `${link}: ${found}`)
      if (found.startsWith('/')) links.add(found)
    }
  }
  assert.ok(links.size > 40, `${links.size}`)
  for (const path of [
    '/docs/',
    '/docs/none.md',
    '/docs/../package.json',
    '/docs/api',
    '/docs/%2e%2e/README.md',
  ]) {
    const { status } = await get(path)
    assert.equal(status, 404, path)
  }
})

test('the whole text has the operations of the mode, and a venue has nothing of a sandbox', () => {
  for (const mode of ['sandbox', 'venue'] as const) {
    const operations = apiOperations(mode)
    const full = llmsFullText(operations)
    for (const { name, http } of apiOperations('sandbox')) {
      const isThere = full.includes(`### ${name}\n\n\`${http}\``)
      assert.equal(
        isThere,
        operations.some((each) => each.name === name),
        `${mode}: ${name}`,
      )
    }
    for (const rule of ['ORDER-1', 'MARGIN-3', 'FUND-1', 'LIQ-1'])
      assert.ok(full.includes(`## ${rule} `), rule)
    const list = llmsText(operations)
    assert.equal(list.includes('real money'), mode === 'venue')
    assert.equal(list.includes('/docs/lab.md'), mode === 'sandbox')
    assert.equal(full.includes('# Tests against a running exchange'), mode === 'sandbox')
    assert.doesNotMatch(full, /--key alice.*\n```\n### /)
  }
})
