// Copies a caller's command, so that later changes by the caller have no effect. Only fields that
// the engine reads are copied, and their values must survive a replay unchanged.

import type { Command } from '../core/index.ts'
import { inexactField } from '../sequencer/exact.ts'
import { commandFault } from '../sequencer/link/command-shape.ts'

/** Copies a command; throws a TypeError that describes the problem. */
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
