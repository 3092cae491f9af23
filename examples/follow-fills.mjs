// Follows the fills of an account live, through reconnects, without missing one:
//   node examples/follow-fills.mjs <address> [http://127.0.0.1:8080]
// `openperp/client` is built by `npm start`.

import { Client } from 'openperp/client'

const [account, url = 'http://127.0.0.1:8080'] = process.argv.slice(2)
if (account === undefined) {
  console.error('usage: node examples/follow-fills.mjs <address> [url]')
  process.exit(2)
}

const stream = new Client({ url, account }).stream({
  onHealth({ state, ended }) {
    if (state === 'waiting') console.error(`connection ended: ${ended}`)
  },
})
const fills = stream.follow('account_trades', {})
await fills.ready
console.error(`following ${account}`)
for await (const { data, gap } of fills) {
  if (gap !== null) console.error(`${gap.reason}: GET /trades/history has what is missing`)
  for (const { h, s, ts, a, p, f, n } of data)
    console.log(`#${h} ${s} ${ts} ${a} at ${p}, fee ${f}, profit ${n}`)
}
