// What `npm start` runs: for now a trading session on the core, until there is a door to open.

import { runDemo } from './demo/demo.ts'

process.exitCode = runDemo((line) => console.log(line)) ? 0 : 1
