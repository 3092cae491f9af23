// The core against its twin in a short history of every kind of world; ends with exit code 1 at the
// first difference, which is not looked into.

import { Coverage } from '../differential/coverage.ts'
import { runWorld } from '../differential/run-world.ts'
import { profiles } from '../differential/world.ts'

const options = { commands: 700, views: 20, invariants: 20, cuts: 0 }

for (let seed = 0; seed < profiles.length; seed++)
  if (runWorld({ ...options, seed }, new Coverage()).failure !== null) process.exit(1)
