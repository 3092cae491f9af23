// The bar above the price chart: intervals, type, scale, indicators, drawing tools, lines.

import { useSignal } from '@preact/signals'
import { type Interval, intervals } from '../../../units/intervals.ts'
import { lineGroups } from '../../model/account/chart-lines.ts'
import { type DrawingKind, drawingKinds } from '../../model/chart/drawings.ts'
import { toggled } from '../../model/chart/toggled.ts'
import { type ChartType, chartTypes, type Scale, scales } from '../../model/preferences.ts'
import { Segments } from '../parts/choice.tsx'
import { FullScreenIcon, StarIcon } from '../parts/icons.tsx'
import { Menu } from '../parts/menu.tsx'
import { useTerminal } from '../use-terminal.ts'

const typeNames: Readonly<Record<ChartType, string>> = {
  candles: 'Candles',
  bars: 'Bars',
  line: 'Line',
  area: 'Area',
  heikin: 'Heikin-Ashi',
}
const scaleNames: Readonly<Record<Scale, string>> = {
  normal: 'Normal',
  log: 'Logarithmic',
  percent: 'Percent',
}

const isInterval = (text: string): text is Interval => intervals.some((each) => each === text)

export function ChartToolbar({ onFullScreen }: { onFullScreen: () => void }) {
  const { preferences } = useTerminal()
  return (
    <div class="chart-tools" role="toolbar" aria-label="Chart tools">
      <IntervalBar />
      <TypeMenu />
      <ScaleMenu />
      <DrawingMenu />
      <ViewMenu />
      <Segments
        label="Price shown"
        value={preferences.now.value.candles}
        options={[
          { value: 'trade', label: 'Last' },
          { value: 'mark', label: 'Mark' },
        ]}
        onChange={(next) => preferences.change({ candles: next })}
      />
      <button
        type="button"
        class="tool"
        aria-label="Full screen"
        title="Full screen"
        onClick={onFullScreen}
      >
        <FullScreenIcon />
      </button>
    </div>
  )
}

/** Favourite intervals as a bar; all of them, and an input for one, in a menu. */
function IntervalBar() {
  const { preferences } = useTerminal()
  const { interval, intervals: favourites } = preferences.now.value
  const shown = intervals.filter((each) => favourites.includes(each) || each === interval)
  const choose = (next: Interval) => preferences.change({ interval: next })
  return (
    <>
      <Segments
        label="Interval"
        class="intervals"
        value={interval}
        options={shown.map((each) => ({ value: each, label: each }))}
        onChange={choose}
      />
      <Menu
        label="All intervals"
        columns={2}
        top={<IntervalInput choose={choose} />}
        items={intervals.flatMap((each) => [
          {
            id: each,
            label: each,
            checked: each === interval,
            radio: true,
            act: () => choose(each),
          },
          {
            id: `${each} favourite`,
            label: (
              <span title={`${each} in the bar`}>
                <span class="hidden-text">{each} in the bar</span>
                <StarIcon full={favourites.includes(each)} />
              </span>
            ),
            checked: favourites.includes(each),
            stays: true,
            act: () => preferences.change({ intervals: toggled(favourites, each) }),
          },
        ])}
      >
        <span class="arrow-down" aria-hidden="true" />
      </Menu>
    </>
  )
}

function IntervalInput({ choose }: { choose: (interval: Interval) => void }) {
  const wrong = useSignal(false)
  return (
    <input
      class="input"
      aria-label="Interval, such as 15m"
      placeholder="15m"
      aria-invalid={wrong.value}
      title={wrong.value ? `One of ${intervals.join(', ')}` : undefined}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return
        const text = event.currentTarget.value.trim()
        // 1M is a month; all other letters are small.
        const read = text === '1M' ? text : text.toLowerCase()
        wrong.value = !isInterval(read)
        if (isInterval(read)) choose(read)
      }}
    />
  )
}

function TypeMenu() {
  const { preferences } = useTerminal()
  const { chartType } = preferences.now.value
  return (
    <Menu
      label={`Chart type: ${typeNames[chartType]}`}
      items={chartTypes.map((type) => ({
        id: type,
        label: typeNames[type],
        checked: type === chartType,
        radio: true,
        act: () => preferences.change({ chartType: type }),
      }))}
    >
      {typeNames[chartType]}
    </Menu>
  )
}

function ScaleMenu() {
  const { preferences } = useTerminal()
  const { scale, autoScale } = preferences.now.value
  return (
    <Menu
      label="Scale of prices"
      items={[
        ...scales.map((each) => ({
          id: each,
          label: scaleNames[each],
          checked: each === scale,
          radio: true,
          act: () => preferences.change({ scale: each }),
        })),
        {
          id: 'auto',
          label: 'Fit to visible bars',
          checked: autoScale,
          act: () => preferences.change({ autoScale: !autoScale }),
        },
      ]}
    >
      Scale
    </Menu>
  )
}

const kinds = Object.entries(drawingKinds) as [DrawingKind, string][]

function DrawingMenu() {
  const terminal = useTerminal()
  const { drawings } = terminal
  const tool = drawings.tool.value
  return (
    <>
      <button type="button" class="tool" onClick={() => terminal.open({ show: 'indicators' })}>
        Indicators
      </button>
      <Menu
        label={tool === null ? 'Draw' : `Draw: ${drawingKinds[tool]}`}
        items={[
          ...kinds.map(([kind, name]) => ({
            id: kind,
            label: name,
            checked: kind === tool,
            radio: true,
            act: () => {
              drawings.tool.value = kind === tool ? null : kind
            },
          })),
          { id: 'undo', label: 'Undo', act: () => drawings.undo() },
          { id: 'clear', label: 'Delete all', act: () => drawings.clear() },
        ]}
      >
        {tool === null ? 'Draw' : drawingKinds[tool]}
      </Menu>
    </>
  )
}

function ViewMenu() {
  const terminal = useTerminal()
  const { preferences } = terminal
  const hidden = preferences.now.value.hiddenLines
  return (
    <>
      <Menu
        label="Lines and marks"
        items={Object.entries(lineGroups).map(([group, name]) => ({
          id: group,
          label: name,
          checked: !hidden.includes(group),
          stays: true,
          act: () => preferences.change({ hiddenLines: toggled(hidden, group) }),
        }))}
      >
        Lines
      </Menu>
      <button type="button" class="tool" onClick={() => terminal.open({ show: 'alerts' })}>
        Alerts
      </button>
    </>
  )
}
