// The token of a sandbox that other machines can reach. At its start the sandbox prints an address
// of the terminal with the token in the fragment. The browser stores the token.

import { sandboxTokenName } from '../../protocol/auth/sandbox-addresses.ts'
import type { Storage } from './preferences.ts'

export function sandboxTokenOf(fragment: string, storage: Storage): string | undefined {
  const given = new URLSearchParams(fragment.replace(/^#/, '')).get(sandboxTokenName)
  if (given !== null) storage.set(sandboxTokenName, given)
  return given ?? storage.get(sandboxTokenName) ?? undefined
}
