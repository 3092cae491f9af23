// docs/operating/first-day.md, typed as it stands: every line of its blocks, in their order. Only
// where the prices come from, and which ports are free, is not on the page. `npm run x first-day`
// has a shell read the lines and a process for each; here the commands run in this process, but
// for the venue itself.

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { runCli } from '../../src/cli/frame/run-cli.ts'
import { version } from '../../src/gateway/documents/version.ts'
import { allCommands } from '../../src/main/command-line.ts'
import { speeches } from '../support/price-sources/speeches.ts'
import { TickerServer } from '../support/price-sources/ticker-server.ts'

const program = fileURLToPath(new URL('../../src/main/openperp.js', import.meta.url))
const page = readFileSync(new URL('../../../docs/operating/first-day.md', import.meta.url), 'utf8')
const lines = [...page.matchAll(/^```\n([\s\S]*?)^```$/gm)].flatMap(([, block]) =>
  block!.trim().split('\n'),
)

const home = mkdtempSync(join(tmpdir(), 'openperp-first-day-'))
const spoken = ['binance', 'coinbase', 'kraken'] as const
const paths = { binance: '/ws', coinbase: '', kraken: '/v2' } as const
const servers = spoken.map((kind) => new TickerServer(speeches[kind]))
const ports = await Promise.all(servers.map((server) => server.listen()))
const saying = setInterval(() => {
  for (const [at, server] of servers.entries()) {
    const speech = speeches[spoken[at]!]
    const atMs = Date.now()
    server.say(
      ...[`10500${at}.5`, `350${at}.25`].map((price, index) =>
        speech.price({ symbol: speech.symbols[index]!, price, atMs }),
      ),
    )
  }
}, 100)
let venue: ChildProcess | null = null
after(async () => {
  clearInterval(saying)
  if (venue !== null && venue.exitCode === null) {
    venue.kill('SIGINT')
    await once(venue, 'close')
  }
  for (const server of servers) await server.close()
  process.chdir(tmpdir())
  rmSync(home, { recursive: true, force: true })
})

const shell: Record<string, string> = Object.fromEntries(
  Object.entries(process.env).flatMap(([name, value]) =>
    name.startsWith('OPENPERP_') || value === undefined ? [] : [[name, value]],
  ),
)
shell.HOME = home
shell.PATH = `${join(home, 'bin')}:${process.env.PATH}`
let folder = home
const throughShell = process.env.OPENPERP_FIRST_DAY === 'shell'

/** `npx openperp …` is the built program. */
mkdirSync(join(home, 'bin'))
const run = `exec "${process.execPath}" "${program}" "$@"`
const shim = `#!/bin/sh\n[ "$1" = openperp ] || exit 9\nshift\n${run}\n`
writeFileSync(join(home, 'bin', 'npx'), shim, { mode: 0o755 })

function typed(line: string): ChildProcess {
  return spawn('/bin/sh', ['-c', `exec ${line}`], {
    ...{ cwd: folder, env: shell, stdio: ['ignore', 'pipe', 'pipe'] },
  })
}

async function saidBy(line: string): Promise<string> {
  return throughShell ? saidInShell(line) : saidHere(line)
}

/** `$(…)`, quotes and words are all that the page uses of a shell. */
async function saidHere(line: string): Promise<string> {
  let whole = line
  for (const [call, inner] of line.matchAll(/\$\((.*?)\)/g))
    whole = whole.replace(call, (await saidHere(inner!)).trim())
  const words = [...whole.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!)
  assert.deepEqual(words.slice(0, 2), ['npx', 'openperp'], line)
  let said = ''
  const stream = {
    write(text: string) {
      said += text
    },
  }
  process.chdir(folder)
  const code = await runCli(words.slice(2), {
    ...{ commands: allCommands, environment: shell, out: stream, err: stream, keyboard: null },
    ...{ signal: new AbortController().signal, version },
  })
  assert.equal(code, 0, `${line}\n${said}`)
  return said
}

async function saidInShell(line: string): Promise<string> {
  const child = typed(line)
  let said = ''
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding('utf8').on('data', (text) => {
      said += text
    })
  const [code] = await once(child, 'close')
  assert.equal(code, 0, `${line}\n${said}`)
  return said
}

/** Until the banner shows the address. */
async function start(line: string): Promise<void> {
  shell.OPENPERP_PORT = '0'
  shell.OPENPERP_ADMIN_PORT = '0'
  shell.OPENPERP_COMPAT_PORT = 'off'
  venue = typed(line)
  let said = ''
  venue.stderr!.setEncoding('utf8').on('data', (text) => {
    said += text
  })
  for await (const text of venue.stdout!.setEncoding('utf8')) {
    said += text
    const api = /API +(http:\/\/[^ ]+:\d+)\/api/.exec(said)
    const plane = /Admin +(http:\/\/[^ ]+:\d+)/.exec(said)
    if (api === null || plane === null || !said.includes('Ctrl-C')) continue
    Object.assign(shell, { OPENPERP_URL: api[1], OPENPERP_ADMIN_URL: plane[1] })
    for (const name of ['PORT', 'ADMIN_PORT', 'COMPAT_PORT']) delete shell[`OPENPERP_${name}`]
    venue.stdout!.resume()
    return
  }
  assert.fail(`the venue did not start: ${said}`)
}

/** Again until it is so: prices take a moment to come. */
async function until(line: string, isSo: RegExp): Promise<string> {
  for (const from = Date.now(); ; ) {
    const said = await saidBy(line)
    if (isSo.test(said)) return said
    assert.ok(Date.now() - from < 60_000, `${line} still says\n${said}`)
    await new Promise((done) => setTimeout(done, 100))
  }
}

/** What a line has to say, by how it begins. */
const expected: readonly (readonly [RegExp, RegExp])[] = [
  [
    /admin prices/,
    /BTC is .*: binance 105000\.5, coinbase 105001\.5, kraken 105002\.5\nETH is .*binance.*kraken/,
  ],
  [/markets$/, /^BTC +1050\d\d .* live$[\s\S]*^ETH .* live$/m],
  [/balance/, /10000/],
  [/order BTC bid/, /status +filled/],
  [/positions/, /BTC +.*0\.01/],
  [/admin journal/, /money +first deposit +CreditDeposit/],
  [/admin reserves$/, /^insurance +50000$[\s\S]*^ETH .* 25000$/m],
  [/set-limits/, /^approval_above +10000$/m],
  [/preview-change/, /^holders +2$/m],
  [/ restore /, /^restored to /m],
  [/admin accounts/, /^found +3$/m],
]

test('from nothing to a trade, line by line as the page has it', async () => {
  assert.ok(lines.length >= 15, 'the page has its blocks')
  assert.ok(!page.includes('curl '), 'no line needs curl')
  for (const line of lines) {
    const [, target] = /^cd (\S+)$/.exec(line) ?? []
    if (target !== undefined) folder = join(folder, target)
    else if (line.endsWith(' start')) await start(line)
    else if (line.includes(' init venue ')) {
      const urls = spoken.map((kind, at) => `${kind}=ws://127.0.0.1:${ports[at]}${paths[kind]}`)
      await saidBy(`${line} --source-url ${urls.join(',')}`)
    } else {
      const wanted = expected.find(([begins]) => begins.test(line))
      await (wanted === undefined ? saidBy(line) : until(line, wanted[1]))
    }
  }
  for (const [begins] of expected)
    assert.ok(
      lines.some((line) => begins.test(line)),
      `${begins} is not on the page`,
    )
})
