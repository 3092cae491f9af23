// The generated modules of the Python package, and their paths.

import { fileURLToPath } from 'node:url'
import { version } from '../../gateway/documents/version.ts'
import { pythonChannels } from './python-channels.ts'
import { generatedNote, pythonOperations } from './python-operations.ts'

// Resolved from the built program to the root of the repository.
const place = (name: string) =>
  fileURLToPath(new URL(`../../../../python/openperp/${name}`, import.meta.url))

export function pythonFiles(): readonly (readonly [file: string, text: string])[] {
  const { operations, schemas } = pythonOperations()
  return [
    [place('_operations.py'), operations],
    [place('schemas.py'), schemas],
    [place('_channels.py'), pythonChannels()],
    [place('_version.py'), versionModule()],
  ]
}

/** The version of the package for npm is the version of both. */
const versionModule = () =>
  `"""The version of the package."""\n\n${generatedNote}\nVERSION = ${JSON.stringify(version)}\n`
