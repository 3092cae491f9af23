// Time as webhooks see it in a test that does not wait: after a moment a longer wait is over, and
// the clock is ahead by it.

import { setTimeout as sleep } from 'node:timers/promises'
import type { DelivererTime } from '../../../src/main/webhooks/deliverer.ts'

const momentMs = 1_000

export function hurriedTime(): DelivererTime {
  let aheadMs = 0
  return {
    now: () => Date.now() + aheadMs,
    async sleep(forMs, signal) {
      if (forMs > momentMs) aheadMs += forMs
      await sleep(Math.min(forMs, 20), undefined, { signal })
    },
  }
}
