// The core against its twin in a short history of every kind of world; ends with exit code 1 at the
// first difference, which is not looked into.

import { Coverage } from '../differential/coverage.ts'
import { runWorld } from '../differential/run-world.ts'
import { profiles } from '../differential/world.ts'

const options = { views: 10, invariants: 20, cuts: 0 }
/** The first hour of funding ends after some hundred samples, and a crash comes more than once. */
const lengths = {
  mixed: 600,
  crash: 900,
  funding: 900,
  isolated: 900,
  texts: 400,
  days: 600,
  crowded: 400,
}

profiles.forEach((profile, seed) => {
  const world = { ...options, commands: lengths[profile], seed }
  if (runWorld(world, new Coverage()).failure !== null) process.exit(1)
})
