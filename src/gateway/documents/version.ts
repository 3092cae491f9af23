// Facts about this package.

import { readFileSync } from 'node:fs'

type Manifest = Readonly<{ version: string; repository: Readonly<{ url: string }> }>

const manifest = JSON.parse(
  readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8'),
) as Manifest

export const version = manifest.version
/** Address of its repository. */
export const repository = manifest.repository.url.replace(/^git\+|\.git$/g, '')
