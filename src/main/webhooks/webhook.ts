// One webhook: posts each message, signed, to its configured address.

import type { WebhookSetting } from '../../config/webhooks.ts'
import type { KeepPlace, WebhookStatus } from '../../gateway/admin/operator.ts'
import { Deliverer, type DelivererNeeds } from './deliverer.ts'
import { bodyOf, headersOf } from './message.ts'

const timeoutMs = 10_000

export type Webhook = Readonly<{
  status(): WebhookStatus
  run(): Promise<void>
  redeliver(fromSeq: number, keep: KeepPlace): Promise<void>
}>

export async function openWebhook(
  setting: WebhookSetting,
  needs: DelivererNeeds,
): Promise<Webhook> {
  const { name, url, kinds, tryMinutes } = setting
  const deliverer = await Deliverer.open(
    {
      ...{ who: { webhook: name }, note: `webhook/${name}`, kinds, tryMinutes },
      send: (row, signal) => posted(url, bodyOf(row), setting.secret, { ...needs, signal }),
    },
    needs,
  )
  return {
    status: () => ({ name, host: new URL(url).host, kinds, ...deliverer.status }),
    run: () => deliverer.run(),
    redeliver: (fromSeq, keep) => deliverer.redeliver(fromSeq, keep),
  }
}

/** Posts a message; returns `null` if it was accepted, otherwise the reason. Redirects are not
 *  followed, and only the status of the answer is read. */
export async function posted(
  url: string,
  body: string,
  secret: string,
  { time, signal }: Pick<DelivererNeeds, 'time' | 'signal'>,
): Promise<string | null> {
  try {
    const { status, body: answer } = await fetch(url, {
      method: 'POST',
      headers: headersOf(body, secret, time.now()),
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    await answer?.cancel()
    return status >= 200 && status < 300 ? null : `it answered ${status}`
  } catch (error) {
    return faultOf(error)
  }
}

const faultMax = 300

/** Returns why a connection failed, shortened. The text is stored with messages that were given up,
 *  and may contain long data from the other side, such as all names of its certificate. */
export function faultOf(error: unknown): string {
  const { message, cause } = error as Error
  const text = cause instanceof Error ? `${message}: ${cause.message}` : message
  return text.length > faultMax ? `${text.slice(0, faultMax - 1)}…` : text
}
