import type { Exchange } from '../../exchange.ts'

/** Time of the exchange: in a venue the machine's clock made monotone; a sandbox has its own. */
export async function engineNow({ wallNow, view, sandbox }: Exchange): Promise<number> {
  const clock = await sandbox?.clock()
  return clock?.engineNow ?? Math.max(wallNow(), view.atMs)
}
