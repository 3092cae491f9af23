import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { adminOperations } from '../gateway/admin/admin-operations.ts'
import { exampleOf, madeByPrograms } from '../gateway/documents/examples.ts'
import { fieldsOf, type Schema } from '../gateway/documents/fields.ts'
import { replySchemaOf } from '../gateway/documents/open-api.ts'
import { bodyCheck } from '../gateway/operations/body-check.ts'
import { apiOperations } from '../gateway/routes/all-operations.ts'
import { allSources } from '../protocol/streams/channels.ts'
import { pythonFiles } from './python/python-files.ts'
import { adminPage, adminPageFile, exampleTraders, reference, referenceFile } from './reference.ts'
import { settingsPage, settingsPageFile } from './settings-page.ts'
import { metricsPage, metricsPageFile } from './watching/metrics-page.ts'

const operations = apiOperations('sandbox')

test('docs/api/reference.md is generated from the operations', () => {
  assert.equal(readFileSync(referenceFile, 'utf8'), reference(), 'run `npm run docs`')
})

test('docs/operating/admin.md is generated from the admin operations', () => {
  const page = readFileSync(adminPageFile, 'utf8')
  assert.equal(page, adminPage(), 'run `npm run docs`')
  for (const { http } of adminOperations) assert.ok(page.includes(`## ${http}\n`), http)
})

test('the settings of docs/operating/running.md are the settings there are', () => {
  assert.equal(readFileSync(settingsPageFile, 'utf8'), settingsPage(), 'run `npm run docs`')
})

test('the metrics of docs/operating/watching.md are the metrics there are', () => {
  assert.equal(readFileSync(metricsPageFile, 'utf8'), metricsPage(), 'run `npm run docs`')
})

test('the generated modules of the Python package have every operation and channel', () => {
  const texts = pythonFiles().map(([file, text]) => {
    assert.equal(readFileSync(file, 'utf8'), text, `${file}: run \`npm run docs\``)
    return text
  })
  const all = texts.join('')
  for (const { name } of operations) assert.ok(all.includes(`    def ${name}(\n`), name)
  for (const source of allSources) assert.ok(all.includes(`"${source}"`), source)
})

test('every example fits the request of its operation', () => {
  for (const operation of operations.filter(({ name }) => !madeByPrograms.has(name)))
    bodyCheck(operation.request)(exampleOf(operation, exampleTraders), operation.name)
})

test('an example that needs an id of the reader says so', () => {
  const named = reference().split('\n### ')
  const examples = named.filter((text) => /\n(curl|npx).*[^_]order_id/.test(text))
  assert.equal(examples.length, 6)
  for (const text of examples) assert.match(text, /With an `order_id` of your own in place of 1/)
})

test('every field of the histories has a description', () => {
  const mine = operations.filter(({ http }) =>
    /kline|funding|portfolio|balance|twap|trades\/history/.test(http),
  )
  assert.equal(mine.length, 14)
  for (const operation of mine) {
    const schemas = [operation.request, (replySchemaOf(operation) as Schema).properties!.data!]
    for (const field of schemas.flatMap((schema) => fieldsOf(schema as Schema)))
      assert.notEqual(field.meaning, '', `${operation.name} ${field.path}`)
  }
})
