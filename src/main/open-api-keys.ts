// Opens the API keys of a data folder, which are derived from its secret.

import type { Logger } from 'pino'
import type { ExchangeView } from '../core/index.ts'
import { apiKeyMaker } from '../gateway/auth/api-keys.ts'
import type { ApiKeyMaker } from '../gateway/exchange.ts'
import { openKeySecret } from '../sequencer/key-secret.ts'

export async function openApiKeys(
  folder: string,
  { accounts }: ExchangeView,
  log: Logger,
): Promise<ApiKeyMaker> {
  const { secret, isNew } = await openKeySecret(folder)
  const count = accounts.apiKeys
  if (isNew && count > 0)
    log.warn(
      `the secret of API keys was missing in ${folder} and was recreated: ${count} keys stay ` +
        'valid, but the list shows only their first eight characters',
    )
  return apiKeyMaker(secret)
}
