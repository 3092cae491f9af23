// The setting `webhooks`: receivers of notifications of deposits and withdrawals. Addresses come
// from here alone, never from a request, so that a client cannot make the exchange call one.

import { type PaymentKind, paymentKinds } from '../protocol/admin/payment-kinds.ts'
import { ConfigError } from './config-error.ts'

export type WebhookSetting = Readonly<{
  /** The key of its position in history; a renamed webhook starts as a new one. */
  name: string
  url: string
  /** Signs every message. */
  secret: string
  /** The notifications that it gets. */
  kinds: readonly PaymentKind[]
  /** How long one message is tried before it is given up. */
  tryMinutes: number
}>

const fields = ['name', 'url', 'secret', 'kinds', 'tryMinutes'] as const
type Given = Readonly<Partial<Record<(typeof fields)[number], unknown>>>

const webhooksMax = 8
const minutesMax = 10_080
const minutesStandard = 1_440
const example = '[{"name":"payments","url":"https://…","secret":"at least 32 characters"}]'

/** In a variable or a flag: the same as JSON text. */
export function readWebhooks(from: string, given: unknown): readonly WebhookSetting[] {
  const items = typeof given === 'string' ? jsonOf(from, given) : given
  if (!Array.isArray(items)) throw new ConfigError(`${from} must be a list such as ${example}`)
  if (items.length > webhooksMax) throw new ConfigError(`${from} must be ${webhooksMax} at most`)
  const hooks = items.map((item, index) => webhookOf(`${from}[${index}]`, item))
  if (new Set(hooks.map(({ name }) => name)).size !== hooks.length)
    throw new ConfigError(`${from} must have a name of its own each`)
  return hooks
}

function jsonOf(from: string, text: string): unknown {
  if (text === '') return []
  try {
    return JSON.parse(text)
  } catch {
    // What was given may hold the secret, so the message has none of it.
    throw new ConfigError(`${from} must be JSON, such as ${example}`)
  }
}

function webhookOf(at: string, item: unknown): WebhookSetting {
  if (typeof item !== 'object' || item === null || Array.isArray(item))
    throw new ConfigError(`${at} must be an object, as in ${example}`)
  const strange = Object.keys(item).find((name) => !fields.some((field) => field === name))
  if (strange !== undefined)
    throw new ConfigError(`${at} has no field ${strange}; there are ${fields.join(', ')}`)
  const given: Given = item
  const { name, url, secret, kinds = paymentKinds, tryMinutes = minutesStandard } = given
  if (typeof name !== 'string' || !/^[\w.-]{1,64}$/.test(name))
    throw new ConfigError(`${at}.name must be 1 to 64 letters, digits, dots, dashes, underscores`)
  if (typeof url !== 'string' || !/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new ConfigError(`${at}.url must be an address that begins with https:// or http://`)
  if (typeof secret !== 'string' || !/^[!-~]{32,256}$/.test(secret))
    throw new ConfigError(`${at}.secret must be 32 to 256 letters, digits and signs`)
  const isMinutes = Number.isSafeInteger(tryMinutes) && (tryMinutes as number) >= 1
  if (!isMinutes || (tryMinutes as number) > minutesMax)
    throw new ConfigError(`${at}.tryMinutes must be a whole number from 1 to ${minutesMax}`)
  return {
    name,
    url,
    secret,
    kinds: kindsOf(`${at}.kinds`, kinds),
    tryMinutes: tryMinutes as number,
  }
}

function kindsOf(at: string, given: unknown): readonly PaymentKind[] {
  const known = (each: unknown): each is PaymentKind => paymentKinds.some((kind) => kind === each)
  if (Array.isArray(given) && given.length > 0 && given.every(known)) return given
  throw new ConfigError(`${at} must be a list of ${paymentKinds.join(', ')}`)
}
