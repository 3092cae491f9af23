// Entry point of the page: draws the terminal and starts it.

import { render } from 'preact'
import type { Storage } from './model/preferences.ts'
import { sandboxTokenOf } from './model/sandbox-token.ts'
import { Terminal } from './model/terminal.ts'
import { followAddress } from './view/address.ts'
import { App } from './view/app.tsx'
import { titleTab, wearLooks } from './view/looks.ts'
import { soundNotices } from './view/sound.ts'
import { TerminalContext } from './view/use-terminal.ts'
import { resumeWallet } from './view/wallets.ts'

/** Memory in place of the browser's storage, which private windows may not have. Trading works, but
 *  nothing is remembered. */
const kept = new Map<string, string>()
const storage: Storage = {
  get(name) {
    try {
      return localStorage.getItem(name)
    } catch {
      return kept.get(name) ?? null
    }
  },
  set(name, value) {
    kept.set(name, value)
    try {
      localStorage.setItem(name, value)
    } catch {
      // The storage is full or forbidden, so the value lasts until the page is closed.
    }
  },
  remove(name) {
    kept.delete(name)
    try {
      localStorage.removeItem(name)
    } catch {
      // The storage is forbidden, as above.
    }
  },
}

const sandboxToken = sandboxTokenOf(location.hash, storage)
if (location.hash !== '') history.replaceState(null, '', location.pathname + location.search)
const terminal = new Terminal({ url: location.origin, storage, sandboxToken })
wearLooks(terminal.preferences)
followAddress(terminal)
titleTab(terminal)
soundNotices(terminal)
void resumeWallet(terminal)

render(
  <TerminalContext.Provider value={terminal}>
    <App />
  </TerminalContext.Provider>,
  document.getElementById('app')!,
)

const retryMs = 1_500

function start(): void {
  terminal.start().then(
    () => {
      terminal.trouble.value = null
    },
    (error: Error) => {
      terminal.trouble.value = `The exchange does not answer: ${error.message}`
      setTimeout(start, retryMs)
    },
  )
}

start()
