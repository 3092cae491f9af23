import { drawnSeed, number } from './support/program/options.ts'
import { programOptions } from './support/program/program.ts'
import { runWebhookRounds } from './support/webhooks/webhook-rounds.ts'

const { rounds, seed } = programOptions({
  name: 'torture/webhooks',
  about:
    'An exchange that sends deposits and withdrawals to a receiver; one of the two is killed ' +
    'with -9 at random moments. Exits with code 1 if an acknowledged step was not applied, was ' +
    'applied twice or out of order.',
  options: { rounds: number(100, 'kills'), seed: drawnSeed() },
})
const say = (text: string) => console.log(text)
say(`seed ${seed}`)
const { kills, delivered, wrong } = await runWebhookRounds({ rounds, seed, say })
say(`${kills.exchange} kills of the exchange, ${kills.receiver} of the receiver`)
for (const each of wrong) say(each)
say(
  wrong.length === 0 ? `${delivered} steps delivered, each applied once and in order` : 'BREACHED',
)
process.exit(wrong.length === 0 ? 0 : 1)
