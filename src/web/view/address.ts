// The address of the page names what is shown, such as /trade/BTC or /markets, so that it can be
// opened again, and each tab keeps its own. Back and forward return to the places of before. Links
// to these addresses are followed without loading the page again.

import { batch, effect } from '@preact/signals'
import { pathOf, placeAt } from '../model/pages/pages.ts'
import type { Terminal } from '../model/terminal.ts'

export function followAddress({ markets, page, preferences }: Terminal): void {
  const open = (path: string): boolean => {
    const place = placeAt(path)
    if (place === null) return false
    batch(() => {
      page.value = place.page
      if (place.symbol !== null) markets.choose(place.symbol)
    })
    return true
  }
  open(location.pathname)
  window.addEventListener('popstate', () => open(location.pathname))
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return
    // With one of these the browser opens a new tab or window.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    const link = (event.target as Element).closest('a')
    if (link?.origin === location.origin && open(link.pathname)) event.preventDefault()
  })
  let first = true
  effect(() => {
    const path = pathOf(page.value, preferences.now.value.symbol)
    if (location.pathname === path) first = false
    else if (first) history.replaceState(null, '', path + location.search)
    else history.pushState(null, '', path)
    first = false
  })
}
