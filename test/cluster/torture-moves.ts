import { runMoves } from '../programs/moves/move-rounds.ts'
import { drawnSeed, number } from '../support/program/options.ts'
import { programOptions } from '../support/program/program.ts'

const { commands, kills, seed } = programOptions({
  name: 'torture/moves',
  about:
    'An exchange goes into a cluster, out of it and in again, on two real databases: the state ' +
    'must stay the same. Then `cluster adopt` and `cluster leave` are killed at random points, ' +
    'and must complete when they are run again. Exits with code 1 if the exchange could go on at ' +
    'two places, or with a part of its history.',
  options: {
    commands: number(1_000_000, 'signed orders and cancels of the history'),
    kills: number(10, 'kills, in turn of adopt and of leave', { min: 0 }),
    seed: drawnSeed(),
  },
})

console.log(`seed ${seed}`)
const report = await runMoves({ commands, kills, seed, say: (text) => console.log(text) })
console.log(`${kills} kills; ${report.missed} commands had ended before`)
console.log(`the same state in, out and in again: ${report.state.hash} after ${report.state.seq}`)
