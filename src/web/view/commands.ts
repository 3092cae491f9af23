// All commands by name. The palette lists them, and some have a keyboard shortcut.

import type { BottomTab } from '../model/desk.ts'
import { wholeAmount } from '../model/number-text.ts'
import { pages } from '../model/pages/pages.ts'
import type { Terminal } from '../model/terminal.ts'

export type CommandEntry = Readonly<{
  title: string
  keys?: string
  act: (terminal: Terminal) => void
}>

/** Focuses a field immediately if it exists, and again after the page has been drawn with the
 *  effect of the command, such as a new field or a closed dialog. Both happen before the next key,
 *  so that fast typing loses no digit and a dialog that opens next keeps the focus. */
function focus(id: string): void {
  const go = () => document.getElementById(id)?.focus()
  go()
  queueMicrotask(go)
}

const tabs: readonly (readonly [BottomTab, string])[] = [
  ['positions', 'positions'],
  ['orders', 'open orders'],
  ['work', 'stops and algos'],
  ['history', 'order history'],
  ['closed', 'position history'],
  ['fills', 'fills'],
  ['funding', 'funding'],
  ['balance', 'balance'],
]

export function trade(
  terminal: Terminal,
  part: Parameters<Terminal['ticket']['change']>[0],
  field: string,
) {
  terminal.page.value = 'trade'
  terminal.view.value = 'trade'
  terminal.ticket.change(part)
  focus(field)
}

function filterRows(terminal: Terminal): void {
  terminal.view.value = 'account'
  focus('table-filter')
}

/** Cancels all orders. Always asks for confirmation, because take-profits and stop-losses may be
 *  included. */
export function confirmCancelAll(terminal: Terminal): void {
  terminal.open({ show: 'cancel-all' })
}

export async function confirmCloseAll(terminal: Terminal): Promise<void> {
  const { account, trading } = terminal
  const bound = await trading.closingBound(account.positions.peek())
  const positions = account.positions.peek()
  const each = positions.map(
    ({ s, d, a }) => `${d === 'bid' ? 'long' : 'short'} ${wholeAmount(a)} ${s}`,
  )
  const worst = `no worse than ${bound} % from the mark`
  terminal.confirm(
    'Close all positions',
    `${positions.length} at market, ${worst}: ${each.join(', ')}. Orders stay.`,
    () => void trading.closeAll(bound),
    true,
  )
}

const fixedCommands: readonly CommandEntry[] = [
  { title: 'Buy (focus size)', keys: 'b', act: (t) => trade(t, { side: 'bid' }, 'ticket-size') },
  { title: 'Sell (focus size)', keys: 's', act: (t) => trade(t, { side: 'ask' }, 'ticket-size') },
  { title: 'Limit order', keys: '1', act: (t) => trade(t, { kind: 'limit' }, 'ticket-price') },
  { title: 'Market order', keys: '2', act: (t) => trade(t, { kind: 'market' }, 'ticket-size') },
  { title: 'Stop order', keys: '3', act: (t) => trade(t, { kind: 'stop' }, 'ticket-stop') },
  { title: 'TWAP order', keys: '4', act: (t) => trade(t, { kind: 'twap' }, 'ticket-size') },
  { title: 'OCO order', keys: '5', act: (t) => trade(t, { kind: 'oco' }, 'ticket-size') },
  { title: 'Iceberg order', keys: '6', act: (t) => trade(t, { kind: 'iceberg' }, 'ticket-price') },
  { title: 'Scale order', keys: '7', act: (t) => trade(t, { kind: 'scale' }, 'ticket-price') },
  { title: 'Chase order', keys: '8', act: (t) => trade(t, { kind: 'chase' }, 'ticket-price') },
  { title: 'Choose a market', keys: 'm', act: (t) => t.open({ show: 'markets' }) },
  { title: 'Leverage and margin mode', keys: 'l', act: (t) => t.open({ show: 'leverage' }) },
  {
    title: 'Cancel all orders',
    keys: 'x',
    act: confirmCancelAll,
  },
  {
    title: 'Close all positions',
    act: confirmCloseAll,
  },
  {
    title: 'Sandbox panel',
    keys: 'p',
    act: (t) => {
      if (t.sandbox.is.peek()) t.drawer.value = !t.drawer.peek()
    },
  },
  {
    title: 'Toggle theme',
    keys: 'd',
    act: ({ preferences }) =>
      preferences.change({ theme: preferences.now.peek().theme === 'dark' ? 'light' : 'dark' }),
  },
  { title: 'Indicators', keys: 'i', act: (t) => t.open({ show: 'indicators' }) },
  { title: 'Alerts', keys: 'a', act: (t) => t.open({ show: 'alerts' }) },
  { title: 'Filter the rows of a table', keys: 'f', act: (t) => filterRows(t) },
  { title: 'Withdraw', act: (t) => t.open({ show: 'withdraw' }) },
  { title: 'Keys and API keys', keys: 'k', act: (t) => t.open({ show: 'keys' }) },
  { title: 'Settings', keys: ',', act: (t) => t.open({ show: 'settings' }) },
  { title: 'Keyboard shortcuts', keys: '?', act: (t) => t.open({ show: 'shortcuts' }) },
  { title: 'Commands', keys: '/', act: (t) => t.open({ show: 'palette' }) },
]

export function commandsOf(terminal: Terminal): readonly CommandEntry[] {
  return [
    ...fixedCommands,
    ...pages.map(({ page, label }) => ({
      title: `${label} page`,
      act: (t: Terminal) => {
        t.page.value = page
      },
    })),
    ...tabs.map(([tab, name]) => ({ title: `Show ${name}`, act: (t: Terminal) => t.showTab(tab) })),
    ...terminal.markets.list.peek().map(({ symbol }) => ({
      title: `Go to ${symbol}`,
      act: (t: Terminal) => t.trade(symbol),
    })),
  ]
}

export const shortcuts: readonly CommandEntry[] = fixedCommands.filter(
  ({ keys }) => keys !== undefined,
)
