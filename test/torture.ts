// `npm run torture -- --kills 200 --reverts 50`: a real exchange is killed at random moments under
// load, and sent back to snapshots. Fails when anything acknowledged is lost, doubled or undone, or
// when what is replayed differs. `--seed N` draws other histories; the machine draws the instants.

import { runKillRounds } from './support/torture/kill-rounds.ts'
import { runRevertRounds } from './support/torture/revert-rounds.ts'

function numberOf(flag: string): number | null {
  const at = process.argv.indexOf(flag)
  if (at < 0) return null
  const value = Number.parseInt(process.argv[at + 1] ?? '', 10)
  if (Number.isSafeInteger(value) && value >= 1) return value
  throw new Error(`${flag}: not a number above 0`)
}

const seed = numberOf('--seed') ?? Math.floor(Date.now() % 1_000_000)
const kills = numberOf('--kills')
const reverts = numberOf('--reverts')
const revertMsMax = 100
console.log(`seed ${seed}`)

async function torture(): Promise<readonly string[]> {
  const wrong: string[] = []
  const say = (text: string) => console.log(text)
  if (kills !== null) {
    const report = await runKillRounds({ kills, seed, traders: 6, loadMsMax: 800, say })
    const { known, doubted, entries, moments, readyMsMax } = report
    const counted = Object.entries(moments).map(([moment, count]) => `${count} ${moment}`)
    say(`${report.kills} kills (${counted.join(', ')}), ${entries} entries of history`)
    say(
      `${known} known outcomes, ${doubted} found out afterwards; ready in ${readyMsMax} ms at most`,
    )
    wrong.push(...report.wrong)
  }
  if (reverts !== null) {
    const report = await runRevertRounds({ rounds: reverts, requests: 1_000, seed, say })
    const [most, median] = [report.revertMsMax, report.revertMsMedian].map(Math.round)
    say(`${reverts} reverts, each in ${most} ms at most and ${median} ms in the middle`)
    wrong.push(...report.wrong)
    if (report.revertMsMedian >= revertMsMax) wrong.push(`a revert takes ${revertMsMax} ms or more`)
  }
  if (kills === null && reverts === null) wrong.push('neither --kills nor --reverts was given')
  return wrong
}

const wrong = await torture()
for (const what of wrong) console.error(`wrong: ${what}`)
console.log(wrong.length === 0 ? 'nothing lost, nothing doubled, nothing undone' : 'BREACHED')
process.exit(wrong.length === 0 ? 0 : 1)
