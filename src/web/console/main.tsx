// Entry point of the page: draws the console. The state of the page is in the fragment of its
// address, which is never sent to a server. The token is never part of an address.

import { effect } from '@preact/signals'
import { render } from 'preact'
import { Console } from './model/console.ts'
import { App } from './view/app.tsx'
import { ConsoleContext } from './view/use-console.ts'

const operators = new Console(location.origin, (work, ms) => void setTimeout(work, ms))

const follow = () => operators.goTo(location.hash)
addEventListener('hashchange', follow)
follow()

const prefersLight = matchMedia('(prefers-color-scheme: light)').matches
operators.theme.value = prefersLight ? 'light' : 'dark'
effect(() => {
  document.documentElement.dataset.theme = operators.theme.value
})

render(
  <ConsoleContext.Provider value={operators}>
    <App />
  </ConsoleContext.Provider>,
  document.getElementById('app')!,
)
