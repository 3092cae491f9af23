// `npm run torture:cluster -- --rounds 100`: writers lead on three real databases while leaders and
// databases are killed, paused, cut off and cancelled. Fails when anything acknowledged is lost or
// stands twice, or is acknowledged after somebody else has begun to lead. `--only killPrimary`
// deals one kind of blow; `--seed N` draws others.

import { Random } from './support/differential/random.ts'
import { type BlowName, blows, runChainRounds } from './support/postgres/chain-rounds.ts'

function textOf(flag: string): string | null {
  const at = process.argv.indexOf(flag)
  return at < 0 ? null : (process.argv[at + 1] ?? '')
}

function numberOf(flag: string, otherwise: number): number {
  const value = Number.parseInt(textOf(flag) ?? String(otherwise), 10)
  if (Number.isSafeInteger(value) && value >= 1) return value
  throw new Error(`${flag}: not a number above 0`)
}

const seed = numberOf('--seed', (Date.now() % 1_000_000) + 1)
const count = numberOf('--rounds', 100)
const only = textOf('--only')
const names = Object.keys(blows).filter((name) => only === null || name === only) as BlowName[]
if (names.length === 0) throw new Error(`--only: one of ${Object.keys(blows).join(', ')}`)
const random = new Random(seed)
const rounds = Array.from({ length: count }, () => random.pick(names))

console.log(`seed ${seed}`)
const report = await runChainRounds({ rounds, seed, say: (text) => console.log(text) })
for (const [name, times] of Object.entries(report.recoveries)) {
  const sorted = times.toSorted((one, other) => one - other)
  const middle = sorted[Math.floor(sorted.length / 2)]
  const most = sorted.at(-1)
  console.log(`${name}: ${sorted.length}, another led after ${middle} ms, ${most} at most`)
}
console.log(`leaderships ended: ${JSON.stringify(report.endings)}`)
console.log(`${report.acknowledged} acknowledged, ${report.frames} frames in the chain`)
console.log('nothing lost, nothing doubled, nothing acknowledged out of turn')
