import type { Call } from '../frame/command.ts'
import { misused } from '../frame/exit-codes.ts'
import { agreed } from '../frame/keyboard.ts'

/** Shows what is about to be done, and asks; throws unless the answer is yes. */
export async function confirm(
  { keyboard, screen }: Pick<Call, 'keyboard' | 'screen'>,
  lines: readonly string[],
  otherwise?: string,
): Promise<void> {
  if (keyboard === null)
    throw misused(
      'nobody can be asked here, because standard input is no terminal: nothing was done',
      ['--yes does it without asking', ...(otherwise === undefined ? [] : [otherwise])].join(', '),
    )
  for (const line of lines) screen.remark(line)
  if (!(await agreed(keyboard, 'Do it?'))) throw misused('nothing was done')
}
