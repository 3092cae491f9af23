// Every command that asks an exchange, or needs none at all.

import type { Command } from './frame/command.ts'
import { key } from './key.ts'

export const onlineCommands: readonly Command[] = [key]
