import { number } from '../support/program/options.ts'
import { programOptions } from '../support/program/program.ts'
import { runResumeRounds } from '../support/streams/resume/resume-rounds.ts'

const { restarts, seed, gateways } = programOptions({
  name: 'streams/resume-soak',
  about:
    'An exchange that is stopped or killed while two accounts trade. Clients resume streams ' +
    'after each start. Fails if one misses an event or receives one twice.',
  options: {
    restarts: number(50, 'restarts'),
    seed: number(1, 'of what is drawn at random'),
    gateways: number(0, 'gateway processes', { min: 0, max: 8 }),
  },
})
const say = (text: string) => console.log(text)
const { rows, kills, resumed } = await runResumeRounds({ restarts, seed, gateways, say })
const counts = Object.entries(rows).map(([source, count]) => `${count} rows of ${source}`)
say(`${restarts} restarts, ${kills} of them by kill -9; ${resumed} subscriptions resumed`)
say(`${counts.join(', ')}: as history has them, none missed, none twice`)
