// Formats values of the exchange for the pages.

import { fixed, NONE, shortAddress, wordsOf } from '../../../model/number-text.ts'
import { Badge } from './panel.tsx'

/** Link to an account. */
export function AccountLink({ account }: { account: string }) {
  return (
    <a class="mono" href={`#accounts/${account}`} title={account}>
      {shortAddress(account)}
    </a>
  )
}

const good = ['live', 'open', 'connected', 'push']
const bad = ['halted', 'stale', 'settled', 'closed']

/** Shows a state with its colour: good, stopped, or in between. */
export function State({ of }: { of: string }) {
  const tone = good.includes(of) ? 'good' : bad.includes(of) ? 'bad' : 'warn'
  return <Badge tone={tone}>{wordsOf(of)}</Badge>
}

/** Shows equity over maintenance margin. At 1 the account is liquidated. */
export function MarginRatio({ ratio, scope }: { ratio: string | null; scope: string | null }) {
  if (ratio === null) return <span class="dim">{NONE}</span>
  const number = Number(ratio)
  const tone = number < 1.25 ? 'down' : number < 2 ? 'warn' : ''
  return (
    <span class={tone}>
      {fixed(ratio, 2)}× <span class="dim">{scope}</span>
    </span>
  )
}

/** Formats a duration in the largest suitable unit. */
export function ageText(ms: number | null): string {
  if (ms === null) return 'never'
  if (ms < 60_000) return `${fixed(ms / 1_000, 1)} s`
  if (ms < 3_600_000) return `${fixed(ms / 60_000, 0)} min`
  return ms < 172_800_000 ? `${fixed(ms / 3_600_000, 0)} h` : `${fixed(ms / 86_400_000, 0)} days`
}

export const bytesText = (bytes: number) => `${fixed(bytes / 1_000_000_000, 1)} GB`
