import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { Tabs } from '../parts/choice.tsx'
import { Candlesticks } from './candlesticks.tsx'
import { ChartToolbar } from './chart-toolbar.tsx'
import { DepthChart } from './depth-chart.tsx'
import { EquityChart, FundingChart } from './line-charts.tsx'

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
        {tab.value === 'funding' && <FundingChart />}
        {tab.value === 'equity' && <EquityChart />}
      </div>
    </>
  )
}
