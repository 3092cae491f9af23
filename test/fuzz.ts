// `npm run fuzz -- --requests 100000`: drawn and spoiled requests over all routes, and bytes that
// are hardly HTTP. Fails on an answer from 500 on, no answer, a crash, or memory that grows by more
// than a fifth after the first fifth. `--seed N` draws others.

import { runFuzz } from './support/fuzz/fuzz-run.ts'

function numberOf(flag: string, otherwise: number): number {
  const at = process.argv.indexOf(flag)
  const value = at < 0 ? otherwise : Number.parseInt(process.argv[at + 1] ?? '', 10)
  if (!Number.isSafeInteger(value) || value < 1) throw new Error(`${flag}: not a number above 0`)
  return value
}

const growthMax = 1.2
const requests = numberOf('--requests', 100_000)
const seed = numberOf('--seed', Math.floor(Date.now() % 1_000_000))
console.log(`seed ${seed}`)
const report = await runFuzz({
  requests,
  seed,
  connections: 16,
  measureAfter: Math.ceil(requests / 5),
  say: (text) => console.log(text),
})
const { early, late, statuses } = report
const megabytes = (bytes: number) => `${Math.round(bytes / 1_048_576)} MB`
const wrong = [...report.wrong]
console.log(`answers: ${JSON.stringify(statuses)}`)
for (const kind of ['heap', 'rss'] as const) {
  console.log(`${kind}: ${megabytes(early[kind])} early, ${megabytes(late[kind])} late`)
  if (late[kind] > early[kind] * growthMax) wrong.push(`${kind} grew by more than a fifth`)
}
for (const what of wrong) console.error(`wrong: ${what}`)
console.log(wrong.length === 0 ? 'nothing broke' : 'BROKEN')
process.exit(wrong.length === 0 ? 0 : 1)
