// Messages for requests that can never succeed: with such an address, or for a settled market,
// which stays settled under its symbol.

export const addressText =
  'this account or address cannot do or be used for this; an address is one account or the ' +
  'confirmed agent of one account, never both'

type Settlement = Readonly<{ price: string; at: string }>

/** `settlement`: `null` if the journal is unavailable. */
export function settledText(symbol: string, settlement: Settlement | null = null): string {
  const when = settlement === null ? '' : ` since ${settlement.at} at ${settlement.price}`
  return (
    `${symbol} is settled${when}: its positions were closed, trading has ended, and nothing of ` +
    'it can be changed or undone; to trade it again, list it under another symbol with another ' +
    'backstop_address (POST /markets/list)'
  )
}

export function symbolTakenText(market: number, isSettled: boolean): string {
  if (!isSettled) return `that symbol is listed already as market ${market}`
  const used = `that symbol was used by market ${market}, which is settled`
  return `${used}, and is never used again; choose another symbol`
}
