// The account over time: profit without deposits, by period, market and kind; drawdown, fees and
// the fee tier; and the positions that were closed.

import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { percent, signedPercent, signedUsd, toneOf, usd } from '../../model/number-text.ts'
import { pathOf } from '../../model/pages/pages.ts'
import {
  inRange,
  type Ledger,
  type MarketProfit,
  marketSum,
  profitByKind,
  profitByMarket,
} from '../../model/portfolio/account-ledger.ts'
import {
  type CurvePoint,
  maxDrawdown,
  periodOf,
  profitBy,
  type Range,
  rangeStart,
} from '../../model/portfolio/profit-curve.ts'
import { ClosedPositions, withFunding } from '../../model/tables/closed-positions.ts'
import { Hidden } from '../account/bottom-panel.tsx'
import {
  CurvePlot,
  type Drawn,
  DrawnChoice,
  profitStyle,
  RangeChoice,
} from '../chart/line-charts.tsx'
import { Plot } from '../chart/plot.tsx'
import { useCurve } from '../chart/use-curve.ts'
import { Unread } from '../parts/table.tsx'
import { useTerminal } from '../use-terminal.ts'
import { FeeTierCard } from './fee-tier-card.tsx'
import { Card, Fact, Facts, PageHead } from './page-parts.tsx'
import { ClosedCard, MarketProfitCard } from './portfolio-tables.tsx'
import { useLedger } from './use-ledger.ts'

export default function PortfolioPage() {
  const { address, account } = useTerminal()
  const range = useSignal<Range>('7d')
  const hidden = account.hidden.value
  return (
    <>
      <PageHead title="Portfolio">
        <RangeChoice
          value={range.value}
          onChange={(now) => {
            range.value = now
          }}
        />
      </PageHead>
      {address.value === null ? (
        <NoAccount />
      ) : hidden ? (
        <div class="card">
          <Hidden />
        </div>
      ) : (
        <Account range={range.value} />
      )}
    </>
  )
}

function NoAccount() {
  const terminal = useTerminal()
  return (
    <div class="card nothing">
      <p>No account yet. Connect a wallet, or import or create a key, to see its portfolio.</p>
      <button type="button" class="button primary" onClick={() => terminal.open({ show: 'keys' })}>
        Connect
      </button>
    </div>
  )
}

function Account({ range }: { range: Range }) {
  const { account, streams } = useTerminal()
  const points = useCurve(range)
  const { state, again } = useLedger()
  const { ledger, why } = state.value
  const start = rangeStart(range, streams.engineNow())
  const rows = useMemo(
    () => (ledger === null ? null : profitByMarket(inRange(ledger, start))),
    [ledger, start],
  )
  return (
    <>
      <Summary points={points} rows={rows} />
      {why !== null && <Unread what="The history of the account" why={why} onAgain={again} />}
      {ledger?.fills.length === 0 && <FirstTrade />}
      <div class="cards">
        <CurveCard range={range} points={points} />
        <FeeTierCard happened={account.changes.value} />
        <PeriodCard range={range} points={points} />
        <KindCard points={points} rows={rows} />
      </div>
      {ledger !== null && ledger.fills.length > 0 && (
        <Tables rows={rows ?? []} ledger={ledger} start={start} />
      )}
    </>
  )
}

type Parts = Readonly<{
  points: readonly CurvePoint[] | null
  rows: readonly MarketProfit[] | null
}>

const profitOf = (points: readonly CurvePoint[] | null) => points?.at(-1)?.profit

function Summary({ points, rows }: Parts) {
  const { account, streams } = useTerminal()
  const profit = profitOf(points)
  const first = points?.[0]
  const begun = first === undefined ? 0 : first.equity - first.profit
  const fall = maxDrawdown(points ?? [])
  const sum = marketSum(rows ?? [])
  const known = rows !== null
  return (
    <Facts label="Summary" stale={streams.stale.value}>
      <Fact name="Equity">{usd(account.numbers.value?.ae)} USD</Fact>
      <Fact
        name="Profit"
        title="Without deposits and withdrawals, with open positions at the mark price"
        note={
          begun > 0 && profit !== undefined
            ? `${signedPercent(profit / begun)} of the equity before`
            : undefined
        }
      >
        <span class={toneOf(profit ?? 0)}>{signedUsd(profit)}</span>
      </Fact>
      <Fact
        name="Max drawdown"
        title="Largest fall of the profit from its highest value, and its share of the equity then"
        note={`${percent(fall.share)} of the equity then`}
      >
        {usd(points === null ? null : fall.amount)}
      </Fact>
      <Fact name="Volume" note={known ? `${sum.fills} fills` : undefined}>
        {usd(known ? sum.volume : null)}
      </Fact>
      <Fact name="Fees" title="Negative if more was paid than received">
        {signedUsd(known ? sum.fees : null)}
      </Fact>
      <Fact name="Funding">
        <span class={toneOf(sum.funding)}>{signedUsd(known ? sum.funding : null)}</span>
      </Fact>
    </Facts>
  )
}

