// API keys: list, create, revoke.

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { dateText, shortAddress } from '../../model/number-text.ts'
import { useTerminal } from '../use-terminal.ts'
import { RevokeButton } from './revoke-button.tsx'

type ApiKeyList = Readonly<{
  active_api_keys: readonly string[]
  api_key_limit: number
  keys: readonly Readonly<{
    prefix: string
    created_at: number
    last_used_at: number | null
    credits: number
  }>[]
}>

export function ApiKeys() {
  const { trader, trading, keyRing } = useTerminal()
  const list = useSignal<ApiKeyList | null>(null)
  const made = useSignal<string | null>(null)
  const load = async () => {
    list.value = await trading.ask('API keys', ({ client }) => client.listApiKeys())
  }
  useEffect(() => {
    if (trader.peek() !== null) void load()
  }, [trader.value?.address])
  const create = async () => {
    const reply = await trading.ask('API key', ({ client }) => client.createApiKey())
    made.value = reply?.data.api_key ?? null
    await load()
  }
  const revoke = async (api_key: string) => {
    if (await trading.act('API key', ({ client }) => client.revokeApiKey({ api_key })))
      keyRing.leaveApiKey(api_key)
    await load()
  }
  if (trader.value === null) return <p class="dim">First a key of your own.</p>
  return (
    <div class="section">
      <p class="dim">
        An API key chooses whose rate limit a program spends (header PF-API-KEY). It signs nothing.
      </p>
      {(list.value?.keys ?? []).map((key) => (
        <div key={key.prefix} class="line">
          <span class="mono">{key.prefix}…</span>
          <span class="dim">
            made {dateText(key.created_at)},{' '}
            {key.last_used_at === null ? 'never used' : `used ${dateText(key.last_used_at)}`},{' '}
            {key.credits} credits a minute
          </span>
          <span class="spacer" />
          <RevokeButton revoke={() => revoke(key.prefix)} />
        </div>
      ))}
      {list.value?.keys.length === 0 && <p class="dim">None yet.</p>}
      {made.value !== null && (
        <label class="field">
          <span class="field-label">The new key</span>
          <input class="input mono" readOnly value={made.value} />
        </label>
      )}
      <div class="line">
        <button
          type="button"
          class="button"
          disabled={(list.value?.keys.length ?? 0) >= (list.value?.api_key_limit ?? 5)}
          onClick={create}
        >
          New API key
        </button>
        <span class="dim">
          {list.value?.keys.length ?? 0} of {list.value?.api_key_limit ?? 5}, for{' '}
          {shortAddress(trader.value.address)}
        </span>
      </div>
    </div>
  )
}
