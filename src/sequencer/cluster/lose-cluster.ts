// Ends the membership of a data folder in a cluster whose store is lost. Nothing can prove that the
// folder has everything that was acknowledged, or that the store was deleted: the operator decides
// both.

import { FolderLock } from '../../journal/lock/folder-lock.ts'
import { readDataFolder } from '../data-folder.ts'
import { type Moved, recovered } from './adopt-folder.ts'
import { endMembership } from './membership.ts'

export async function loseCluster(folder: string): Promise<Moved> {
  readDataFolder(folder)
  const lock = await FolderLock.acquire(folder)
  try {
    const moved = await recovered(folder)
    await endMembership(folder)
    return moved
  } finally {
    lock.release()
  }
}
