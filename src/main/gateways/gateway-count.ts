// How many gateway processes serve the public beside the process that leads; 0: it does so itself.

import { availableParallelism } from 'node:os'

const autoMax = 8
/** With fewer cores the processes would only get in each other's way. */
const autoCoresMin = 3

export function gatewayCount(setting: number | 'auto', cores = availableParallelism()): number {
  if (setting !== 'auto') return setting
  return cores < autoCoresMin ? 0 : Math.min(cores - 1, autoMax)
}
