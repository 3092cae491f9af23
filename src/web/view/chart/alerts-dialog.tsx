// Price alerts: set and remove them, and allow notifications of the browser.

import { useSignal } from '@preact/signals'
import { type AlertSource, alertSources, watched } from '../../model/alerts.ts'
import { NONE } from '../../model/number-text.ts'
import { Segments } from '../parts/choice.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { CloseIcon } from '../parts/icons.tsx'
import { NumberInput, useRefusal } from '../parts/number-input.tsx'
import { useTerminal } from '../use-terminal.ts'

/** Decimals of funding rates in percent. */
const fundingPlaces = 6

export function AlertsDialog() {
  const terminal = useTerminal()
  const { alerts, markets } = terminal
  const source = useSignal<AlertSource>('mark')
  const level = useSignal('')
  const { refusal, refused, read } = useRefusal()
  const symbol = markets.symbol.value
  const row = markets.price.value
  const now = row === undefined ? Number.NaN : watched(source.value, row)
  const places = source.value === 'funding' ? fundingPlaces : markets.grid.value.tickPlaces
  const set = async () => {
    const entered = read(level.peek(), places)
    if (entered === null) return
    const problem = alerts.add({ symbol, source: source.peek(), level: Number(entered) }, now)
    if (problem === null) level.value = ''
    else refused(new Error(problem))
  }
  return (
    <Dialog
      title="Alerts"
      onClose={() => terminal.close()}
      action={{ label: 'Set alert', go: set }}
    >
      <Segments
        label="Watched number"
        value={source.value}
        options={Object.entries(alertSources).map(([value, label]) => ({
          value: value as AlertSource,
          label,
        }))}
        onChange={(next) => {
          source.value = next
        }}
      />
      <NumberInput
        id="alert-level"
        label={source.value === 'funding' ? `${symbol}, percent an hour` : `${symbol} price`}
        value={level}
        places={places}
        first
        hint={<span class="dim">now {Number.isFinite(now) ? now : NONE}</span>}
        refusal={refusal.value}
      />
      <p class="dim">
        An alert fires once, while this page is open. Alerts are stored in this browser.{' '}
        <NotificationButton />
      </p>
      {alerts.now.value.length === 0 && <p class="dim">No alerts. Set one above.</p>}
      <ul class="alert-list" aria-label="Alerts">
        {alerts.now.value.map((alert) => (
          <li key={alert.id} class="line">
            <b>{alert.symbol}</b> {alertSources[alert.source]} {alert.above ? '≥' : '≤'}{' '}
            {alert.level}
            {alert.source === 'funding' && '%'}
            <span class="spacer" />
            <button
              type="button"
              class="button small"
              aria-label={`Remove alert of ${alert.symbol} at ${alert.level}`}
              onClick={() => alerts.remove(alert.id)}
            >
              <CloseIcon />
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

/** Asks the browser for permission to show notifications while the page is in the background. */
function NotificationButton() {
  const state = useSignal('Notification' in globalThis ? Notification.permission : 'denied')
  if (state.value !== 'default') return null
  return (
    <button
      type="button"
      class="link"
      onClick={async () => {
        state.value = await Notification.requestPermission()
      }}
    >
      Allow browser notifications
    </button>
  )
}
