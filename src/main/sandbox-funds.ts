// Funds the accounts of a new sandbox: the two keys that it prints, or those that a fixture names.
// An existing account is not changed, and a fork gets none. A reset returns to the state after
// this.

import { sandboxKeys } from '../client/sandbox-keys.ts'
import type { Config } from '../config.ts'
import { keyOfName } from '../embed/options/named-keys.ts'
import type { Exchange } from '../gateway/exchange.ts'

/** 100,000 USD. */
const funds = 100_000_000_000

export async function fundAccounts(
  { fixture, accounts }: Config,
  { sandbox, view, settings }: Exchange,
  isNew: boolean,
): Promise<void> {
  if (sandbox === null) return
  if (settings.fork) return sandbox.keepStart()
  const named = fixture
    ? accounts.map(({ name, amount }) => ({ address: keyOfName(name).address, amount }))
    : sandboxKeys.map(({ key }) => ({ address: key.address, amount: funds }))
  for (const { address, amount } of named)
    if (view.accounts.idOf(address) === 0) await sandbox.fund(address, amount)
  if (isNew) await sandbox.keepStart()
}
