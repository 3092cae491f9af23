// The generated pages docs/api/reference.md and docs/operating/admin.md, and their paths.

import { fileURLToPath } from 'node:url'
import { sandboxKeys } from '../client/sandbox-keys.ts'
import { adminOperations } from '../gateway/admin/admin-operations.ts'
import { adminMarkdown } from '../gateway/documents/admin-markdown.ts'
import { referenceMarkdown } from '../gateway/documents/reference-markdown.ts'
import { apiOperations } from '../gateway/routes/all-operations.ts'

/** Paths of the pages, resolved from the built program to the root of the repository. */
export const referenceFile = fileURLToPath(
  new URL('../../../docs/api/reference.md', import.meta.url),
)

export const adminPageFile = fileURLToPath(
  new URL('../../../docs/operating/admin.md', import.meta.url),
)

const [alice, bob] = sandboxKeys.map(({ key }) => key.address) as [string, string]
export const exampleTraders = { alice, bob }

export function reference(): string {
  return referenceMarkdown(apiOperations('sandbox'), exampleTraders)
}

export function adminPage(): string {
  return adminMarkdown(adminOperations)
}
