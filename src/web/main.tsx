// Entry point of the page: draws the terminal and starts it.

import { render } from 'preact'
import type { Storage } from './model/preferences.ts'
import { sandboxTokenOf } from './model/sandbox-token.ts'
import { Terminal } from './model/terminal.ts'
import { App } from './view/app.tsx'
import { wearLooks } from './view/looks.ts'
import { soundNotices } from './view/sound.ts'
import { TerminalContext } from './view/use-terminal.ts'
import { resumeWallet } from './view/wallets.ts'

/** Browsers without storage (private windows) can still trade; nothing is remembered. */
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
      // Full or forbidden: it lasts as long as the page.
    }
  },
  remove(name) {
    kept.delete(name)
    try {
      localStorage.removeItem(name)
    } catch {
      // As above.
    }
  },
}

const sandboxToken = sandboxTokenOf(location.hash, storage)
if (location.hash !== '') history.replaceState(null, '', location.pathname + location.search)
const terminal = new Terminal({ url: location.origin, storage, sandboxToken })
wearLooks(terminal.preferences)
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
