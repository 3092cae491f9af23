import { runKillRounds } from './programs/torture/kill-rounds.ts'
import { runRevertRounds } from './programs/torture/revert-rounds.ts'
import { drawnSeed, number } from './support/program/options.ts'
import { programOptions } from './support/program/program.ts'

const given = programOptions({
  name: 'torture/exchange',
  about:
    'An exchange is killed with -9 at random moments under load, and reverted to snapshots. ' +
    'Exits with code 1 if anything acknowledged is lost, doubled or undone, or if a replay ' +
    'differs.',
  options: {
    kills: number(null, 'kills', { initially: '200 without --reverts' }),
    reverts: number(null, 'reverts', { initially: '50 without --kills' }),
    seed: drawnSeed('of the histories; the moments differ in each run'),
  },
})
const { seed } = given
const isPlain = given.kills === null && given.reverts === null
const [kills, reverts] = isPlain ? [200, 50] : [given.kills, given.reverts]
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
  return wrong
}

const wrong = await torture()
for (const what of wrong) console.error(`wrong: ${what}`)
console.log(wrong.length === 0 ? 'nothing lost, nothing doubled, nothing undone' : 'BREACHED')
process.exit(wrong.length === 0 ? 0 : 1)
