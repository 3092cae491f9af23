import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { Tabs } from '../parts/choice.tsx'
import { Lazy } from '../parts/lazy.tsx'
import { Candlesticks } from './candlesticks.tsx'
import { ChartToolbar } from './chart-toolbar.tsx'
import { DepthChart } from './depth-chart.tsx'

const lineCharts = () => import('./line-charts.tsx')
const fundingChart = () => lineCharts().then(({ FundingChart }) => ({ default: FundingChart }))
const equityChart = () => lineCharts().then(({ EquityChart }) => ({ default: EquityChart }))

type ChartTab = 'price' | 'depth' | 'funding' | 'equity'

export function ChartPanel() {
  const tab = useSignal<ChartTab>('price')
  const head = useRef<HTMLDivElement>(null)
  /** The panel with its bar; the browser leaves full screen with Escape. */
  const fullScreen = () => {
    if (document.fullscreenElement !== null) void document.exitFullscreen()
    else void head.current?.parentElement?.requestFullscreen()
  }
  return (
    <>
      <div class="panel-head" ref={head}>
        <Tabs
          label="Chart"
          value={tab.value}
          options={[
            { value: 'price', label: 'Price' },
            { value: 'depth', label: 'Depth' },
            { value: 'funding', label: 'Funding' },
            { value: 'equity', label: 'Equity' },
          ]}
          onChange={(next) => {
            tab.value = next
          }}
        />
      </div>
      {tab.value === 'price' && <ChartToolbar onFullScreen={fullScreen} />}
      <div class="chart-body">
        {tab.value === 'price' && <Candlesticks />}
        {tab.value === 'depth' && <DepthChart />}
        {tab.value === 'funding' && <Lazy load={fundingChart} />}
        {tab.value === 'equity' && <Lazy load={equityChart} />}
      </div>
    </>
  )
}
