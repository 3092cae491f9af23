// Applies palette and panel sizes to the page. They are set outside of rendering, so that charts
// read the new colours.

import { effect } from '@preact/signals'
import type { PreferenceStore } from '../model/preferences.ts'

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
