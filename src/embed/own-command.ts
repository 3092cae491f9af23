// A command of a caller as our own: a copy that nobody else can change, of values that come back
// from a replay as they went in.

import type { Command } from '../core/index.ts'
import { inexactField } from '../sequencer/exact.ts'

export function ownCommand(command: Command): Command {
  const inexact = inexactField(command, 'command')
  if (inexact !== null)
    throw new TypeError(
      `${inexact} of ${String(command?.type)} is undefined, not a finite number, or a minus zero`,
    )
  if (typeof command !== 'object' || command === null) throw new TypeError('a command is an object')
  const copy: Record<string, unknown> = { ...command }
  for (const field in copy) {
    const value = copy[field]
    if (typeof value === 'object' && value !== null) copy[field] = structuredClone(value)
  }
  return copy as unknown as Command
}
