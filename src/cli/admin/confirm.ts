import type { Call } from '../frame/command.ts'
import { misused } from '../frame/exit-codes.ts'
import { agreed } from '../frame/keyboard.ts'

/** Shows the action and asks for confirmation; throws unless the answer is yes. */
export async function confirm(
  { keyboard, screen }: Pick<Call, 'keyboard' | 'screen'>,
  lines: readonly string[],
  otherwise?: string,
): Promise<void> {
  if (keyboard === null)
    throw misused(
      'confirmation is required, and standard input is not a terminal: nothing was done',
      ['--yes skips the question', ...(otherwise === undefined ? [] : [otherwise])].join(', '),
    )
  for (const line of lines) screen.remark(line)
  if (!(await agreed(keyboard, 'Do it?'))) throw misused('nothing was done')
}
