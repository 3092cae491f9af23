// Rejects all signed requests while the wall clock of this process is known to be wrong, because
// the time window of a signature cannot be checked.

import { apiError } from '../api-error.ts'
import type { Signatures } from './check-signature.ts'

/** `clockFault` returns what is wrong with the clock, or `null`. */
export function whileClockIsRight(
  signatures: Signatures,
  clockFault: () => string | null,
): Signatures {
  const require = () => {
    const fault = clockFault()
    if (fault !== null) throw apiError('NOT_READY', fault)
  }
  return {
    async checkSigned(request) {
      require()
      return signatures.checkSigned(request)
    },
    async checkSubaccount(request) {
      require()
      return signatures.checkSubaccount(request)
    },
  }
}
