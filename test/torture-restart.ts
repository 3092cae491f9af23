import { runRestartRounds } from './programs/torture/restart-rounds.ts'
import { drawnSeed, number } from './support/program/options.ts'
import { programOptions } from './support/program/program.ts'

const { restarts, seed } = programOptions({
  name: 'torture/restart',
  about:
    'A sandbox is killed with -9 at random moments of every scenario, path and movement of its ' +
    'clock, with and without bots. Exits with code 1 if a restart changes a mark, a book or an ' +
    'account before its first tick, or if the first tick has another price than the market had.',
  options: { restarts: number(200, 'kills'), seed: drawnSeed('of what is played') },
})
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
