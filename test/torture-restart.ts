// `npm run torture:restart`: a real sandbox is killed with -9 two hundred times, at random moments
// of every scenario, path and movement of its clock, bots on or off. Fails when a restart changes a
// mark, a book or an account before its first tick, or when the first tick has another price than
// the one at which the market stood. `--restarts N`, `--seed N`; the machine draws the instants.

import { runRestartRounds } from './support/torture/restart-rounds.ts'

function numberOf(flag: string): number | null {
  const at = process.argv.indexOf(flag)
  if (at < 0) return null
  const value = Number.parseInt(process.argv[at + 1] ?? '', 10)
  if (Number.isSafeInteger(value) && value >= 1) return value
  throw new Error(`${flag}: not a number above 0`)
}

const seed = numberOf('--seed') ?? Math.floor(Date.now() % 1_000_000)
const restarts = numberOf('--restarts') ?? 200
const say = (text: string) => console.log(text)
say(`seed ${seed}`)
const report = await runRestartRounds({ restarts, seed, waitMsMax: 1_500, say })
const played = Object.entries(report.played).map(([what, count]) => `${count} ${what}`)
say(`${report.restarts} restarts by kill -9, ${report.entries} entries of history`)
say(`played: ${played.join(', ')}`)
say(`${report.firstTicks} first ticks and ${report.pathTicks} prices of paths were as they must be`)
say(`${report.compared} times the API showed the same before and after, to the digit`)
say(report.wrong.length === 0 ? 'no restart changed anything' : 'BREACHED')
process.exit(report.wrong.length === 0 ? 0 : 1)
