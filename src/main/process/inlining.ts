// An order passes through many small functions. V8 inlines them up to a limit made for web pages;
// with a larger one a command costs a twelfth less (docs/performance.md).

import { setFlagsFromString } from 'node:v8'

/** For service processes, before their first command; a library does not change its host. */
export function inlineFurther(): void {
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=2400')
}
