// The program behind `npx openperp`.

import { main } from './command-line.ts'

await main(process.argv.slice(2))
