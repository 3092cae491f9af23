// Every command that needs no exchange: a data folder, or the database of a cluster. Their
// code is loaded on demand: a quick command does not wait for a database that it does not use.

import type { Command } from '../frame/command.ts'
import { audit } from './audit.ts'
import { backup, restore } from './backup.ts'
import { backups } from './backups/backups.ts'
import { cluster } from './cluster.ts'
import { explain } from './explain.ts'
import { exporting } from './export.ts'
import { rebuild } from './rebuild.ts'
import { reserves, verify } from './reserves.ts'

export const offlineCommands: readonly Command[] = [
  audit,
  explain,
  exporting,
  rebuild,
  backup,
  backups,
  restore,
  cluster,
  reserves,
  verify,
]
