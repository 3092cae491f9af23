import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { askStanding, maintenanceNow } from '../../model/market/standing.ts'
import { clockText, compact, percent } from '../../model/number-text.ts'
import type { MarketRisk } from '../../model/wire.ts'
import { Segments } from '../parts/choice.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { useTerminal } from '../use-terminal.ts'

const modes = [
  { value: 'cross', label: 'Cross' },
  { value: 'isolated', label: 'Isolated' },
] as const

type Tier = Pick<MarketRisk['risk_tiers'][number], 'from_value' | 'max_leverage'>

const tierText = ({ from_value, max_leverage }: Tier) =>
  `${max_leverage}× above ${compact(from_value)} USD`

/** Describes maintenance. If a requirement was raised, existing positions have an hour to
 *  comply. */
function maintenanceText(risk: MarketRisk | undefined, most: number): string {
  const { fraction, afterwards, until } = maintenanceNow(risk, most)
  const now = `${percent(fraction, 2)} for small positions`
  if (until === null) return now
  if (fraction === afterwards) return `${now} (of larger ones it rises at ${clockText(until)})`
  return `${now} until ${clockText(until)}, then ${percent(afterwards, 2)} (tiers were changed)`
}

type FieldProps = Readonly<{ leverage: Signal<number>; most: number; wrong: Signal<boolean> }>

/** Leverage by a slider, or typed. */
function LeverageField({ leverage, most, wrong }: FieldProps) {
  const typed = useSignal<string | null>(null)
  const change = (text: string) => {
    const number = /^[0-9]{1,4}$/.test(text.trim()) ? Number(text) : 0
    wrong.value = number < 1 || number > most
    if (!wrong.peek()) leverage.value = number
  }
  return (
    <div class="field">
      <div class="field-label">
        <label for="leverage">Leverage</label>
        <span class="with-unit leverage">
          <input
            id="leverage"
            class="input"
            inputMode="numeric"
            autocomplete="off"
            value={typed.value ?? String(leverage.value)}
            aria-invalid={wrong.value}
            aria-describedby={wrong.value ? 'leverage-refusal' : undefined}
            onInput={({ currentTarget }) => {
              typed.value = currentTarget.value
              change(currentTarget.value)
            }}
          />
          <span class="unit">×</span>
        </span>
      </div>
      <input
        type="range"
        aria-label="Leverage slider"
        min="1"
        max={most}
        value={leverage.value}
        data-first
        onInput={({ currentTarget }) => {
          typed.value = null
          change(currentTarget.value)
        }}
      />
      {wrong.value && (
        <p class="refusal" id="leverage-refusal" role="alert">
          Leverage must be a whole number from 1 to {most}.
        </p>
      )}
    </div>
  )
}

export function LeverageDialog() {
  const terminal = useTerminal()
  const { markets, account, trading } = terminal
  const market = markets.market.value
  const symbol = markets.symbol.value
  const risk = markets.risk.value.get(symbol)
  const most = risk?.max_leverage ?? market?.max_leverage ?? 1
  const tiers = risk?.risk_tiers ?? []
  // Changed tiers are not streamed.
  useEffect(() => void askStanding(terminal, symbol), [terminal, symbol])
  const only = market?.isolated_only ?? false
  const first = account.firstLeverage(symbol, most)
  const before = account.leverage(symbol, most)
  const isolated = account.isolated(symbol, only)
  const leverage = useSignal(first ?? before)
  const mode = useSignal<'cross' | 'isolated'>(isolated ? 'isolated' : 'cross')
  const lock = account.modeLock(symbol, only)
  const wrong = useSignal(false)
  const save = async () => {
    if (wrong.peek()) return
    if ((mode.peek() === 'isolated') !== isolated)
      if (!(await trading.setIsolated(symbol, mode.peek() === 'isolated'))) return
    // A default leverage is set explicitly, even to the same value.
    if (leverage.peek() !== before || first !== null)
      if (!(await trading.setLeverage(symbol, leverage.peek()))) return
    terminal.close()
  }
  return (
    <Dialog
      title={`Margin of ${symbol}`}
      onClose={() => terminal.close()}
      action={{ label: 'Save', go: save }}
    >
      <Segments
        label="Margin mode"
        value={mode.value}
        options={only ? modes.slice(1) : modes}
        disabled={lock !== null}
        onChange={(next) => {
          mode.value = next
        }}
      />
      <p class="dim">
        {mode.value === 'cross'
          ? 'Cross: the whole balance stands behind the position.'
          : 'Isolated: only the margin of the position can be lost.'}
        {lock !== null && ` ${lock}`}
      </p>
      <LeverageField leverage={leverage} most={most} wrong={wrong} />
      <p class="dim">
        Initial margin {percent(1 / leverage.value, 2)} of the value. Liquidation begins at the
        maintenance margin, {maintenanceText(risk, most)}, whatever the leverage. With an open
        position it may fall as far as your margin allows.
        {tiers.length > 1 &&
          ` Larger positions have less: ${tiers.slice(1).map(tierText).join(', ')}.`}
        {first !== null && ` Until you choose one, your first order here sets ${first}×.`}
      </p>
    </Dialog>
  )
}
