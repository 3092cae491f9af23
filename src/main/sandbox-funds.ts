// Funds the two keys that a new sandbox prints. An existing sandbox is not changed.

import { sandboxKeys } from '../client/sandbox-keys.ts'
import type { Exchange } from '../gateway/exchange.ts'

/** 100,000 USD. */
const funds = 100_000_000_000

export async function fundSandboxKeys({ sandbox, view }: Exchange): Promise<void> {
  if (sandbox === null) return
  for (const { key } of sandboxKeys)
    if (view.accounts.idOf(key.address) === 0) await sandbox.fund(key.address, funds)
}
