// The indicators of the chart: add, configure and remove them.

import {
  type Indicator,
  type IndicatorKind,
  indicatorKinds,
  indicatorsMax,
  kindOf,
  newIndicator,
} from '../../model/chart/indicator-kinds.ts'
import { Dialog } from '../parts/dialog.tsx'
import { CloseIcon } from '../parts/icons.tsx'
import { useTerminal } from '../use-terminal.ts'

const kinds = Object.keys(indicatorKinds) as IndicatorKind[]

export function IndicatorsDialog() {
  const terminal = useTerminal()
  const { preferences } = terminal
  const { indicators } = preferences.now.value
  const keep = (next: readonly Indicator[]) => preferences.change({ indicators: next })
  const isFull = indicators.length >= indicatorsMax
  return (
    <Dialog title="Indicators" onClose={() => terminal.close()}>
      {indicators.length === 0 && <p class="dim">None yet. Add one below.</p>}
      {indicators.map((indicator, at) => (
        <IndicatorRow
          key={at}
          indicator={indicator}
          change={(next) => keep(indicators.with(at, next))}
          remove={() => keep(indicators.toSpliced(at, 1))}
        />
      ))}
      <div class="line wraps">
        {kinds.map((kind) => (
          <button
            key={kind}
            type="button"
            class="button"
            title={indicatorKinds[kind].about}
            disabled={isFull}
            onClick={() => keep([...indicators, newIndicator(kind)])}
          >
            + {indicatorKinds[kind].name}
          </button>
        ))}
      </div>
      {isFull && <p class="dim">Maximum {indicatorsMax} indicators.</p>}
    </Dialog>
  )
}

type RowProps = Readonly<{
  indicator: Indicator
  change: (next: Indicator) => void
  remove: () => void
}>

function IndicatorRow({ indicator, change, remove }: RowProps) {
  const { name, inputs, about } = kindOf(indicator.kind)
  return (
    <fieldset class="line bare" aria-label={name}>
      <b title={about}>{name}</b>
      <span class="spacer" />
      {inputs.map(({ name: label, min, max }, at) => (
        <label key={label} class="small-input">
          {label}
          <input
            class="input num"
            type="number"
            min={min}
            max={max}
            step={label === 'Width' ? 0.5 : 1}
            value={indicator.inputs[at]}
            onChange={({ currentTarget }) => {
              // A number beyond the limits becomes the nearest one.
              const value = Math.min(max, Math.max(min, currentTarget.valueAsNumber))
              if (Number.isFinite(value))
                change({ ...indicator, inputs: indicator.inputs.with(at, value) })
              currentTarget.value = String(Number.isFinite(value) ? value : indicator.inputs[at])
            }}
          />
        </label>
      ))}
      <button type="button" class="button small" aria-label={`Remove ${name}`} onClick={remove}>
        <CloseIcon />
      </button>
    </fieldset>
  )
}
