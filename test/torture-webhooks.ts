// `npm run torture:webhooks`: an exchange that tells a receiver of deposits and withdrawals, one of
// the two killed with -9 a hundred times at random moments. Fails when a step that was acknowledged
// was not applied, or one twice, or out of order. `--rounds N`, `--seed N`.

import { numberOf } from './support/torture/flags.ts'
import { runWebhookRounds } from './support/webhooks/webhook-rounds.ts'

const seed = numberOf('--seed', Math.floor(Date.now() % 1_000_000))
const rounds = numberOf('--rounds', 100)
const say = (text: string) => console.log(text)
say(`seed ${seed}`)
const { kills, told, wrong } = await runWebhookRounds({ rounds, seed, say })
say(`${kills.exchange} kills of the exchange, ${kills.receiver} of the receiver`)
for (const each of wrong) say(each)
say(wrong.length === 0 ? `${told} steps told, each applied once and in order` : 'BREACHED')
process.exit(wrong.length === 0 ? 0 : 1)
