// A child process whose main thread can be made to hang.

import { until } from '../http/held-sockets.ts'
import type { ChildExchange } from './child-exchange.ts'

export const loopSignal = 'SIGUSR2'
export const blockSignal = 'SIGHUP'
export const hangsText = 'the main thread hangs\n'

const preload = new URL('./hang-on-signal.js', import.meta.url).href

type Environment = Readonly<Record<string, string>>

/** What the process needs in its environment. */
export function hangable(environment: Environment): Environment {
  const { NODE_OPTIONS = '' } = environment
  return { ...environment, NODE_OPTIONS: `${NODE_OPTIONS} --import=${preload}` }
}

/** Resolves when its main thread hangs. */
export async function hang(
  process: ChildExchange,
  signal: typeof loopSignal | typeof blockSignal,
): Promise<void> {
  process.kill(signal)
  await until(() => process.errors.includes(hangsText))
}
