// Orders that end when the protection of their account trips: what is asked of them, and whether
// there is a protection at all.

import type { Client } from '../../client/index.ts'
import { type Tif, timesInForce } from '../../protocol/words.ts'
import { accountOf, asked, type signerOptions } from '../connection.ts'
import type { Call } from '../frame/command.ts'
import { misused } from '../frame/exit-codes.ts'

export const mmpOption = {
  mmp: { type: 'boolean', about: 'it ends when protection trips (`openperp mmp`)' },
} as const

/** `tif` null: it is no limit order. */
export function checkProtected(tif: Tif | null): void {
  if (tif !== null && tif !== 'GTC' && timesInForce[tif].rests) return
  const which = tif === null ? 'this one' : tif
  throw misused(`--mmp is of orders that never take, and ${which} may`, '--tif ALO or TOB')
}

/** The exchange takes such an order where nothing protects it, and so nothing would end it. */
export async function remarkUnprotected(
  call: Call<typeof signerOptions>,
  client: Client,
  symbol: string,
): Promise<void> {
  const rows = await asked(call, client.getMmp({ account: accountOf(call) }))
  if (rows.some((row) => row.symbol === symbol)) return
  call.screen.remark(
    `warning: no protection is set on ${symbol}, so --mmp ends nothing; ` +
      `\`openperp mmp set ${symbol} --max <size>\` sets one`,
  )
}
