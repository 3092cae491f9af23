// The examples and the programs of the pages about embedding run, and print the documented output.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = (() => {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder)
  return folder
})()

function printed(args: readonly string[]): string[] {
  const done = spawnSync(process.execPath, args, { cwd: root, timeout: 300_000 })
  assert.deepEqual([done.status, done.stderr.toString()], [0, ''])
  return done.stdout.toString().trimEnd().split('\n')
}

/** The same on every machine, because a seed decides everything in them. */
const outputs: Readonly<Record<string, readonly string[]>> = {
  'market-maker': [
    'hour   mark     position  fills  equity',
    '   4   40124     -13.07   37    99998.831053',
    '   8   39584     -47.85   70    99971.259861',
    '  12   38582      38.44   104    99975.200447',
    '  16   39557      15.87   136    100022.562698',
    '  20   39559      -7.12   173    100038.816255',
    '  24   40192      -2.15   195    100053.280054',
  ],
  'quote-bot': [
    'unprotected: 177 fills, holds 6.6 BTC,',
    '  tripped 0 times and back 0, equity 759343.11394 of 1000000',
    'protected: 6 fills, holds 0.4 BTC,',
    '  tripped 6 times and back 6, equity 991603.24177 of 1000000',
  ],
  'funding-arbitrage': [
    'hour 1: rate 0.00003502, in at 95611',
    'hour 86: rate -0.000000681, out at 104964',
    'funding 295.28, perpetual -7254.5 with funding and fees,',
    'coins 7612.8, together 358.3 USD',
  ],
  'liquidation-drill': [
    'without a stop',
    '100000  equity 9924.994, needs 1500, holds 1.5 BTC',
    '98000  equity 6924.994, needs 1470, holds 1.5 BTC',
    '96000  equity 3924.994, needs 1440, holds 1.5 BTC',
    '94250  equity 1121.632527, needs 979.323475, holds 1.03907 BTC',
    '94000  equity 718.774216, needs 628.2302, holds 0.66833 BTC',
    '93750  equity 459.243572, needs 401.41875, holds 0.42818 BTC',
    '93500  equity 292.953544, needs 256.0778, holds 0.27388 BTC',
    '87500  equity 0, needs 0, holds 0 BTC',
    '  backstop_liquidation close_long 0.27388 at 87500, pnl -3426.2388',
    '  market_liquidation close_long 0.1543 at 93490, pnl -1063.738028',
    '  market_liquidation close_long 0.24015 at 93740, pnl -1595.787144',
    '  market_liquidation close_long 0.37074 at 93990, pnl -2371.238211',
    '  market_liquidation close_long 0.46093 at 94240, pnl -2833.318273',
    '  normal     open_long 1.5 at 100010, pnl -60.006',
    'with a stop at 97500',
    '100000  equity 9924.994, needs 1500, holds 1.5 BTC',
    '98000  equity 6924.994, needs 1470, holds 1.5 BTC',
    '97500  equity 6101.5, needs 0, holds 0 BTC',
    '  normal     close_long 1.5 at 97490, pnl -3838.494',
    '  normal     open_long 1.5 at 100010, pnl -60.006',
  ],
}

for (const [name, lines] of Object.entries(outputs))
  test(`examples/${name}.mjs is short, runs and prints its expected output`, () => {
    const source = readFileSync(join(root, `examples/${name}.mjs`), 'utf8')
    assert.ok(source.trimEnd().split('\n').length < 60)
    assert.deepEqual(printed([`examples/${name}.mjs`]), lines)
  })

const programs = ['embedding', 'lab'].flatMap((name) => {
  const document = readFileSync(join(root, `docs/${name}.md`), 'utf8')
  const found = [...document.matchAll(/^```js\n([\s\S]*?)^```/gm)].map(([, program]) => program!)
  return found.filter((program) => name === 'embedding' || program.includes("'openperp/embed'"))
})

/** One process for all of them: most of a program's time is loading. They are inside the package,
 *  so that they can import it by its name. */
function printedByPrograms(): string[] {
  const folder = mkdtempSync(join(root, 'dist/programs-'))
  try {
    const files = programs.map((program, at) => {
      writeFileSync(join(folder, `program-${at}.mjs`), program)
      return `console.log('---')\nawait import('./program-${at}.mjs')`
    })
    writeFileSync(join(folder, 'all.mjs'), files.join('\n'))
    return printed([join(folder, 'all.mjs')])
      .join('\n')
      .split(/^---\n?/m)
      .slice(1)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('the programs of docs/embedding.md and docs/lab.md print what their comments say', () => {
  assert.ok(programs.length >= 10)
  const printed = printedByPrograms()
  programs.forEach((program, at) => {
    const said = [...program.matchAll(/^\s*console\.log\(.*\) \/\/ (.*)$/gm)].map(
      ([, text]) => text,
    )
    assert.ok(said.length > 0, program)
    assert.deepEqual(printed[at]?.trimEnd().split('\n'), said, program)
  })
})
