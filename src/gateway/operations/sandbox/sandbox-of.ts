import { apiError } from '../../api-error.ts'
import type { Call } from '../../operation.ts'
import type { Sandbox } from '../../sandbox.ts'

export function sandboxOf({ exchange }: Call<unknown>): Sandbox {
  if (exchange.sandbox === null)
    throw apiError('NOT_FOUND', 'this exchange is not a sandbox (path not found)')
  return exchange.sandbox
}
