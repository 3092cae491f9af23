// docs/api/reference.md as it has to be, and where it is.

import { fileURLToPath } from 'node:url'
import { sandboxKeys } from '../client/sandbox-keys.ts'
import { referenceMarkdown } from '../gateway/documents/reference-markdown.ts'
import { apiOperations } from '../gateway/operations/all-operations.ts'

/** Of the clone, from the built program. */
export const referenceFile = fileURLToPath(
  new URL('../../../docs/api/reference.md', import.meta.url),
)

const [alice, bob] = sandboxKeys.map(({ key }) => key.address) as [string, string]
export const exampleTraders = { alice, bob }

export function reference(): string {
  return referenceMarkdown(apiOperations('sandbox'), exampleTraders)
}
