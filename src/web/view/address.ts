// The address of the page names the market, such as /trade/BTC, so that it can be opened again, and
// each tab keeps its own. Back and forward return to the markets of before.

import { effect } from '@preact/signals'
import type { Terminal } from '../model/terminal.ts'

/** The market that an address names; `null` if it names none. */
export function marketIn(path: string): string | null {
  const [, symbol] = /^\/trade\/([A-Za-z0-9_-]{1,32})\/?$/.exec(path) ?? []
  return symbol ?? null
}

export function followAddress({ markets, preferences }: Terminal): void {
  const open = () => {
    const symbol = marketIn(location.pathname)
    if (symbol !== null) markets.choose(symbol)
  }
  open()
  window.addEventListener('popstate', open)
  let first = true
  effect(() => {
    const { symbol } = preferences.now.value
    const path = `/trade/${symbol}`
    if (location.pathname === path) first = false
    else if (first) history.replaceState(null, '', path + location.search)
    else history.pushState(null, '', path)
    first = false
  })
}
