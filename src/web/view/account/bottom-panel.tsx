import type { BottomTab } from '../../model/desk.ts'
import { confirmCancelAll, confirmCloseAll } from '../commands.ts'
import { Tabs } from '../parts/choice.tsx'
import { Handle } from '../parts/handle.tsx'
import { Lazy } from '../parts/lazy.tsx'
import { useTerminal } from '../use-terminal.ts'
import { OrdersTab } from './orders-tab.tsx'
import { PositionsTab } from './positions-tab.tsx'
import { WorkTab } from './work-tab.tsx'

const histories = () => import('./history-tabs.tsx')

function Content({ tab }: { tab: BottomTab }) {
  switch (tab) {
    case 'positions':
      return <PositionsTab />
    case 'orders':
      return <OrdersTab />
    case 'work':
      return <WorkTab />
    default:
      return <Lazy load={histories} tab={tab} />
  }
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
    { value: 'closed', label: 'Position history' },
    { value: 'fills', label: 'Fills' },
    { value: 'funding', label: 'Funding' },
    { value: 'balance', label: 'Balance' },
  ]
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
        <Filter />
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
        {account.hidden.value ? <Hidden /> : <Content tab={tab.value} />}
      </div>
    </section>
  )
}

/** Filter of the rows of all tables. The balance has no market. */
function Filter() {
  const { preferences, tab } = useTerminal()
  const { filter, hereOnly } = preferences.now.value
  return (
    <div class="table-tools">
      <input
        id="table-filter"
        type="search"
        class="input"
        placeholder="Filter"
        aria-label="Filter rows"
        autocomplete="off"
        value={filter}
        onInput={({ currentTarget }) => preferences.change({ filter: currentTarget.value })}
      />
      {tab.value !== 'balance' && (
        <label class="check">
          <input
            type="checkbox"
            checked={hereOnly}
            onChange={({ currentTarget }) =>
              preferences.change({ hereOnly: currentTarget.checked })
            }
          />
          This market
        </label>
      )}
    </div>
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

export function Hidden() {
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
