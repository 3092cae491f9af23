// Dockerfile, action.yml and the files of deploy/ci, without a container engine: paths, commands
// and flags exist, and what they run works here.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { settingNames, variableOf } from '../../src/config/settings.ts'
import { readConfig } from '../../src/config.ts'
import { allCommands } from '../../src/main/command-line.ts'
import { isAlive } from '../support/running/is-alive.ts'

const clone = fileURLToPath(new URL('../../../', import.meta.url))
const textOf = (path: string) => readFileSync(join(clone, path), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'openperp-ci-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const dockerfile = textOf('Dockerfile')
/** Arguments of each instruction, in order. */
const instructions = dockerfile
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)] as const)
const allOf = (name: string) => instructions.filter(([each]) => each === name).map(([, it]) => it)
const manifest = JSON.parse(textOf('package.json'))
const installed = '/opt/openperp/node_modules/openperp/'

test('the image is built of existing files, and runs as a user without rights', () => {
  const known = /^(?:FROM|WORKDIR|COPY|RUN|USER|ENV|VOLUME|EXPOSE|HEALTHCHECK|ENTRYPOINT|CMD)$/
  for (const [name] of instructions) assert.match(name, known)
  const ignored = textOf('.dockerignore').trim().split('\n')
  const needed = ['package.json', 'package-lock.json', 'src', 'scripts', 'docs', 'deploy', 'test']
  for (const path of needed) {
    assert.ok(existsSync(join(clone, path)), path)
    assert.ok(!ignored.includes(path), path)
  }
  for (const path of ['.git', 'node_modules', 'dist']) assert.ok(ignored.includes(path), path)
  for (const [source] of allOf('COPY').map((each) => each.split(' ').filter((it) => it[0] !== '-')))
    assert.ok(['.', '/packed'].includes(source!), source)
  const user = allOf('USER').at(-1)!
  const creates = allOf('RUN').findIndex((line) => line.includes(`useradd`))
  assert.ok(creates >= 0 && allOf('RUN')[creates]!.endsWith(' /var/backups/openperp'))
  assert.match(allOf('RUN')[creates]!, new RegExp(`useradd .* ${user} && install -d -o ${user}`))
  const order = instructions.map(([name]) => name)
  assert.ok(order.lastIndexOf('RUN') < order.indexOf('USER'), 'nothing runs as root after it')
  const images = allOf('FROM').map((each) => each.split(' ')[0])
  const [, wanted] = /^FROM (\S+)$/m.exec(textOf('deploy/venue/Dockerfile'))!
  assert.deepEqual(images, [wanted, wanted])
})

test('the image starts what the package has, with existing settings', () => {
  const [program] = JSON.parse(allOf('ENTRYPOINT')[0]!).slice(1) as [string]
  assert.equal(program, installed + manifest.bin.openperp)
  const [name] = JSON.parse(allOf('CMD')[0]!) as [string]
  assert.ok(allCommands.some((command) => command.name === name))
  const environment = Object.fromEntries(
    allOf('ENV')[0]!
      .split(' ')
      .map((each) => each.split('=')),
  )
  const variables = new Set(settingNames.map(variableOf))
  for (const variable of Object.keys(environment)) assert.ok(variables.has(variable), variable)
  const config = readConfig([], environment, '/')
  assert.deepEqual([config.mode, config.host], ['sandbox', '0.0.0.0'])
  const volumes = JSON.parse(allOf('VOLUME')[0]!) as string[]
  assert.ok(volumes.includes(config.data) && volumes.includes('/var/backups/openperp'))
  const ports = [config.port, config.compatPort]
  assert.deepEqual(allOf('EXPOSE')[0]!.split(' ').map(Number), ports)
  // The compose file of a venue uses the same paths.
  const compose = textOf('deploy/venue/compose.yaml')
  for (const path of [program, ...volumes]) assert.ok(compose.includes(path), path)
})