type CurveProps = Readonly<{ range: Range; points: readonly CurvePoint[] | null }>

function CurveCard({ range, points }: CurveProps) {
  const drawn = useSignal<Drawn>('profit')
  const choice = (
    <DrawnChoice
      value={drawn.value}
      onChange={(now) => {
        drawn.value = now
      }}
    />
  )
  return (
    <Card title="Performance" tools={choice}>
      <div class="plot-box">
        <CurvePlot key={range} drawn={drawn.value} points={points} />
      </div>
    </Card>
  )
}

function PeriodCard({ range, points }: CurveProps) {
  const length = periodOf(range, points ?? [])
  const daily = range !== '1d'
  const name = daily ? 'Profit by day' : 'Profit by hour'
  const start = range === 'all' ? undefined : rangeStart(range, points?.at(-1)?.at ?? 0)
  const periods = useMemo(
    () => (points === null ? null : profitBy(points, length, start)),
    [points, length, start],
  )
  return (
    <Card title={name}>
      <div class="plot-box">
        <Plot
          key={`${range} ${length}`}
          label={daily ? 'Profit by day (UTC)' : name}
          empty="No profit or loss in this time"
          points={periods}
          style={{ ...profitStyle, kind: 'bars', step: length, daily }}
        />
      </div>
    </Card>
  )
}

function KindCard({ points, rows }: Parts) {
  const profit = profitOf(points)
  const kinds = rows === null || profit === undefined ? [] : profitByKind(profit, marketSum(rows))
  const most = Math.max(...kinds.map(({ value }) => Math.abs(value)), 0.01)
  return (
    <Card title="Profit by kind">
      <table class="table plain kinds-table" aria-label="Profit by kind">
        <tbody>
          {kinds.map(({ kind, value }) => (
            <tr key={kind}>
              <th scope="row" title={meanings[kind]}>
                {kind}
              </th>
              <td class="share-bar">
                <svg viewBox="-50 0 100 8" preserveAspectRatio="none" aria-hidden="true">
                  <path d="M0 0V8" class="zero" />
                  <rect
                    class={toneOf(value)}
                    x={Math.min(0, (value / most) * 50)}
                    y="1"
                    width={Math.abs((value / most) * 50)}
                    height="6"
                  />
                </svg>
              </td>
              <td class={`num ${toneOf(value)}`}>{signedUsd(value)}</td>
            </tr>
          ))}
          <tr class="total">
            <th scope="row">Total</th>
            <td />
            <td class={`num ${toneOf(profit ?? 0)}`}>{signedUsd(profit)}</td>
          </tr>
        </tbody>
      </table>
    </Card>
  )
}

const meanings = {
  Trading: 'Realised profit and loss, before fees',
  Funding: 'Received less paid',
  Fees: 'Trading and liquidation fees, less rebates',
  'Open positions': 'Change of the profit that is not realised',
} as const

function FirstTrade() {
  const { markets } = useTerminal()
  return (
    <section class="card nothing" aria-label="First trade">
      <p>No trades yet. Profit, fees and closed positions appear here after the first ones.</p>
      <a class="button primary" href={pathOf('trade', markets.symbol.value)}>
        Trade {markets.symbol.value}
      </a>
    </section>
  )
}

type TablesProps = Readonly<{ rows: readonly MarketProfit[]; ledger: Ledger; start: number }>

function Tables({ rows, ledger, start }: TablesProps) {
  const { account } = useTerminal()
  const { fills, funding, partial } = ledger
  const closed = useMemo(() => {
    const walk = new ClosedPositions(account.positions.peek())
    return walk.add(fills).map((row) => withFunding(row, funding, !partial))
  }, [ledger])
  return (
    <>
      {partial && (
        <p class="page-note">
          The history is long: only the newest {fills.length} fills and {funding.length} funding
          payments are counted.
        </p>
      )}
      <MarketProfitCard rows={rows} />
      <ClosedCard rows={closed.filter((row) => row.closed >= start)} />
    </>
  )
}
