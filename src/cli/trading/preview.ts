// `--preview`: the result of an order or algo without placing it.

import type { Client } from '../../client/client.ts'
import type { FieldsOf } from '../../client/methods.ts'
import type { previewReply } from '../../protocol/schemas/order-rows.ts'
import type { Static } from '../../protocol/schemas/typebox.ts'
import { messageFor, replyTo } from '../connection.ts'
import type { Result } from '../frame/command.ts'
import { pairsOf } from '../frame/screen.ts'

export const previewOption = {
  preview: { about: 'show the expected result without placing it' },
} as const

type Reply = Static<typeof previewReply>

/** Exit code as for placing it: refused and immediately rejected orders both fail. */
export async function previewed(
  call: Parameters<typeof replyTo>[0],
  client: Client,
  fields: FieldsOf<'preview_order'>,
): Promise<Result> {
  const seen = await replyTo(call, client.previewOrder(fields))
  const { accepted, error, rejected, notional, max_amount } = seen
  const says = messageFor(call, accepted ? (rejected ?? 'yes') : (error ?? 'no'))
  const label = rejected !== undefined ? 'rejected' : accepted ? 'accepted' : 'refused'
  const figures = notional === null ? [] : figurePairs(seen)
  const largest = max_amount === null ? [] : [['largest amount', max_amount] as const]
  const end = accepted && rejected === undefined ? 'yes' : 'refused'
  return { json: seen, lines: pairsOf([[label, says], ...figures, ...largest]), end }
}

/** Of the order that would rest or trade first; a stop has none yet. */
function figurePairs(seen: Reply): readonly (readonly [string, string])[] {
  return [
    ['value', `${seen.notional} USD`],
    ['fee', `${seen.fee} USD`],
    ['margin', `${seen.margin} USD`],
    ['position after', `${seen.position_after}`],
    ['liquidation at', seen.liquidation_price ?? '-'],
    ['tier', tierText(seen.risk_tier)],
  ]
}

function tierText(tier: Reply['risk_tier']): string {
  return tier === null ? '-' : `from ${tier.from_value} USD, at most ${tier.max_leverage}x`
}
