// A command of a caller as our own: a copy that nobody else can change, of the fields that the
// engine reads, and of values that come back from a replay as they went in.

import type { Command } from '../core/index.ts'
import { inexactField } from '../sequencer/exact.ts'
import { commandFault } from '../sequencer/link/command-shape.ts'

/** Throws a TypeError that names what is wrong. */
export function ownCommand(command: Command): Command {
  if (typeof command !== 'object' || command === null || Array.isArray(command))
    throw new TypeError('a command is an object with a type, see docs/embedding.md')
  const inexact = inexactField(command, 'command')
  if (inexact !== null)
    throw new TypeError(
      `${inexact} of ${String(command.type)} is undefined, not a finite number, or a minus zero`,
    )
  const copy: Record<string, unknown> = { ...command }
  for (const field in copy) {
    const value = copy[field]
    if (typeof value === 'object' && value !== null) copy[field] = structuredClone(value)
  }
  const fault = commandFault(copy)
  if (fault !== null) throw new TypeError(fault)
  return copy as unknown as Command
}
