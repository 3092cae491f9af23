import { writeGolden } from './golden.ts'

const name = process.argv[2]
if (name === undefined) {
  console.error('usage: npm run golden -- <version>')
  process.exitCode = 2
} else
  for (const seed of [11, 12]) {
    const golden = await writeGolden(`${name}-${seed}`, seed, 1_200)
    console.log(`${name}-${seed}: ${golden.seq} entries, state ${golden.state}`)
  }
