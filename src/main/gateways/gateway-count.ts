// Number of gateway processes that serve the public API; 0 if the leader serves it.

import cluster from 'node:cluster'
import { availableParallelism } from 'node:os'

const autoMax = 8
/** With fewer cores the processes would only compete for them. */
const autoCoresMin = 3

export function gatewayCount(setting: number | 'auto', cores = availableParallelism()): number {
  if (setting === 0 || (setting === 'auto' && cluster.isWorker)) return 0
  if (cluster.isWorker)
    throw new Error('this process is a worker of another one and has no gateways: use --gateways 0')
  if (setting !== 'auto') return setting
  return cores < autoCoresMin ? 0 : Math.min(cores - 1, autoMax)
}
