// The programs of docs/api/market-makers.md, run as documented, against a running exchange.

import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { dataOf, type Row } from '../support/http/api-client.ts'
import { frozenSandbox } from '../support/http/live-exchange.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../../', import.meta.url))
const page = readFileSync(`${root}docs/api/market-makers.md`, 'utf8')
const programs = [...page.matchAll(/```(js|python)\nimport ([\s\S]*?)```/g)].map(
  ([, language, program]) => [language!, `import ${program!}`] as const,
)
const python = ['/usr/bin/python3', 'python3'].find(
  (command) => spawnSync(command, ['-c', 'import cryptography']).status === 0,
)

const live = await frozenSandbox()
after(() => live.close())
await live.price('BTC', '100000')

test('the page has a program for ccxt and one for Python', () => {
  assert.deepEqual(
    programs.map(([language]) => language),
    ['js', 'python'],
  )
})

for (const [language, program] of programs) {
  const skip = language === 'python' && python === undefined && 'cryptography is not here'
  test(`the program in ${language} protects its quotes and places them`, { skip }, async () => {
    const trader = await live.trader('100000')
    // Inside the package, where it finds ccxt.
    const file = `${root}dist/maker-page.${language === 'js' ? 'mjs' : 'py'}`
    writeFileSync(file, program)
    const env = {
      ...process.env,
      OPENPERP_URL: live.url,
      OPENPERP_ACCOUNT: trader.address,
      OPENPERP_SECRET: trader.secret,
    }
    const command = language === 'js' ? process.execPath : python!
    const { stdout } = await run(command, [file], { env, timeout: 120_000 })
    rmSync(file)
    const says = /(?:\/\/|#) (true true)\n$/i.exec(program)![1]!
    assert.equal(stdout.trim(), says)
    const account = trader.address
    const open = dataOf<Row[]>(await live.api.get('/orders', { account }))
    assert.deepEqual(
      open.map(({ mmp, initial_amount }) => [mmp, initial_amount]),
      [
        [true, '0.1'],
        [true, '0.1'],
      ],
    )
    const [limits] = dataOf<Row[]>(await live.api.get('/account/mmp', { account }))
    assert.equal(limits!.max_amount, '0.3')
  })
}
