// Flags of V8. An order passes through many small functions. V8 inlines functions up to a limit
// chosen for web pages. A larger limit makes a command about 8 % cheaper (docs/performance.md).

import { setFlagsFromString } from 'node:v8'

/** Keeps the young generation of the heap small, in this process and its threads. Saves a sixth of
 *  the memory of a fixture, of which many run side by side; a busy exchange would collect more
 *  often. */
export function staySmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
}

/** Raises the limit. Service processes call this before their first command. The embedded library
 *  does not, because it must not change its host process. */
export function inlineFurther(): void {
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=2400')
}
