// The full help, the help of every command, and the errors of wrong usage.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { commandHelp } from '../../src/cli/frame/help.ts'
import { nearWord } from '../../src/cli/frame/near-word.ts'
import { cliPage, cliPageFile } from '../../src/main/cli-page.ts'
import { allCommands } from '../../src/main/command-line.ts'
import { routeSchemas } from '../../src/protocol/route-schemas.ts'
import { routeNames } from '../../src/protocol/routes.ts'
import { openperp, openperpJson } from '../support/cli/run-openperp.ts'

test('docs/operating/cli.md is generated from the commands', () => {
  assert.equal(readFileSync(cliPageFile, 'utf8'), cliPage(), 'run `npm run docs`')
})

test('the full help names every command, and no argument is a usage error', async () => {
  const { code, out } = await openperp(['--help'])
  assert.equal(code, 0)
  for (const { name, summary } of allCommands)
    assert.match(out, new RegExp(`^  ${name} +${summary.slice(0, 20).replace(/[()]/g, '.')}`, 'm'))
  assert.match(out, /^ {2}4 {2}data is damaged/m)
  const bare = await openperp([])
  assert.equal(bare.code, 2)
  assert.equal(bare.out, out)
})

test('every command has help with usage, flags and examples that name it', async () => {
  for (const command of allCommands.flatMap((each) => [each, ...(each.parts ?? [])])) {
    const text = commandHelp(command)
    assert.ok(text.includes(`usage: openperp ${command.name}`), command.name)
    assert.ok(command.examples.length > 0, command.name)
    for (const example of command.examples)
      assert.match(example, /^(openperp|mv) /, `${command.name}: ${example}`)
    for (const name of Object.keys(command.options)) assert.ok(text.includes(`--${name}`), name)
    for (const line of text.split('\n')) assert.ok(line.length <= 110, `${command.name}: ${line}`)
  }
  const shown = await openperp(['order', '--help'])
  assert.equal(shown.code, 0)
  assert.equal(shown.out.trim(), commandHelp(allCommands.find(({ name }) => name === 'order')!))
  assert.equal((await openperp(['help', 'order'])).out, shown.out)
})

test('every operation of the API is a command that takes its fields', () => {
  const parts = allCommands.find(({ name }) => name === 'api')!.parts!
  assert.deepEqual(
    parts.map(({ name }) => name),
    routeNames.map((name) => `api ${name}`),
  )
  for (const [at, name] of routeNames.entries()) {
    if (name === 'create_subaccount' || name === 'batch_orders') continue
    const { properties } = routeSchemas[name].request as unknown as { properties: object }
    for (const field of Object.keys(properties))
      if (field !== 'format')
        assert.ok(field.replaceAll('_', '-') in parts[at]!.options, `${name}: ${field}`)
  }
})

test('the help of start names every port', () => {
  const text = commandHelp(allCommands.find(({ name }) => name === 'start')!)
  for (const flag of ['--port', '--admin-port', '--compat-port']) assert.ok(text.includes(flag))
})

test('a usage error suggests the probable command, with code 2', async () => {
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [['ordr'], /no command ordr; did you mean order\?/],
    [['audit', '--dta', 'x'], /audit has no flag --dta; did you mean --data\?/],
    [['order', 'BTC'], /order needs <side>[\s\S]*usage: openperp order/],
    [['order', 'BTC', 'up', '1', '--key', 'alice'], /up is not a side[\s\S]*bid \(or buy, long\)/],
    [['markets', 'BTC'], /does not know what to do with BTC/],
    [['clock', 'advance', '1 hour'], /"1 hour" is not a duration[\s\S]*1h30m/],
    [['fund', '10', '--key', 'unknown'], /--key: a secret key is the base58/],
    [['markets', '--url', 'localhost'], /localhost is not an address/],
    [['markets', '--url', 'http://127.0.0.1:9,there'], / there is not an address/],
    [['start', '--prot', '1'], /start has no flag --prot; did you mean --port\?/],
    [['start', '--port', 'x'], /--port must be a whole number/],
    [['api', 'get_bok'], /api has no get_bok; did you mean api get_book\?/],
    [['api', 'get_book'], /--symbol is required/],
    [['api', 'get_book', '--symbl', 'BTC'], /no flag --symbl; did you mean --symbol\?/],
    [
      ['api', 'get_book', '--symbol', 'BTC', '--depth', 'x'],
      /--depth must be a whole number, not x/,
    ],
    [['api', 'get_portfolio', '--time-range', '2d'], /--time-range must be one of 1d, .*, not 2d/],
    [['audit', '--data'], /--data takes a value: --data <folder>/],
  ]
  for (const [args, says] of cases) {
    const { code, out, err } = await openperp(args)
    assert.equal(code, 2, args.join(' '))
    assert.match(err, says)
    assert.equal(out, '')
  }
  const unfinished = await openperp(['mmp', '--key', 'alice'])
  assert.equal(unfinished.code, 2)
  assert.match(unfinished.out, /mmp set/)
  assert.doesNotMatch(unfinished.err, /alice/)
  const { code, json } = await openperpJson<{ error: Record<string, unknown> }>(['ordr'])
  assert.equal(code, 2)
  assert.deepEqual([json.error.kind, json.error.exit], ['misused', 2])
})

test('a missing exchange says how to start one, with code 3', async () => {
  const { code, err, out } = await openperp(['markets', '--url', 'http://127.0.0.1:9'])
  assert.equal(code, 3)
  assert.equal(out, '')
  assert.match(err, /openperp start/)
  const { json } = await openperpJson<{ error: Record<string, unknown> }>([
    'balance',
    '--key',
    'alice',
    '--url',
    'http://127.0.0.1:9',
  ])
  assert.equal(json.error.kind, 'unreachable')
})

test('similar words are suggested, different ones are not', () => {
  const words = ['order', 'orders', 'oracle', 'positions', 'audit']
  assert.equal(nearWord('oder', words), 'order')
  assert.equal(nearWord('postions', words), 'positions')
  assert.equal(nearWord('pos', words), 'positions')
  assert.equal(nearWord('aduit', words), 'audit')
  assert.equal(nearWord('banana', words), null)
})
