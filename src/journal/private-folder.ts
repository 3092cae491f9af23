// Folders and files that only the user who runs the exchange may look into: balances, digests of
// keys and everybody's orders are in them.

import { chmodSync, mkdirSync } from 'node:fs'

export const folderMode = 0o700
export const fileMode = 0o600

/** Made when it is not there; one that is there is closed to others, if it is ours to close. */
export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: folderMode })
  try {
    chmodSync(path, folderMode)
  } catch (error) {
    // Another user's, who lets us write there: what we make in it is closed all the same.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error
  }
}
