// `npm run rebuild -- --data <folder>`: makes the history store anew from the journal. The exchange
// must not be running there. Nothing else of the folder is touched.

import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Rebuilt, rebuildHistory } from './rebuild-history.ts'

const usage = 'usage: npm run rebuild -- [--data <folder>]   (./data unless given)'

async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { data: { type: 'string' } } })
  const folder = resolve(values.data ?? './data')
  const started = performance.now()
  const say = ({ seq, events }: Rebuilt, end: string) => {
    const seconds = (performance.now() - started) / 1_000
    const rate = Math.round(events / Math.max(seconds, 0.001))
    process.stderr.write(`\r${seq} entries, ${events} events, ${rate} events/s${end}`)
  }
  const rebuilt = await rebuildHistory(folder, {
    onProgress: (progress) => say(progress, ''),
    onWarning: (text) => console.error(`openperp: ${text}`),
  })
  say(rebuilt, '\n')
  const { fromSeq } = rebuilt
  if (fromSeq > 0) console.error(`openperp: the journal begins after entry ${fromSeq}; so does it`)
  console.log(`${folder}: history is made anew up to entry ${rebuilt.seq}`)
}

run(process.argv.slice(2)).catch((error: Error) => {
  const misused = (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS') ?? false
  console.error(misused ? `${error.message}\n${usage}` : `openperp: ${error.message}`)
  process.exitCode = misused ? 2 : 1
})
