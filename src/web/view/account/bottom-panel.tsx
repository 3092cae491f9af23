import type { BottomTab } from '../../model/desk.ts'
import { confirmCancelAll, confirmCloseAll } from '../commands.ts'
import { Tabs } from '../parts/choice.tsx'
import { Handle } from '../parts/handle.tsx'
import { useTerminal } from '../use-terminal.ts'
import { BalanceTab, FillsTab, FundingTab, HistoryTab } from './history-tabs.tsx'
import { OrdersTab } from './orders-tab.tsx'
import { PositionsTab } from './positions-tab.tsx'
import { WorkTab } from './work-tab.tsx'

const contents: Readonly<Record<BottomTab, () => preact.JSX.Element>> = {
  positions: PositionsTab,
  orders: OrdersTab,
  work: WorkTab,
  history: HistoryTab,
  fills: FillsTab,
  funding: FundingTab,
  balance: BalanceTab,
}

export function BottomPanel() {
  const terminal = useTerminal()
  const { account, tab, streams } = terminal
  const working =
    account.triggers.value.length + account.algos.value.length + account.twaps.value.length
  const count = (number: number) => (number === 0 ? '' : ` (${number})`)
  const options: readonly { value: BottomTab; label: string }[] = [
    { value: 'positions', label: `Positions${count(account.positions.value.length)}` },
    { value: 'orders', label: `Orders${count(account.resting.value.length)}` },
    { value: 'work', label: `Stops & algos${count(working)}` },
    { value: 'history', label: 'Order history' },
    { value: 'fills', label: 'Fills' },
    { value: 'funding', label: 'Funding' },
    { value: 'balance', label: 'Balance' },
  ]
  const Content = contents[tab.value]
  return (
    <section class="panel bottom" aria-label="Account">
      <Handle
        label="Height of the account panel"
        direction="rows"
        size="bottom"
        min={120}
        max={620}
        factor={-1}
      />
      <div class="panel-head">
        <Tabs
          label="Account"
          value={tab.value}
          options={options}
          onChange={(next) => {
            tab.value = next
          }}
        />
        <span class="spacer" />
        <PanelActions />
      </div>
      <div
        class={`scrolls ${streams.stale.value ? 'stale' : ''}`}
        style={{ flex: 1 }}
        role="tabpanel"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key.
        tabIndex={0}
        aria-label={options.find(({ value }) => value === tab.value)?.label}
      >
        <Missing />
        {account.hidden.value ? <Hidden /> : <Content />}
      </div>
    </section>
  )
}

const ofOrders: ReadonlySet<BottomTab> = new Set<BottomTab>(['orders', 'work'])

function PanelActions() {
  const terminal = useTerminal()
  const { account, tab } = terminal
  const algos = account.algos.value.length + account.twaps.value.length
  const orders = account.orders.value.length + algos
  const positions = account.positions.value.length
  if (tab.value === 'positions' && positions > 0)
    return (
      <button type="button" class="button small danger" onClick={() => confirmCloseAll(terminal)}>
        Close all
      </button>
    )
  if (ofOrders.has(tab.value) && orders > 0)
    return (
      <button type="button" class="button small danger" onClick={() => confirmCancelAll(terminal)}>
        Cancel all
      </button>
    )
  if (tab.value === 'balance' && account.numbers.value !== null)
    return (
      <button
        type="button"
        class="button small"
        onClick={() => terminal.open({ show: 'withdraw' })}
      >
        Withdraw
      </button>
    )
  return null
}

function Hidden() {
  return (
    <div class="nothing">
      <p>This exchange shows an account to its owner only.</p>
      <MakeApiKey />
    </div>
  )
}

const ofWaiting: ReadonlySet<BottomTab> = new Set<BottomTab>(['orders', 'history'])
const ofStops: ReadonlySet<BottomTab> = new Set<BottomTab>(['positions', 'work', ...ofWaiting])

/** Explains that a wallet alone cannot authenticate reads. */
function Missing() {
  const { account, tab, trader } = useTerminal()
  const stops = account.stopsHidden.value
  if (account.hidden.value || trader.value === null || trader.value.readsAsOwner) return null
  if (!(stops ? ofStops : ofWaiting).has(tab.value)) return null
  return (
    <div class="missing" role="note">
      <span>
        Not shown: your orders that wait for their release
        {stops && ', stops, TP/SL levels and algos'}. This exchange shows them to their owner only,
        and this browser reads without a key.
      </span>
      <MakeApiKey />
    </div>
  )
}

function MakeApiKey() {
  const { keyRing, trading } = useTerminal()
  const show = () => void trading.act('API key', () => keyRing.makeApiKey())
  return (
    <button type="button" class="button" onClick={show}>
      Show mine: make an API key for this browser
    </button>
  )
}
