import { compact, dateText, percent, usd, wordsOf } from '../../../model/number-text.ts'
import { Table } from '../../../view/parts/table.tsx'
import { backUp, drain, setExchangeMode } from '../../model/actions/market-actions.ts'
import type { MarketReadiness, MarketRow, Reserves, Standing } from '../../model/admin-rows.ts'
import { Act } from '../parts/act.tsx'
import { accountColumns, marketColumns, withdrawalColumns } from '../parts/columns.tsx'
import { Badge, Panel, Shown, Tile } from '../parts/panel.tsx'
import { bytesText } from '../parts/words.tsx'
import { useRead } from '../use-console.ts'

const shownMax = 10

export function OverviewPage() {
  const standing = useRead('get_standing')
  const reserves = useRead('get_reserves')
  const markets = useRead('get_markets')
  const worst = useRead('find_accounts', { order: 'margin_ratio', limit: shownMax })
  const queue = useRead('list_withdrawals', { limit: shownMax })
  return (
    <>
      <Panel title="The exchange" tools={<ExchangeTools mode={standing.value?.mode ?? 'open'} />}>
        <Shown read={standing} what="How it stands">
          {(now) => <Health {...now} />}
        </Shown>
      </Panel>
      <dl class="tiles">
        {standing.value !== null && <Load {...standing.value} />}
        <OpenInterest markets={markets.value ?? []} />
        {reserves.value !== null && <Fund {...reserves.value} />}
        {standing.value !== null && <Queued {...standing.value} />}
      </dl>
      <Panel title="Worst accounts by margin ratio">
        <Shown read={worst} what="The list of accounts">
          {({ accounts }) => (
            <Table
              label="Worst accounts"
              rows={accounts}
              rowKey={({ account }) => account}
              empty="No positions"
              columns={accountColumns}
            />
          )}
        </Shown>
      </Panel>
      <Panel title="Markets">
        <Shown read={markets} what="The list of markets">
          {(rows) => (
            <Table
              label="Markets"
              rows={rows}
              rowKey={({ symbol }) => symbol}
              empty="No market is listed"
              columns={marketColumns}
            />
          )}
        </Shown>
      </Panel>
      <Panel title="Queued withdrawals">
        <Shown read={queue} what="The queue">
          {(rows) => (
            <Table
              label="Queued withdrawals"
              rows={rows}
              rowKey={({ withdrawal_id }) => withdrawal_id}
              empty="Nothing waits"
              columns={withdrawalColumns}
            />
          )}
        </Shown>
      </Panel>
    </>
  )
}

function ExchangeTools({ mode }: { mode: string }) {
  return (
    <div class="row-actions">
      <Act action={setExchangeMode({ mode })}>Mode …</Act>
      <Act action={backUp}>Back up …</Act>
      <Act action={drain} danger>
        Drain …
      </Act>
    </div>
  )
}

function Health({ missing, markets, warnings, mode, kind, version, now }: Standing) {
  return (
    <>
      <p class="health">
        <Badge tone={missing === null ? 'good' : 'bad'}>
          {missing === null ? 'Ready' : 'Not ready'}
        </Badge>
        <Badge tone={mode === 'open' ? 'good' : 'warn'}>Mode {wordsOf(mode).toLowerCase()}</Badge>
        {missing !== null && <span class="down">{missing}</span>}
        <span class="dim">
          {kind}, version {version}, its time {dateText(now)}
        </span>
      </p>
      {markets
        .filter(({ ready }) => !ready)
        .map((market) => (
          <NotReady key={market.symbol} {...market} />
        ))}
      {warnings.map((warning) => (
        <p class="health" key={warning}>
          <Badge tone="warn">Warning</Badge>
          <span>{warning}</span>
        </p>
      ))}
    </>
  )
}

function NotReady({ symbol, status, required, reason }: MarketReadiness) {
  return (
    <p class="health">
      <Badge tone={required ? 'bad' : 'warn'}>
        {symbol} {wordsOf(status).toLowerCase()}
      </Badge>
      <span>{reason}</span>
    </p>
  )
}

function Load(standing: Standing) {
  const behind = standing.seq - standing.history_seq
  return (
    <Tile name="Load" value={`${standing.requests_under_way} under way`}>
      {`${standing.requests_waiting} requests and ${standing.commands_waiting} commands wait; `}
      {`history is ${behind} behind; ${bytesText(standing.disk_free_bytes)} of disk free`}
    </Tile>
  )
}

function OpenInterest({ markets }: { markets: readonly MarketRow[] }) {
  const total = markets.reduce((sum, { open_interest_value: value }) => sum + Number(value), 0)
  const [most] = markets.toSorted(
    (one, other) => Number(other.open_interest_value) - Number(one.open_interest_value),
  )
  return (
    <Tile name="Open interest" value={`${compact(total)} USD`}>
      {most === undefined || total === 0
        ? 'no positions'
        : `${percent(Number(most.open_interest_value) / total, 0)} of it in ${most.symbol}`}
    </Tile>
  )
}

function Fund({ insurance, insurance_paid_today, insurance_daily_limit, deficit }: Reserves) {
  return (
    <Tile name="Insurance fund" value={`${usd(insurance)} USD`}>
      paid {usd(insurance_paid_today)} of {usd(insurance_daily_limit)} today; deficit{' '}
      <span class={Number(deficit) < 0 ? 'down' : ''}>{usd(deficit)}</span>
    </Tile>
  )
}

function Queued(standing: Standing) {
  return (
    <Tile name="Queued" value={`${usd(standing.withdrawals_value)} USD`}>
      {`withdrawals: ${standing.withdrawals}, of them ${standing.withdrawals_waiting} wait for `}
      {`approval; announced changes: ${standing.announced_changes}`}
    </Tile>
  )
}
