// The way of an order is many small functions. V8 makes one piece of machine code of them up to a
// bound that suits pages of the web; with a larger one a command costs a twelfth less
// (docs/performance.md).

import { setFlagsFromString } from 'node:v8'

/** For the process of a service, before its first command; a library leaves its host as it is. */
export function inlineFurther(): void {
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=2400')
}
