import { runFuzz } from './support/fuzz/fuzz-run.ts'
import { drawnSeed, number } from './support/program/options.ts'
import { programOptions } from './support/program/program.ts'

const growthMax = 1.2
const { requests, seed } = programOptions({
  name: 'fuzz',
  about:
    'Random and malformed requests over all routes, and bytes that are hardly HTTP. Exits with ' +
    'code 1 at a reply with a status of 500 or more, no reply, a crash, or memory that grows by ' +
    'more than a fifth after the first fifth.',
  options: { requests: number(100_000, 'requests'), seed: drawnSeed() },
})
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
