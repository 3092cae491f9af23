// Questions on the terminal. Without a terminal as standard input there are none: a script passes
// everything in flags.

import { createInterface } from 'node:readline/promises'
import type { Keyboard } from './command.ts'
import { CliError } from './exit-codes.ts'

type Terminal = NodeJS.ReadableStream & Readonly<{ isTTY?: boolean }>

export function keyboardOf(
  input: Terminal,
  output: NodeJS.WritableStream,
  signal: AbortSignal,
): Keyboard | null {
  if (input.isTTY !== true) return null
  return {
    async ask(question) {
      const lines = createInterface({ input, output, terminal: true })
      // In raw mode Ctrl-C is a key, not a signal.
      const ended = new AbortController()
      lines.once('SIGINT', () => ended.abort())
      lines.once('close', () => ended.abort())
      try {
        const any = AbortSignal.any([signal, ended.signal])
        return (await lines.question(`${question} `, { signal: any })).trim()
      } catch (error) {
        throw new CliError('refused', 'nothing was done', { cause: error })
      } finally {
        lines.close()
      }
    },
  }
}

/** Only a plain yes counts. */
export async function agreed(keyboard: Keyboard, question: string): Promise<boolean> {
  return /^y(es)?$/i.test(await keyboard.ask(`${question} [y/N]`))
}
