// Commands that need no running exchange, only a data folder or the database of a cluster. Their
// code is loaded on demand, so that other commands do not load a database driver.

import type { Command } from '../frame/command.ts'
import { audit } from './audit.ts'
import { backup, restore } from './backup.ts'
import { backups } from './backups/backups.ts'
import { cluster } from './cluster.ts'
import { explain } from './explain.ts'
import { exporting } from './export.ts'
import { diff } from './lab/diff.ts'
import { fork } from './lab/fork.ts'
import { whatif } from './lab/whatif.ts'
import { rebuild } from './rebuild.ts'
import { receipt } from './receipt.ts'
import { reserves, verify } from './reserves.ts'

export const offlineCommands: readonly Command[] = [
  audit,
  explain,
  exporting,
  rebuild,
  backup,
  backups,
  restore,
  fork,
  whatif,
  diff,
  cluster,
  reserves,
  verify,
  receipt,
]
