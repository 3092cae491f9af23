// Metrics of requests to the admin port with an unknown token.

import type { FailedTokens } from '../../gateway/admin/access/failed-tokens.ts'
import { Counter, type Registry } from '../../gateway/packages.ts'

export function addAccessMetrics(registry: Registry, failed: Pick<FailedTokens, 'total'>): void {
  new Counter({
    name: 'openperp_admin_token_failures_total',
    help: 'Requests to the admin port with a wrong token since startup; many suggest guessing',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(failed.total)
    },
  })
}
