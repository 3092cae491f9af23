// Applies palette, panel sizes and the title to the page. They are set outside of rendering, so
// that charts read the new colours.

import { effect } from '@preact/signals'
import { fixed } from '../model/number-text.ts'
import { pages } from '../model/pages/pages.ts'
import type { PreferenceStore } from '../model/preferences.ts'
import type { Terminal } from '../model/terminal.ts'

/** The price and the market, or the name of the page, in the title of the tab. */
export function titleTab({ markets, page }: Terminal): void {
  effect(() => {
    if (page.value !== 'trade') {
      document.title = `${pages.find((each) => each.page === page.value)!.label} · openperp`
      return
    }
    const mark = markets.price.value?.mark
    const price = mark === undefined ? '' : `${fixed(mark, markets.grid.value.tickPlaces)} `
    document.title = `${price}${markets.symbol.value} · openperp`
  })
}

export function wearLooks({ now }: PreferenceStore): void {
  effect(() => {
    const { theme, colours, book, ticket, bottom, bookShare } = now.value
    const { dataset, style } = document.documentElement
    dataset.theme = theme
    dataset.colours = colours
    style.setProperty('--book', `${book}px`)
    style.setProperty('--ticket', `${ticket}px`)
    style.setProperty('--bottom', `${bottom}px`)
    style.setProperty('--book-share', `${bookShare}%`)
  })
}
