// deploy/venue by the programs that its files are for.

import { join } from 'node:path'
import {
  type Checked,
  checkCaddyfile,
  checked,
  composeConfig,
  run,
  unitsHere,
  verifyUnits,
} from './checkers.ts'

export function checkVenue(venue: string, clone: string, scratch: string): readonly Checked[] {
  const folder = join(scratch, 'venue-units')
  const units = unitsHere(join(venue, 'systemd'), clone, folder)
  return [
    ...checkCaddyfile(venue),
    verifyUnits(folder, units),
    composeConfig(venue, 'compose.yaml', { COMPOSE_PROFILES: 'watch' }),
    checked('hadolint Dockerfile', run(['hadolint', 'Dockerfile'], venue)),
  ].map((each) => ({ ...each, what: `venue: ${each.what}` }))
}