test('action.yml passes its inputs on, and uses each of them', () => {
  const action = textOf('action.yml')
  const [, inputs, rest] = /\ninputs:\n([\s\S]*?)\noutputs:\n([\s\S]*)/.exec(action)!
  const names = [...inputs!.matchAll(/^ {2}([\w-]+):$/gm)].map(([, name]) => name!)
  const used = [...rest!.matchAll(/inputs\.([\w-]+)/g)].map(([, name]) => name!)
  assert.deepEqual([...new Set(used)].toSorted(), names.toSorted())
  assert.match(rest!, /using: composite/)
  const ids = [...rest!.matchAll(/- id: (\w+)/g)].map(([, id]) => id!)
  for (const [, id] of rest!.matchAll(/steps\.(\w+)\./g)) assert.ok(ids.includes(id!), id)
  const [, path] = /\$GITHUB_ACTION_PATH\/(\S+?)"/.exec(rest!)!
  const script = textOf(path!)
  for (const [, variable] of rest!.matchAll(/^ {8}([A-Z]+): /gm))
    assert.ok(script.includes(`{${variable}:-`) || rest!.includes(`"$${variable}"`), variable)
  for (const line of action.split('\n')) assert.doesNotMatch(line, /\t|\s$/)
})

type Ran = Readonly<{ status: number | null; out: string; errors: string }>

const program = join(clone, 'dist/src/main/openperp.js')
const files = { env: join(folder, 'env'), output: join(folder, 'output') }

function script(command: string, flags = ''): Ran {
  const environment = { FOLDER: join(folder, 'job'), FLAGS: flags, OPENPERP_BIN: program }
  const { status, stdout, stderr } = spawnSync(
    'bash',
    [join(clone, 'deploy/ci/fixture.sh'), command],
    {
      env: { ...process.env, ...environment, GITHUB_ENV: files.env, GITHUB_OUTPUT: files.output },
      encoding: 'utf8',
    },
  )
  return { status, out: stdout, errors: stderr }
}

test('the script of the action starts a fixture, exports it, and leaves a report', async () => {
  assert.equal(spawnSync('bash', ['-n', join(clone, 'deploy/ci/fixture.sh')]).status, 0)
  assert.match(script('stop').errors, /^::error::command must be start or report, not stop$/m)
  assert.match(script('report').errors, /^::error::there is no fixture in .*: run start first$/m)
  const failed = script('start', '--seeds 7')
  assert.equal(failed.status, 1)
  assert.match(failed.errors, /::error::the fixture did not start: .*no flag --seeds/)

  const started = script('start', '--seed 7 --host 0.0.0.0')
  assert.equal(started.status, 0, started.errors)
  const [, url] = /^OPENPERP_URL=(.*)$/m.exec(readFileSync(files.env, 'utf8'))!
  const [, token] = /^OPENPERP_SANDBOX_TOKEN=(.*)$/m.exec(readFileSync(files.env, 'utf8'))!
  assert.equal(readFileSync(files.output, 'utf8'), `url=${url}\nsandbox-token=${token}\n`)
  assert.equal(started.out, `::add-mask::${token}\n`)
  const pid = Number(readFileSync(join(folder, 'job/pid'), 'utf8'))
  assert.match(script('start').errors, /a fixture is running already/)

  // The health check reads the port from the flags of the first process.
  const health = (cmdline: string) => {
    writeFileSync(join(folder, 'cmdline'), cmdline)
    const [command, ...flags] = JSON.parse(/CMD (.*)$/.exec(allOf('HEALTHCHECK')[0]!)![1]!)
    assert.equal(command, 'node')
    const path = flags[0].replace(installed, clone)
    const env = { ...process.env, HEALTH_CMDLINE: join(folder, 'cmdline'), OPENPERP_PORT: '1' }
    return spawnSync(process.execPath, [path], { env }).status
  }
  const { port } = new URL(url!)
  assert.equal(health(`node\0openperp.mjs\0start\0--port\0${port}\0--fixture`), 0)
  assert.equal(health(`node\0openperp.mjs\0start\0--port=${port}\0`), 0)
  assert.equal(health('node\0openperp.mjs\0start\0'), 1)

  assert.equal(script('report').status, 0)
  assert.equal(isAlive(pid), false)
  const report = join(folder, 'job/report')
  for (const name of ['ready.json', 'log.txt', 'status.json', 'hash.json', 'clock.json', 'data'])
    assert.ok(existsSync(join(report, name)), name)
  const hash = JSON.parse(readFileSync(join(report, 'hash.json'), 'utf8'))
  assert.match(hash.data.trading_hash, /^[0-9a-f]{64}$/)
})
