// The pages of the terminal and their addresses, such as /trade/BTC or /markets.

export const pages = [
  { page: 'trade', label: 'Trade' },
  { page: 'markets', label: 'Markets' },
  { page: 'portfolio', label: 'Portfolio' },
  { page: 'leaderboard', label: 'Leaderboard' },
] as const
export type Page = (typeof pages)[number]['page']

export type Place = Readonly<{
  page: Page
  /** The market that the address names; `null` if it names none. */
  symbol: string | null
}>

/** The place of an address; `null` for an address outside the terminal. */
export function placeAt(path: string): Place | null {
  const [, page, symbol] = /^\/(\w*)(?:\/([A-Za-z0-9_-]{1,32}))?\/?$/.exec(path) ?? []
  if (page === '' && symbol === undefined) return { page: 'trade', symbol: null }
  const known = pages.find((each) => each.page === page)
  if (known === undefined || (known.page === 'trade') !== (symbol !== undefined)) return null
  return { page: known.page, symbol: symbol ?? null }
}

export function pathOf(page: Page, symbol: string): string {
  return page === 'trade' ? `/trade/${symbol}` : `/${page}`
}
