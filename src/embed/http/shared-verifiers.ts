// The verifier threads shared by all embedded exchanges of a process. They are started for the
// first signature to check, and ended when the last exchange that used them is closed.

import {
  createVerifiers,
  VerifierFailedError,
  type Verifiers,
} from '../../gateway/auth/verifiers.ts'

let shared: Verifiers | null = null
let users = 0

export function lazyVerifiers(): Verifiers {
  let using = false
  let closed = false
  return {
    verify(check, urgent) {
      if (closed) return Promise.reject(new VerifierFailedError('the exchange is closed'))
      if (!using) {
        using = true
        users += 1
        shared ??= createVerifiers()
      }
      return shared!.verify(check, urgent)
    },
    pending: () => (using ? shared!.pending() : 0),
    async close() {
      closed = true
      if (!using) return
      using = false
      users -= 1
      if (users > 0) return
      const ending = shared
      shared = null
      await ending?.close()
    },
  }
}
